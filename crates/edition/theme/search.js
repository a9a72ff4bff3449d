// The search of a site without a server's answer: reads /search/index.json and the files that it names, and ranks as the
// server does (crates/search of Diglot, whose modules have these names).
'use strict';

const RESULTS = 20, LONGEST_WORD = 40, BUCKETS = 64;

/* fold */
const ACCENTS = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed]/g;
const SPELLINGS = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', þ: 'th', ł: 'l', ħ: 'h', ı: 'i', ς: 'σ', ٱ: 'ا', ى: 'ي', ی: 'ي', ة: 'ه', ک: 'ك' };

function fold(word) {
  if (/^[\x00-\x7f]*$/.test(word)) return word.toLowerCase();
  const lower = word.normalize('NFKD').toLowerCase().replace(ACCENTS, '');
  const folded = lower.replace(/[ßæœøđðþłħıςٱىیةک]/g, (letter) => SPELLINGS[letter]).normalize('NFC');
  return folded.startsWith('ال') && [...folded].length >= 5 ? folded.slice(2) : folded;
}

/* words */
const RUNS = /[\p{Alphabetic}\p{N}\p{M}]+/gu;
const UNSPACED = '\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\u3040-\\u30ff\\u31f0-\\u31ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\uff66-\\uff9f\\u{20000}-\\u{3ffff}';
const PIECES = new RegExp(`[${UNSPACED}]+|[^${UNSPACED}]+`, 'gu');
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'u');

function stem(word) {
  if (word.length >= 5 && word.endsWith('ies')) return word.slice(0, -3) + 'y';
  if (word.length >= 5 && /(sses|xes|ches|shes)$/.test(word)) return word.slice(0, -2);
  return word.length >= 4 && word.endsWith('s') && !/(ss|us|is)$/.test(word) ? word.slice(0, -1) : word;
}

// The words of a text: [start, end, folded word].
function words(text) {
  const found = [];
  for (const run of text.matchAll(RUNS)) {
    for (const piece of run[0].matchAll(PIECES)) {
      let start = run.index + piece.index;
      if (!IS_UNSPACED.test(piece[0])) {
        for (const part of fold(piece[0]).match(RUNS) || []) {
          const word = /^[\x00-\x7f]*$/.test(part) ? stem(part) : part;
          if ([...word].length <= LONGEST_WORD) found.push([start, start + piece[0].length, word]);
        }
        continue;
      }
      const letters = [...piece[0]];
      for (let at = 0; at < Math.max(1, letters.length - 1); at++) {
        const pair = letters.slice(at, at + 2).join('');
        found.push([start, start + pair.length, fold(pair)]);
        start += letters[at].length;
      }
    }
  }
  return found;
}

/* reader */
function number(bytes, place) {
  let value = 0, scale = 1, byte;
  do {
    byte = bytes[place.at++];
    value += (byte & 127) * scale;
    scale *= 128;
  } while (byte & 128);
  return value;
}

function bucket(word) {
  const [first, second = 0] = [...word].map((letter) => letter.codePointAt(0));
  return (first * 31 + (first >= 0x2e80 ? 0 : second)) % BUCKETS;
}

// Code points in order, as the bytes of UTF-8 are.
function compare(one, other) {
  const [a, b] = [[...one], [...other]];
  for (let at = 0; at < a.length && at < b.length; at++) {
    const difference = a[at].codePointAt(0) - b[at].codePointAt(0);
    if (difference) return difference;
  }
  return a.length - b.length;
}

// The addresses of the files that have words with this beginning.
function files(index, start) {
  const own = bucket(start), all = index.word_files;
  const isAfter = ([bucket, word]) => bucket > own || (bucket === own && compare(word, start) > 0);
  let first = all.findIndex(isAfter);
  first = Math.max(0, (first < 0 ? all.length : first) - 1);
  let end = first;
  while (end < all.length && (!isAfter(all[end]) || (all[end][0] === own && all[end][1].startsWith(start)))) end++;
  return all.slice(first, end).map((file) => file[2]);
}

