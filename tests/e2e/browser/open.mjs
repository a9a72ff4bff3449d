// Opens everything that hostile authors published, in Chromium, and says what ran or was asked for.
//
// open.mjs < { "mark", "theme", "embeds", "sites": [{ name, origin, pages, files, scripts }], "control": [html], "trusted": { origin, files } }
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';

const require = createRequire(`${process.env.JUDGE_NPM}/node_modules/`);
const { chromium } = require('playwright-core');
const { mark, theme, embeds, sites, control, trusted } = JSON.parse(readFileSync(0, 'utf8'));

const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: flags });

// Pages opened at once, each site in a context of its own.
const AT_ONCE = 4;
// Milliseconds in which what a page does by itself begins.
const SETTLE = 25;
// So tall that what loads lazily loads.
const VIEWPORT = { width: 1000, height: 12000 };
// What a page may show of another site.
const SHOWN = ['image', 'media', 'document'];
// Schemes of what is followed, sent or shown; those of links are looked at by name.
const NEVER = /^(?:javascript|vbscript|livescript|file|ms-[a-z-]+|search-ms|intent|blob|filesystem|view-source|jar|mhtml|about|chrome|ssh|smb):/i;
const found = [];
let opened = 0;
let requests = 0;

const bodies = {
  script: ['text/javascript', `console.log(${mark})`],
  document: ['text/html', '<!doctype html><title>another site</title>'],
  stylesheet: ['text/css', 'p { color: red }'],
};
// No request leaves this machine: what is asked of another host is answered here, a script with one that shows that it ran.
async function answer(route) {
  const request = route.request();
  const { protocol, hostname } = new URL(request.url());
  if (!protocol.startsWith('http') || hostname === '127.0.0.1') return route.continue();
  const [contentType, body] = bodies[request.resourceType()] ?? ['application/octet-stream', ''];
  return route.fulfill({ contentType, body, headers: { 'access-control-allow-origin': '*' } });
}

// Chromium shows a PDF by documents and scripts of its own.
const isBrowsers = (protocol) => ['chrome:', 'chrome-extension:', 'chrome-untrusted:'].includes(protocol);
// Whether an address is that of an author's file.
const isFile = (url) => /^http:[^?#]*\/articles\/assets\//.test(url);

// A page of the context that tells everything that happens in it.
async function watch(context, origin, tell) {
  const page = await context.newPage();
  const state = { asked: '', kind: 'page', tell: (what) => tell(`${state.asked}: ${what}`) };
  page.on('console', (message) => {
    const text = message.text();
    if (text.includes(mark)) state.tell('a script ran');
    // Of a page the markup itself is harmless: that a policy had to refuse it is a fault as well.
    // In a frame that shows a file of the author's it is the file's markup.
    else if (state.kind === 'page' && !isFile(message.location().url) && /Content Security Policy/i.test(text) && /script|worker|inline/i.test(text)) state.tell(`only the policy stopped it: ${text}`);
  });
  page.on('crash', () => state.tell('the page crashed'));
  page.on('dialog', (dialog) => { state.tell('a dialog opened'); dialog.dismiss().catch(() => {}); });
  page.on('popup', (popup) => { state.tell(`a window opened: ${popup.url()}`); popup.close().catch(() => {}); });
  page.on('worker', (worker) => state.tell(`a worker started: ${worker.url()}`));
  page.on('websocket', (socket) => state.tell(`a socket opened: ${socket.url()}`));
  page.on('request', (request) => {
    requests += 1;
    const url = new URL(request.url());
    if (isBrowsers(url.protocol)) return;
    const type = request.resourceType();
    const moved = request.isNavigationRequest() && request.frame() === page.mainFrame() && request.url() !== state.asked;
    if (moved) state.tell(`it leads on to ${request.url()}`);
    else if (url.protocol === 'data:' ? !['image', 'font', 'media'].includes(type) : url.origin !== origin && !(SHOWN.includes(type) && embeds.includes(url.hostname))) {
      state.tell(`it asks ${request.url().slice(0, 200)} (${type})`);
    }
  });
  return [page, state];
}

// What must not be in the document of a page, whatever runs now.
const markup = `(() => [...document.querySelectorAll('*')].flatMap((element) => [...element.attributes].flatMap(({ name, value }) => {
  const text = value.replace(/[\\u0000-\\u0020]/g, '');
  const bad = /^on/i.test(name) || ['style', 'srcdoc', 'formaction', 'ping', 'autofocus', 'is', 'http-equiv', 'manifest', 'background'].includes(name)
    || (['href', 'src', 'action', 'data', 'poster', 'cite', 'srcset'].includes(name.replace(/^.*:/, '')) && ${NEVER}.test(text));
  const frame = element.localName === 'iframe' && name === 'src' && !element.hasAttribute('sandbox');
  return bad || frame ? [element.localName + ' ' + name + '=' + value.slice(0, 80)] : [];
}).concat(['object', 'embed', 'applet', 'base', 'form', 'portal', 'template', 'style', 'frame'].includes(element.localName) ? [element.localName] : [])))()`;

// Opens one address; a file that is downloaded or aborted has shown nothing.
async function open(page, state, url, kind) {
  Object.assign(state, { asked: url, kind });
  const answered = await page.goto(url, { waitUntil: 'load', timeout: 30000 }).catch((error) => (/ERR_ABORTED|Download is starting/.test(error.message) ? null : Promise.reject(error)));
  await page.waitForTimeout(SETTLE);
  opened += 1;
  return answered;
}

async function look(site) {
  const context = await browser.newContext({ viewport: VIEWPORT });
  const tell = (what) => found.push(`${site.name}: ${what}`);
  context.on('serviceworker', (worker) => tell(`a service worker was registered: ${worker.url()}`));
  await context.route('**/*', answer);
  const waiting = [...site.pages.map((path) => [path, 'page']), ...site.files.map((path) => [path, 'file'])];
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    const [page, state] = await watch(context, site.origin, tell);
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [path, kind] = next;
      await open(page, state, site.origin + path, kind);
      if (kind === 'page') (await page.evaluate(markup)).forEach((bad) => state.tell(`its document has ${bad}`));
    }
    await open(page, state, `${site.origin}/`, 'page');
    const workers = await page.evaluate('navigator.serviceWorker.getRegistrations().then((all) => all.length)');
    if (workers > 0) state.tell(`${workers} service workers are registered`);
  }));
  await injected(context, site, tell);
  await context.close();
}

