// Opens every page at every width, light and dark, and writes down what it looks like: numbers to standard output, pictures to a folder.
//
// look.mjs PICTURES [--rules] < [{ name, url }]
//
// `--rules`: only what must hold on any page, no numbers.
import { createRequire } from 'node:module';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { late } from './late.mjs';

const require = createRequire(`${process.env.JUDGE_NPM}/node_modules/`);
const { chromium } = require('playwright-core');
const here = new URL('.', import.meta.url).pathname;
const measure = readFileSync(`${here}measure.js`, 'utf8');
const [folder, only] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const pages = JSON.parse(readFileSync(0, 'utf8'));

const WIDTHS = [390, 768, 1440];
// Faces that the step installs, so that lines break at the same places on every machine.
const FACES = ':root{--serif:"DejaVu Serif","DejaVu Sans"!important;--sans:"DejaVu Sans"!important;--mono:"DejaVu Sans Mono"!important}html{scroll-behavior:auto!important}';
const COLUMNS = 4;
// In the place of another host's picture: about as large as a badge, so that a link around it can be seen.
const BADGE = '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="20"><rect width="100" height="20" fill="gray"/></svg>';
// Counts by how much a page moves under its reader, and what moved.
const SHIFTS = `globalThis.shift = 0; globalThis.moved = new Set(); new PerformanceObserver((list) => list.getEntries().forEach((entry) => { globalThis.shift += entry.value; entry.sources.forEach(({ node }) => node && globalThis.moved.add(node.nodeName.toLowerCase())); })).observe({ type: 'layout-shift', buffered: true });`;

const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--font-render-hinting=none', '--disable-lcd-text', '--hide-scrollbars'];
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: flags });

// Means of a picture's parts are taken in a page of their own: the browser can read PNG, and nothing else here can.
const bench = await (await browser.newContext()).newPage();
await bench.setContent('<!doctype html><title>bench</title>');
const means = (png, boxes) => bench.evaluate(async ({ png, boxes, columns }) => {
  const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d', { willReadFrequently: true });
  canvas.drawImage(bitmap, 0, 0);
  return boxes.map(([left, top, width, height]) => {
    let text = '';
    for (let column = 0; column < columns; column += 1) {
      const from = Math.max(0, Math.floor(left + (width * column) / columns));
      const to = Math.min(bitmap.width, Math.ceil(left + (width * (column + 1)) / columns));
      const [start, end] = [Math.max(0, Math.floor(top)), Math.min(bitmap.height, Math.ceil(top + height))];
      if (to <= from || end <= start) { text += '------'; continue; }
      const data = canvas.getImageData(from, start, to - from, end - start).data;
      const sum = [0, 0, 0];
      for (let at = 0; at < data.length; at += 4) for (let part = 0; part < 3; part += 1) sum[part] += data[at + part];
      text += sum.map((part) => Math.round((part * 4) / data.length).toString(16).padStart(2, '0')).join('');
    }
    return text;
  });
}, { png, boxes, columns: COLUMNS });

const results = {};
const broken = [];
for (const scheme of ['light', 'dark']) {
  for (const width of WIDTHS) {
    const context = await browser.newContext({ colorScheme: scheme, viewport: { width, height: 900 }, bypassCSP: true, reducedMotion: 'reduce' });
    await context.addInitScript(SHIFTS);
    const page = await context.newPage();
    let where = '';
    page.on('console', (message) => { if (['error', 'warning'].includes(message.type())) broken.push(`${where}: the console says: ${message.text()}`); });
    let home = '';
    const isElsewhere = (request) => new URL(request.url()).origin !== home;
    // Real texts show pictures of other hosts, which are not there on every machine.
    const isOfText = (request) => only === '--rules' && request.resourceType() === 'image' && isElsewhere(request);
    if (only === '--rules') await context.route('**/*', (route) => (isOfText(route.request()) ? route.fulfill({ contentType: 'image/svg+xml', body: BADGE }) : route.continue()));
    page.on('request', (request) => { if (isElsewhere(request) && !isOfText(request)) broken.push(`${where}: asks ${request.url()}`); });
    for (const { name, url } of pages) {
      home = new URL(url).origin;
      where = `${name} at ${width} px, ${scheme}`;
      const fail = (text) => broken.push(`${where}: ${text}`);
      await page.goto(url);
      // A page that is read before its lazy pictures come is another page afterwards.
      await page.evaluate(() => { document.querySelectorAll('img[loading]').forEach((image) => { image.loading = 'eager'; }); });
      await page.waitForLoadState('networkidle');
      const shift = await page.evaluate(() => globalThis.shift);
      if (shift > 0.001 && !await isUnsized(page)) fail(`the layout shifts by ${shift.toFixed(3)}`);
      await page.addStyleTag({ content: FACES });
      const seen = await page.evaluate(`(async () => { await document.fonts.ready; const { rules, blocks, styles } = ${measure}; return { rules: rules(), blocks: blocks(), styles: styles(), height: document.documentElement.scrollHeight }; })()`);
      seen.rules.forEach(fail);
      const picture = await page.screenshot({ fullPage: true, animations: 'disabled' });
      writeFileSync(`${folder}/${name}-${width}-${scheme}.png`, picture);
      if (width === 768 && scheme === 'light') await others(page, fail);
      if (only === '--rules') continue;
      const boxes = seen.blocks.map(({ box, top }) => [box[0], top, box[1], box[2]]);
      const cells = await means(picture.toString('base64'), boxes);
      const rows = seen.blocks.map(({ name, box }, index) => ({ name, box, cells: cells[index] }));
      (results[name] ??= []).push({ width, scheme, height: seen.height, blocks: rows, styles: seen.styles });
    }
    await context.close();
  }
}