// The entries of a file whose word begins with `start`.
function entries(bytes, start) {
  const wanted = new TextEncoder().encode(start), found = [], word = [], place = { at: 0 };
  while (place.at < bytes.length) {
    word.length = bytes[place.at++];
    const end = place.at + 1 + bytes[place.at++];
    while (place.at < end) word.push(bytes[place.at++]);
    const texts = number(bytes, place), length = number(bytes, place);
    if (wanted.every((byte, at) => word[at] === byte)) {
      const more = word.slice(wanted.length).filter((byte) => (byte & 0xc0) !== 0x80).length;
      found.push({ more, texts, places: bytes.subarray(place.at, place.at + length) });
    }
    place.at += length;
  }
  return found;
}

// The id of a heading whose id the files leave out.
const derivedId = (heading) => heading.toLowerCase().replace(/ /g, '-').replace(/[^\p{Alphabetic}\p{N}\p{M}_-]/gu, '');

function eachPlace(bytes, found) {
  const place = { at: 0 };
  for (let next = 0; place.at < bytes.length; next++) {
    next += number(bytes, place);
    for (let section = 0, byte = 0; !(byte & 128); ) {
      byte = bytes[place.at++];
      section += (byte & 15) === 15 ? number(bytes, place) : byte & 15;
      found(next, section, (byte >> 4) & 7);
    }
  }
}

/* rank */
const WORDS = 10, FORMS = 24, PLACES = 32 << 10, CANDIDATES = 64, SHORTEST = 4, SHORTENED = 3;
const WEIGHTS = [6, 8, 11, 14, 17, 20, 32, 40], TITLE = [60, 90];

const queryWords = (query) => [...new Set(words(query).map((word) => word[2]))].slice(0, WORDS);

function rarity(all, texts) {
  const ratio = 64 + Math.floor((64 * all) / Math.max(1, texts));
  const bits = 31 - Math.clz32(ratio);
  return (bits - 6) * 16 + (Math.floor(ratio / 2 ** (bits - 4)) & 15);
}

const weight = (section, level) => (section === 0 && level >= 6 ? TITLE[level - 6] : WEIGHTS[level]);
const covered = (score, own, total) => Math.floor((score * own * own) / Math.max(1, total * total));
const byScore = (one, other) => other.score - one.score || one.text - other.text;

async function lookUp(index, word, load) {
  const found = [];
  for (const bytes of await Promise.all(files(index, word).map(load))) found.push(...entries(bytes, word));
  const order = found.map((entry, at) => ({ ...entry, at }));
  order.sort((one, other) => (one.more > 0) - (other.more > 0) || other.places.length - one.places.length || one.at - other.at);
  const forms = [];
  let texts = 0, length = 0;
  for (const entry of order.slice(0, FORMS)) {
    const fit = entry.more === 0 ? 4 : entry.more <= 3 ? 3 : 2;
    if (fit < 4 && (length > PLACES || /^[\x00-\x7f]$/.test(word))) break;
    length += entry.places.length;
    texts += entry.texts;
    forms.push([entry.places, fit]);
  }
  return { forms, rarity: rarity(index.texts, texts) };
}

async function find(index, word, load) {
  const letters = [...word];
  let asked = await lookUp(index, word, load);
  for (let end = letters.length - 1; !asked.forms.length && end >= Math.max(SHORTEST, letters.length - SHORTENED); end--) {
    asked = await lookUp(index, letters.slice(0, end).join(''), load);
  }
  return asked;
}

function bestTexts(asked, total) {
  const scores = new Map();
  for (const { forms, rarity } of asked) {
    const best = new Map();
    for (const [places, fit] of forms) {
      eachPlace(places, (text, section, level) => best.set(text, Math.max(best.get(text) || 0, weight(section, level) * fit)));
    }
    for (const [text, value] of best) {
      const [score, own] = scores.get(text) || [0, 0];
      scores.set(text, [score + rarity * value, own + rarity]);
    }
  }
  const hits = [...scores].map(([text, [score, own]]) => ({ text, section: 0, score: covered(score, own, total) }));
  return hits.filter((hit) => hit.score > 0).sort(byScore).slice(0, CANDIDATES);
}