// The policy alone: markup that got into a page all the same runs nothing, but the theme's own scripts run.
async function injected(context, site, tell) {
  const [page, state] = await watch(context, site.origin, () => {});
  let [ran, own] = [0, 0];
  page.on('console', (message) => {
    ran += Number(message.text().includes(mark));
    own += Number(message.text().includes(theme));
  });
  await context.route(`${site.origin}/api.html`, async (route) => {
    const response = await route.fetch();
    const scripts = site.files.filter((path) => path.endsWith('.js')).flatMap((path) => [path, `/_/..%2f${path.slice(1)}`, `/_/%2e%2e${path}`]);
    const tags = scripts.map((path) => `<script src="${path}"></script>`).join('');
    const worker = `navigator.serviceWorker.register('/x.js'); new Worker('/x.js');`;
    await route.fulfill({ response, body: `${await response.text()}${tags}<script>console.log(${mark})</script><img src=/ onerror=console.log(${mark})><base href="https://evil.example/"><script>${worker}</script>` });
  });
  await open(page, state, `${site.origin}/api.html`, 'file');
  if (ran > 0) tell('its policy lets markup in a page run');
  if (own !== site.scripts) tell(`${own} of the theme's ${site.scripts} scripts ran`);
}

// The same vectors as a careless server would send them: how many are seen to run.
async function prove() {
  const context = await browser.newContext({ viewport: VIEWPORT });
  await context.route('http://control.test/**', (route) => {
    const at = Number(new URL(route.request().url()).pathname.slice(1));
    return route.fulfill({ contentType: 'text/html', body: `<!doctype html><title>x</title><body>${control[at] ?? ''}` });
  });
  const page = await context.newPage();
  let fired = false;
  page.on('console', (message) => { fired ||= message.text().includes(mark); });
  page.on('dialog', (dialog) => dialog.dismiss().catch(() => {}));
  let count = 0;
  for (const at of control.keys()) {
    fired = false;
    await page.goto(`http://control.test/${at}`, { waitUntil: 'load', timeout: 10000 }).catch(() => {});
    await page.waitForTimeout(SETTLE);
    count += Number(fired);
  }
  await context.close();
  return count;
}

// The files of a site opened without its policy, or with that of a setting which lets them run: how many are seen to run, and whether a service worker is.
async function unguarded({ origin, files }, stripped) {
  const context = await browser.newContext({ viewport: VIEWPORT });
  if (stripped) {
    await context.route(`${origin}/**`, async (route) => {
      const response = await route.fetch();
      const headers = Object.entries(response.headers()).filter(([name]) => name !== 'content-security-policy');
      await route.fulfill({ response, headers: Object.fromEntries(headers) });
    });
  }
  const told = [];
  let timer;
  const registered = new Promise((resolve) => { context.on('serviceworker', () => resolve(true)); timer = setTimeout(() => resolve(false), 20000); });
  const [page, state] = await watch(context, origin, (what) => told.push(what));
  for (const path of files) await open(page, state, origin + path, 'file');
  const worker = stripped && await registered;
  clearTimeout(timer);
  await context.close();
  return { ran: new Set(told.filter((what) => what.endsWith('a script ran'))).size, worker };
}

const fired = await prove();
const [stripped, set] = [await unguarded(sites[0], true), await unguarded(trusted, false)];
for (const site of sites) {
  const start = Date.now();
  await look(site);
  console.error(`${site.name}: ${site.pages.length} pages, ${site.files.length} files in ${((Date.now() - start) / 1000).toFixed(1)} s`);
}
const version = browser.version();
await browser.close();
console.log(JSON.stringify({ version, opened, requests, control: fired, stripped, trusted: set, found: [...new Set(found)] }));
