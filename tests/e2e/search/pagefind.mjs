// Diglot's search and Pagefind over the same sites: of the questions with known answers, how many each answers first, and among the first three.
//
// pagefind.mjs QUESTIONS FOLDER=SERVED=EXPORTED…
//
// SERVED is the authority that serves the site, EXPORTED the folder that it is exported to. Only texts that Diglot's own search has are given to Pagefind, as one language: it searches those of a page's language alone.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, extname, join } from 'node:path';

const modules = `${process.env.JUDGE_NPM}/node_modules`;
const require = createRequire(`${modules}/`);
const { chromium } = require('playwright-core');
const { version } = JSON.parse(readFileSync(`${modules}/pagefind/package.json`, 'utf8'));
const [questions, ...sites] = process.argv.slice(2);

const asked = new Map();
for (const line of readFileSync(questions, 'utf8').split('\n')) {
  const parts = line.split('\t');
  if (line.startsWith('#') || parts.length !== 3) continue;
  const [folder, question, answer] = parts;
  asked.set(folder, [...(asked.get(folder) ?? []), { question, answer }]);
}

// As `is_answer` of crates/diglot/tests/search: the end of the path, after a folder or the date in the name.
const isAnswer = (stem, answer) => {
  if (!stem.endsWith(answer)) return false;
  const rest = stem.slice(0, stem.length - answer.length);
  return rest.endsWith('/') || /\d-$/.test(rest);
};

// The paths of the texts that Diglot's index has, without suffix.
const stems = (tree) => {
  const index = JSON.parse(readFileSync(join(tree, 'search/index.json'), 'utf8'));
  return index.text_files.flatMap((file) => JSON.parse(readFileSync(join(tree, file), 'utf8')).map(([stem]) => stem));
};

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm', '.json': 'application/json' };
const serve = (root) => new Promise((resolve) => {
  const server = createServer((request, response) => {
    try {
      const path = decodeURIComponent(new URL(request.url, 'http://x').pathname);
      const body = path === '/' ? '<!doctype html><title>Search</title>' : readFileSync(join(root, path));
      response.writeHead(200, { 'content-type': TYPES[extname(path) || '.html'] ?? 'application/octet-stream' });
      response.end(body);
    } catch {
      response.writeHead(404);
      response.end();
    }
  });
  server.listen(0, '127.0.0.1', () => resolve(server));
});

const indexed = (tree) => {
  const root = mkdtempSync(join(tmpdir(), 'pagefind-'));
  for (const stem of stems(tree)) {
    const file = `${decodeURIComponent(stem)}.html`;
    mkdirSync(join(root, dirname(file)), { recursive: true });
    copyFileSync(join(tree, file), join(root, file));
  }
  const done = spawnSync(process.execPath, [`${modules}/pagefind/lib/runner/bin.cjs`, '--site', root, '--force-language', 'en'], { encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`Pagefind: ${done.stdout}${done.stderr}`);
  return root;
};

// The first three results of Diglot's own search.
const own = async (authority, question) => {
  const answer = await fetch(`http://${authority}/search.md?q=${encodeURIComponent(question)}`);
  const addresses = [...(await answer.text()).matchAll(/^\d+\. \[.*?\]\(https?:\/\/[^/]+(\/[^)]*?)\.md[)#]/gm)];
  return addresses.slice(0, 3).map(([, path]) => decodeURIComponent(path));
};

const count = (asked, found) => {
  const places = asked.map(({ answer }, at) => found[at].findIndex((stem) => isAnswer(stem, answer)));
  return { first: places.filter((place) => place === 0).length, three: places.filter((place) => place >= 0).length };
};

const flags = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: flags });
const rows = [];
for (const site of sites) {
  const [folder, authority, tree] = site.split('=');
  const root = indexed(tree);
  const server = await serve(root);
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  const found = await page.evaluate(async (questions) => {
    const pagefind = await import('/pagefind/pagefind.js');
    await pagefind.init();
    const answers = [];
    for (const question of questions) {
      const { results } = await pagefind.search(question);
      const first = await Promise.all(results.slice(0, 3).map((result) => result.data()));
      answers.push(first.map(({ url }) => decodeURIComponent(url).replace(/\.html$/, '')));
    }
    return answers;
  }, asked.get(folder).map(({ question }) => question));
  const diglot = [];
  for (const { question } of asked.get(folder)) diglot.push(await own(authority, question));
  rows.push({ folder, questions: found.length, diglot: count(asked.get(folder), diglot), pagefind: count(asked.get(folder), found) });
  await page.close();
  server.close();
  rmSync(root, { recursive: true, force: true });
}
await browser.close();
console.log(JSON.stringify({ version, rows }));
