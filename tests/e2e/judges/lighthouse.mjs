// Lighthouse over one page of each kind, as a phone sees it: 100 in every category but performance, and that one at least 95.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const require = createRequire(`${process.env.JUDGE_NPM}/node_modules/`);
const load = (name) => import(pathToFileURL(require.resolve(name)));
const { default: lighthouse } = await load('lighthouse');
// Lighthouse's own starter of browsers.
const { launch } = await import(pathToFileURL(createRequire(require.resolve('lighthouse')).resolve('chrome-launcher')));
const { version } = JSON.parse(readFileSync(require.resolve('lighthouse/package.json'), 'utf8'));

const LEAST = { performance: 95 };
// A busy machine makes any page slow, and no page fast: the best of these counts.
const TRIES = 3;

const profile = mkdtempSync(join(tmpdir(), 'lighthouse-'));
const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage'];
const chrome = await launch({ chromePath: '/usr/bin/chromium', chromeFlags: flags, userDataDir: profile, logLevel: 'silent' });
const found = [];
let checks = 0;

const failures = ({ lhr }, url) => Object.entries(lhr.categories).flatMap(([name, category]) => {
  const score = Math.round((category.score ?? 0) * 100);
  checks += category.auditRefs.length;
  if (score >= (LEAST[name] ?? 100)) return [];
  const lost = category.auditRefs.filter(({ id, weight }) => weight > 0 && lhr.audits[id].score !== null && lhr.audits[id].score < 1);
  return [`${name} ${score} ${url}: ${lost.map(({ id }) => `${id} (${lhr.audits[id].displayValue ?? lhr.audits[id].title})`).join(', ')}`];
});

try {
  for (const url of process.argv.slice(2)) {
    let wrong = [];
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      const report = await lighthouse(url, { port: chrome.port, logLevel: 'silent', output: 'json' });
      if (report.lhr.runtimeError) throw new Error(`${url}: ${report.lhr.runtimeError.message}`);
      wrong = failures(report, url);
      if (!wrong.some((line) => line.startsWith('performance '))) break;
    }
    found.push(...wrong);
  }
} finally {
  await chrome.kill();
  rmSync(profile, { recursive: true, force: true });
}
console.log(JSON.stringify({ judge: 'Lighthouse', version, checks, failures: found }));