function bestSections(asked, total, hits) {
  const found = new Map(hits.map((hit) => [hit.text, new Map()]));
  for (const { forms, rarity } of asked) {
    const best = new Map();
    for (const [places, fit] of forms) {
      eachPlace(places, (text, section, level) => {
        const key = text * 256 + Math.min(section, 255);
        if (found.has(text)) best.set(key, Math.max(best.get(key) || 0, weight(section, level) * fit));
      });
    }
    for (const [key, value] of best) {
      const sections = found.get(Math.floor(key / 256)), [score, own] = sections.get(key % 256) || [0, 0];
      sections.set(key % 256, [score + rarity * value, own + rarity]);
    }
  }
  for (const hit of hits) {
    let best = 0;
    for (const [section, [sum, own]] of [...found.get(hit.text)].sort((one, other) => one[0] - other[0])) {
      const score = covered(sum, own, total);
      if (score > best) [best, hit.section] = [score, section];
    }
    hit.score = hit.score * 2 + best;
  }
}

// The most relevant texts: {text, section, score}. `load` reads a file by its address.
async function rank(index, query, load) {
  const all = await Promise.all(queryWords(query).map((word) => find(index, word, load)));
  const asked = all.filter((word) => word.forms.length);
  const total = asked.reduce((sum, word) => sum + word.rarity, 0);
  const hits = bestTexts(asked, total);
  bestSections(asked, total, hits);
  return hits.sort(byScore).slice(0, RESULTS);
}

/* snippet */
const LOOKED_AT = 6144, LENGTH = 180, BEFORE = 60;
const letters = (text) => text.replace(/[^\p{Alphabetic}\p{N}]/gu, '').toLowerCase();

function section(markdown, heading) {
  const wanted = letters(heading);
  for (const line of wanted ? markdown.matchAll(/^#.*\n?/gm) : []) {
    const own = letters(line[0]);
    if (own === wanted || (heading.endsWith('…') && own.startsWith(wanted))) return markdown.slice(line.index + line[0].length);
  }
  return markdown;
}

// A line without what begins its block: signs of quotes, lists, tasks, rows and notes.
const withoutMarkers = (line) => line.replace(/^(?:\s|[>|]|[-+*] |\[[ x]\] |\[![A-Z]+\]$|\d+[.)] |\[\^\d+\]: )+/, '');

