// What Netlify's own parsers read in `_headers` and `_redirects`, with the matching of its command line, for addresses given on standard input.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [npm, folder] = process.argv.slice(2);
const load = async (name) => import(pathToFileURL(`${npm}/node_modules/${name}/lib/index.js`));
const { parseAllHeaders } = await load('@netlify/headers-parser');
const { parseAllRedirects } = await load('@netlify/redirect-parser');

const headers = await parseAllHeaders({ headersFiles: [`${folder}/_headers`], configHeaders: [], minimal: true });
const redirects = await parseAllRedirects({ redirectsFiles: [`${folder}/_redirects`], configRedirects: [], minimal: true });

const escape = (text) => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
const pattern = (rule) => new RegExp(`^${escape(rule).replace(/\*/g, '(.*)')}$`);
const rules = headers.headers.map((rule) => ({ matches: pattern(rule.for), values: Object.entries(rule.values) }));

// A field that several rules set has all their values.
const fields = (path) => {
  const found = {};
  for (const { matches, values } of rules) {
    if (matches.test(path)) {
      for (const [name, value] of values) {
        const key = name.toLowerCase();
        found[key] = key in found ? `${found[key]}, ${value}` : value;
      }
    }
  }
  return found;
};

const paths = JSON.parse(readFileSync(0, 'utf8'));
console.log(JSON.stringify({
  errors: [...headers.errors, ...redirects.errors].map((error) => error.message),
  fields: Object.fromEntries(paths.map((path) => [path, fields(path)])),
  redirects: redirects.redirects.map(({ from, to, status }) => ({ from, to, status })),
}));
