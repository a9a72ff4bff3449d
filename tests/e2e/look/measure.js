// What one page looks like, in numbers. Runs inside the page.
(() => {
  const visible = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true });
  const hidden = (element) => element.closest('.skip:not(:focus)') !== null;
  const round = (number) => Math.round(number);
  const name = (element) => {
    const first = element.classList[0];
    return element.localName + (first ? '.' + first : '') + (element.rel ? `[${element.rel}]` : '');
  };

  // Colours, with what lies below where they let it through.
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const pixel = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
  const ground = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) {
      const colour = pixel(getComputedStyle(at).backgroundColor);
      if (colour[3] > 0) layers.push(colour);
      if (colour[3] === 1) break;
    }
    return layers.reduceRight((below, top) => over(top, below), [255, 255, 255, 1]);
  };
  const luminance = (colour) => {
    const [r, g, b] = colour.slice(0, 3).map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one, other) => {
    const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  };

  // Every piece of visible text, with the element that it stands in.
  const texts = () => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      if (!node.data.trim() || !visible(element) || hidden(element)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const boxes = [...range.getClientRects()].filter((box) => box.width > 1 && box.height > 1);
      if (boxes.length > 0) found.push({ node, element, boxes });
    }
    return found;
  };
  const scroller = (element) => {
    for (let at = element; at && at !== document.body; at = at.parentElement) {
      if (['auto', 'scroll'].includes(getComputedStyle(at).overflowX)) return at;
    }
    return null;
  };
  const say = (element) => `\`${name(element)}\` “${element.textContent.trim().replace(/\s+/g, ' ').slice(0, 40)}”`;

  // What must hold on any page, whatever it looked like before.
  const rules = () => {
    const found = new Set();
    const wide = document.documentElement.scrollWidth;
    if (wide > innerWidth) found.add(`the page scrolls sideways: ${wide} of ${innerWidth} px`);
    const all = texts();
    for (const { element, boxes } of all) {
      const style = getComputedStyle(element);
      const size = parseFloat(style.fontSize);
      // Exponents of exponents are as small as the setting of formulas makes them.
      if (size < 11.5 && !element.closest('math')) found.add(`${say(element)} is ${size} px small`);
      const large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
      const below = ground(element);
      const ratio = contrast(over(pixel(style.color), below), below);
      if (ratio < (large ? 3 : 4.5)) found.add(`${say(element)} has a contrast of ${ratio.toFixed(2)}`);
      if (!scroller(element) && boxes.some((box) => box.left < -0.5 || box.right > innerWidth + 0.5)) found.add(`${say(element)} sticks out of the window`);
    }
    // Text over other text: of different blocks, so that a line of its own block is never meant.
    const block = (element) => {
      let at = element;
      while (at && getComputedStyle(at).display.startsWith('inline')) at = at.parentElement;
      return at;
    };
    const lines = all.filter(({ element }) => !scroller(element)).flatMap(({ element, boxes }) => {
      const owner = block(element);
      return boxes.map((box) => ({ element, owner, box }));
    });
    lines.sort((a, b) => a.box.top - b.box.top);
    lines.forEach((one, index) => {
      for (let next = index + 1; next < lines.length && lines[next].box.top < one.box.bottom; next += 1) {
        const other = lines[next];
        if (one.owner === other.owner) continue;
        const width = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
        const height = Math.min(one.box.bottom, other.box.bottom) - other.box.top;
        // A third of a line: boxes of text are higher than its letters.
        if (width > 2 && height > 0.34 * Math.min(one.box.height, other.box.height)) found.add(`${say(one.element)} overlaps ${say(other.element)}`);
      }
    });
    // Lines that are too long to find the next one.
    for (const paragraph of document.querySelectorAll('.text > p')) {
      const rows = Math.round(paragraph.getBoundingClientRect().height / parseFloat(getComputedStyle(paragraph).lineHeight));
      const letters = paragraph.textContent.length / rows;
      if (rows >= 3 && letters > 85) found.add(`${say(paragraph)} has ${Math.round(letters)} letters a line`);
    }
    // The search page alone has a script, and one.
    const scripts = [...document.querySelectorAll('script:not([type="application/ld+json"])')].map((script) => new URL(script.src, location).pathname);
    const known = location.pathname === '/search.html' ? 1 : 0;
    if (scripts.length !== known || !scripts.every((path) => /^\/_\/search\.[0-9a-f]+\.js$/.test(path))) found.add(`there are scripts: ${scripts.join(', ') || 'none'}`);
    return [...found];
  };

  // Every block, in order: name, left edge, width, height, and the distance to the end of the block before. How wide a formula in a line is, and how large the
  // letters in it, each version of the browser decides for itself.
  const blocks = () => {
    const wanted = 'h1,h2,h3,h4,h5,h6,p,ul,ol,dl,pre,table,figure,figcaption,img,blockquote,details,hr,nav,header,footer,main,.meta>*,.entries>li,.entries time,.callout,.table,div.math,.endnotes,.tags>li';
    let end = 0;
    return [...document.querySelectorAll(wanted)].filter((element) => visible(element) && !hidden(element)).map((element) => {
      const box = element.getBoundingClientRect();
      const top = box.top + scrollY;
      const row = { name: name(element), box: [box.left, box.width, box.height, top - end].map(round), top };
      end = top + box.height;
      return row;
    });
  };

  // How each kind of element is set: once for each name.
  const styles = () => {
    const seen = {};
    for (const element of document.querySelectorAll('body, body *')) {
      if (!visible(element) || hidden(element) || element.closest('svg') || element.parentElement.closest('math')) continue;
      const key = name(element);
      const style = getComputedStyle(element);
      const hex = (colour) => '#' + pixel(colour).slice(0, 3).map((part) => part.toString(16).padStart(2, '0')).join('');
      seen[key] ??= [`${style.fontWeight} ${parseFloat(style.fontSize).toFixed(1)}px`, hex(style.color), 'on', hex(`rgb(${ground(element).slice(0, 3).map(round).join(' ')})`)].join(' ');
    }
    return seen;
  };

  return { rules, blocks, styles };
})()