const SIGNS = { amp: '&', lt: '<', gt: '>' };
const MARKS = /\\(.?)|(`+)(?!`)(.*?[^`])\2(?!`)|`+|!(?=\[)|\[\^\d+\]|[*[]|\](?:\((?:[^()]|\([^()]*\))*\)?)?|~~|\$\$|<([^\s<>]+)>|&(amp|lt|gt|#\d{1,6});|[|\p{Cc}]/gu;

function plain(line) {
  return line.replace(MARKS, (mark, letter, ticks, code, link, sign) => {
    if (letter || code) return letter || code.trim();
    if (link) return /[:@]/.test(link) ? link : mark;
    if (sign) return SIGNS[sign] || String.fromCodePoint(sign.slice(1));
    return /^[|\p{Cc}]$/u.test(mark) ? ' ' : '';
  }).trimEnd();
}

const isAsked = (word, asked) => word === asked || (word.startsWith(asked) && (asked.length > 2 || !/^[\x00-\x7f]*$/.test(asked)));

function marksOf(line, asked) {
  const marks = [];
  for (const [start, end, word] of words(line)) {
    const last = marks[marks.length - 1];
    if (!asked.some((one) => isAsked(word, one))) continue;
    if (last && last[1] > start) last[1] = end;
    else marks.push([start, end]);
  }
  return marks;
}

// A few words of a page around the words asked for: pieces of text, every second one marked.
function snippet(page, heading, asked) {
  const content = page.replace(/^---\n[^]*?\n---\n/, '').split('\n## Sitemap\n')[0];
  let best = { worth: 0, text: '', marks: [] };
  let fence = '';
  for (const whole of section(content, heading).slice(0, LOOKED_AT).split('\n')) {
    const line = fence ? whole.trim() : withoutMarkers(whole.trim());
    if (fence) {
      const end = line.replace(/^[> ]+/, '');
      if (end.startsWith(fence) && !end.replaceAll(fence[0], '')) { fence = ''; continue; }
    } else {
      fence = (/^(?:`{3,}(?=[^`]*$)|~{3,})/.exec(line) || [''])[0];
      if (fence || line[0] === '#') continue;
    }
    const text = fence ? line : plain(line), marks = marksOf(text, asked);
    if (!/[\p{Alphabetic}\p{N}]/u.test(text)) continue;
    const worth = 1 + new Set(marks.map(([start, end]) => text.slice(start, end))).size;
    if (worth > best.worth && text) best = { worth, text, marks };
  }
  const { text, marks } = best, first = marks.length ? marks[0][0] : 0;
  let start = first > BEFORE ? text.indexOf(' ', first - BEFORE) + 1 : 0;
  if (start > first) start = first;
  let end = start + LENGTH < text.length ? text.lastIndexOf(' ', start + LENGTH - 1) : text.length;
  if (end <= start) end = start + LENGTH;
  const pieces = [];
  let at = start;
  for (const [from, to] of marks) {
    if (from < start || to > end) continue;
    pieces.push(text.slice(at, from), text.slice(from, to));
    at = to;
  }
  // The end of a sentence needs no sign that the text goes on.
  pieces.push(text.slice(at, end) + (end < text.length && !/[.!?…。؟]$/.test(text.slice(0, end)) ? '…' : ''));
  if (start > 0) pieces[0] = '…' + pieces[0];
  return pieces;
}

/* the page */
const encodePath = (path) => encodeURI(path).replace(/[#?']/g, (letter) => '%' + letter.charCodeAt(0).toString(16).toUpperCase());

async function get(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(address);
  return answer;
}

async function answer(place, query) {
  const index = await (await get(place.dataset.index)).json();
  const base = place.dataset.index.slice(0, -'/search/index.json'.length);
  const hits = await rank(index, query, async (file) => new Uint8Array(await (await get(file)).arrayBuffer()));
  const asked = queryWords(query), list = document.createElement('ol');
  list.className = 'entries';
  for (const hit of hits) {
    const file = await (await get(index.text_files[Math.floor(hit.text / index.texts_per_file)])).json();
    const [stem, title, ...sections] = file[hit.text % index.texts_per_file];
    const [own, heading] = hit.section ? sections.slice(2 * hit.section - 2, 2 * hit.section) : ['', ''];
    const id = own || derivedId(heading);
    const item = document.createElement('li'), link = document.createElement('a'), words = document.createElement('p');
    link.href = base + (stem === '/index' ? '/' : encodePath(stem) + '.html') + (id ? '#' + encodePath(id) : '');
    link.textContent = heading ? `${title} › ${heading}` : title;
    item.append(link, words);
    list.append(item);
    get(base + encodePath(stem) + '.md').then((page) => page.text()).then((page) => {
      const language = /^---\n(?:(?!---\n).*\n)*?language: "?([\w-]+)/.exec(page);
      if (language && language[1] !== document.documentElement.lang) Object.assign(item, { lang: language[1], dir: 'auto' });
      snippet(page, heading || '', asked).forEach((piece, at) => {
        const mark = document.createElement(at % 2 ? 'mark' : 'span');
        mark.textContent = piece;
        words.append(mark);
      });
    }, () => {});
  }
  const { count, nothing } = place.dataset;
  say(hits.length ? (count || '').replace('{count}', hits.length) : nothing, place);
  return list;
}

// What the page says about the results: aloud, if the template has the place for it.
function say(text, place) {
  let status = document.getElementById('page:count');
  if (!status) place.before(status = document.createElement('p'));
  status.textContent = text;
}

function start() {
  const place = document.getElementById('page:results');
  const query = (new URLSearchParams(location.search).get('q') || '').trim();
  // A server's answer is there already.
  if (!place || place.firstElementChild || !query) return;
  const field = document.querySelector('form.search input[name=q]');
  if (field) field.value = query;
  document.title = `${query} – ${document.title}`;
  if (new TextEncoder().encode(query).length > 200) return;
  answer(place, query).then((found) => place.replaceChildren(found), (error) => { place.textContent = String(error); });
}

if (typeof document === 'object') start();
