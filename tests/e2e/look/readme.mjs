// The picture in the README: one page of the example site in both of its forms, side by side, light and dark.
//
// readme.mjs FOLDER BASE PATH
import { createRequire } from 'node:module';
import { writeFileSync } from 'node:fs';

const require = createRequire(`${process.env.JUDGE_NPM}/node_modules/`);
const { chromium } = require('playwright-core');
const [folder, base, path] = process.argv.slice(2);

const HEIGHT = 660;
const SIDES = [{ path: `${path}.html`, width: 700 }, { path: `${path}.md`, width: 560 }];
const SHADES = { light: ['#e9e5db', '#fcfbf8', '#625d54', '#23211d'], dark: ['#2b2926', '#171615', '#a39d91', '#dedad1'] };

const flags = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-lcd-text', '--hide-scrollbars'];
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: flags });
for (const [scheme, [ground, paper, quiet, ink]] of Object.entries(SHADES)) {
  const cards = [];
  for (const { path, width } of SIDES) {
    const context = await browser.newContext({ colorScheme: scheme, deviceScaleFactor: 2, viewport: { width, height: HEIGHT }, bypassCSP: true });
    const page = await context.newPage();
    await page.goto(base + path);
    await page.waitForLoadState('networkidle');
    // What a browser does with text by itself, in the colours of the other side.
    if (path.endsWith('.md')) await page.addStyleTag({ content: `html{background:${paper};color:${ink}}body{margin:22px 26px}pre{font:14px/1.55 "DejaVu Sans Mono",monospace;white-space:pre-wrap}` });
    const picture = (await page.screenshot()).toString('base64');
    cards.push(`<figure><figcaption>${path}</figcaption><img src="data:image/png;base64,${picture}" width="${width}" height="${HEIGHT}"></figure>`);
    await context.close();
  }
  const width = SIDES.reduce((sum, side) => sum + side.width, 0) + 72;
  const context = await browser.newContext({ viewport: { width, height: HEIGHT + 84 }, deviceScaleFactor: 1.25 });
  const page = await context.newPage();
  await page.setContent(`<!doctype html><style>body{margin:0;padding:24px;display:flex;gap:24px;background:${ground}}figure{margin:0;border-radius:10px;overflow:hidden;background:${paper}}figcaption{font:14px/36px "DejaVu Sans",sans-serif;color:${quiet};padding-inline:18px;border-block-end:1px solid ${ground}}img{display:block}</style>${cards.join('')}`);
  await page.waitForFunction(() => [...document.images].every((image) => image.complete));
  const session = await context.newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 82 });
  writeFileSync(`${folder}/readme-${scheme}.webp`, Buffer.from(data, 'base64'));
  await context.close();
}
await browser.close();
