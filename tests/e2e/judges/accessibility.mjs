// axe-core in Chromium: pages of every kind, light and dark, narrow and wide.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';

const require = createRequire(`${process.env.JUDGE_NPM}/node_modules/`);
const { chromium } = require('playwright-core');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const version = require('axe-core/package.json').version;

const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: flags });
const urls = process.argv.slice(2);
const found = [];
let checks = 0;
for (const colorScheme of ['light', 'dark']) {
  for (const width of [360, 1280]) {
    const context = await browser.newContext({ colorScheme, bypassCSP: true, viewport: { width, height: 900 } });
    const page = await context.newPage();
    for (const url of urls) {
      await page.goto(url);
      // Shades at the edges of what scrolls are gradients, behind which axe judges no contrast: the colour below them is judged.
      await page.addStyleTag({ content: 'pre, .table { background-image: none !important }' });
      await page.evaluate(axe);
      // `target-size` (WCAG 2.2, 2.5.8) is the one rule of level AA that axe leaves off by default.
      const report = await page.evaluate(() => globalThis.axe.run(document, { rules: { 'target-size': { enabled: true } } }));
      checks += report.passes.length + report.violations.length;
      for (const violation of report.violations) {
        found.push(`${violation.id} ${url} (${colorScheme}, ${width} px): ${violation.help}: ${violation.nodes[0].target.join(' ')}`);
      }
    }
    await context.close();
  }
}
await browser.close();
console.log(JSON.stringify({ judge: 'axe-core', version, checks, failures: found }));