// Whether a page shows pictures of other hosts: nobody else knows their size before they are there.
async function isUnsized(page) {
  return page.evaluate(() => [...document.images].some((image) => new URL(image.src).origin !== location.origin && !image.getAttribute('width')));
}

// What is looked at once a page: the keyboard, paper, and the narrowest window that WCAG 2.2 asks for.
async function others(page, fail) {
  await page.evaluate(() => scrollTo(0, 0));
  await page.keyboard.press('Tab');
  for (let step = 0; step < 6; step += 1) {
    const focus = await page.evaluate(() => {
      const element = document.activeElement;
      const box = element.getBoundingClientRect();
      const style = getComputedStyle(element);
      return { text: element.textContent.trim().slice(0, 40), skip: element.matches('.skip'), seen: box.width > 8 && box.height > 8 && box.right > 0 && box.bottom > 0, ring: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2 };
    });
    if (step === 0 && !focus.skip) fail('the first press of Tab does not reach the link that skips to the text');
    if (!focus.seen || !focus.ring) fail(`the focus on “${focus.text}” cannot be seen`);
    await page.keyboard.press('Tab');
  }
  await page.evaluate(() => document.activeElement.blur());
  await page.emulateMedia({ media: 'print' });
  const paper = await page.evaluate(() => ({ wide: document.documentElement.scrollWidth > innerWidth, kept: [...document.querySelectorAll('nav')].filter((nav) => nav.checkVisibility()).length }));
  if (paper.wide) fail('it is wider than the paper in print');
  if (paper.kept > 0) fail(`${paper.kept} navigations are printed`);
  await page.emulateMedia({ media: 'screen' });
  await page.setViewportSize({ width: 320, height: 900 });
  const narrow = await page.evaluate(`(() => ${measure}.rules())()`);
  narrow.forEach((text) => fail(`at 320 px: ${text}`));
  await page.setViewportSize({ width: 768, height: 900 });
}

// No page may move under its reader, however slowly it comes. One at a time: a browser with much to do paints a page once it is whole.
for (const width of [WIDTHS[0], WIDTHS.at(-1)]) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, bypassCSP: true });
  await context.addInitScript(SHIFTS);
  for (const { name, url } of pages) {
    const { origin, pathname, search } = new URL(url);
    const line = await late(origin);
    const page = await context.newPage();
    await page.goto(line.origin + pathname + search);
    await page.evaluate(() => new Promise((painted) => { requestAnimationFrame(() => setTimeout(painted, 50)); }));
    const { shift, moved } = await page.evaluate(() => ({ shift: globalThis.shift, moved: [...globalThis.moved] }));
    if (shift > 0.001 && !await isUnsized(page)) broken.push(`${name} at ${width} px: on a slow line the layout shifts by ${shift.toFixed(3)} (${moved.join(', ')})`);
    await page.close();
    line.close();
  }
  await context.close();
}

// One sheet that a person can look at.
const cell = (name, width, scheme) => `<figure><img src="${name}-${width}-${scheme}.png" width="${Math.round(width / 4)}" alt=""><figcaption>${width} ${scheme}</figcaption></figure>`;
const rows = pages.map(({ name }) => `<h2>${name}</h2><div>${['light', 'dark'].flatMap((scheme) => WIDTHS.map((width) => cell(name, width, scheme))).join('')}</div>`);
writeFileSync(`${folder}/index.html`, `<!doctype html><meta charset="utf-8"><title>Contact sheet</title><style>body{font:14px system-ui;background:#888;margin:1rem}div{display:flex;gap:1rem;align-items:start;overflow-x:auto}figure{margin:0}img{max-height:900px;object-fit:cover;object-position:top}</style>${rows.join('\n')}\n`);
await bench.setViewportSize({ width: 1600, height: 1000 });
await bench.goto(`file://${folder}/index.html`);
await bench.screenshot({ path: `${folder}/sheet.png`, fullPage: true });
await browser.close();
console.log(JSON.stringify({ results, broken }));
