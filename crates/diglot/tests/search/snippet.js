// Snippets of a Markdown text by the script of the search page: node snippet.js SCRIPT FILE QUERY…
const fs = require('node:fs');
const [script, file, ...queries] = process.argv.slice(2);
const { snippet, queryWords } = new Function(fs.readFileSync(script, 'utf8') + '\nreturn { snippet, queryWords };')();
const text = fs.readFileSync(file, 'utf8');
for (const query of queries) console.log(snippet(text, '', queryWords(query)).join(''));
