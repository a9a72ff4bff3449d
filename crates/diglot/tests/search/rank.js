// Ranks queries with the script of the search page over an exported folder: node rank.js SCRIPT FOLDER QUERY…
const fs = require('node:fs'), path = require('node:path');
const [script, folder, ...queries] = process.argv.slice(2);
const { rank } = new Function(fs.readFileSync(script, 'utf8') + '\nreturn { rank };')();
const index = JSON.parse(fs.readFileSync(path.join(folder, 'search/index.json'), 'utf8'));
const load = async (address) => new Uint8Array(fs.readFileSync(path.join(folder, address)));
(async () => {
  for (const query of queries) {
    const hits = await rank(index, query, load);
    console.log(query + '\t' + hits.map((hit) => `${hit.text}#${hit.section}=${hit.score}`).join(' '));
  }
})();
