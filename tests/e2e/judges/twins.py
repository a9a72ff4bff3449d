"""The Markdown: markdownlint over every twin and document, a formatter's round trip, and what two extractors take from the HTML."""
import json
import re
import tempfile
from importlib.metadata import entry_points
from pathlib import Path

import mdformat
import trafilatura
from mdformat._util import is_md_equal

from common import BASE, NPM, get, npm_version, pages, pip_version, run, saved, twin, verdict

# What a rule of markdownlint is set to, and why; `False` is off.
RULES = {
    "MD013": (False, "a paragraph is one line"),
    "MD025": ({"front_matter_title": ""}, "the front matter's title is the title"),
    "MD033": (False, "what has no Markdown stays HTML"),
    "MD024": ({"siblings_only": True}, "the author's headings"),
    "MD010": ({"code_blocks": False}, "tabs in code are the code's"),
}

FOLDER = Path(tempfile.mkdtemp(dir=NPM.parent))
html = pages()
names = saved([*map(twin, html), BASE + "/sitemap.md"], FOLDER, ".md")
rules = {rule: setting for rule, (setting, _) in RULES.items()}
(FOLDER / ".markdownlint-cli2.jsonc").write_text(json.dumps({"config": {"default": True, **rules}}))
done = run(NPM / ".bin/markdownlint-cli2", "*.md", cwd=FOLDER)
found = []
for line in done.stderr.splitlines():
    if match := re.match(r"(\d+\.md):(\d+)(?::\d+)? (?:error |warning )?(.*)", line):
        found.append(f"{match[3].split()[0]} {names[match[1]]}:{match[2]}: {match[3]}")
if done.returncode > 1 or (done.returncode == 1 and not found):
    found.append(done.stderr.strip()[-300:])
settings = [f"{rule} {'off' if setting is False else json.dumps(setting)}: {why}" for rule, (setting, why) in RULES.items()]
verdict("markdownlint", npm_version("markdownlint-cli2"), len(names), found, settings)

# Formatted by another program, a twin still says the same.
options = {"extensions": {plugin.name for plugin in entry_points(group="mdformat.parser_extension")}, "options": {"number": True, "wrap": "keep"}}
found = []
for name, url in names.items():
    text = (FOLDER / name).read_text()
    if not is_md_equal(text, mdformat.text(text, **options), **options):
        found.append(f"{url}: formatting changes what it says")
verdict("mdformat", pip_version("mdformat"), len(names), found)


def words(text):
    return re.findall(r"\w+", text.lower())


def plain(markdown):
    body = re.sub(r"\A---\n.*?\n---\n", "", markdown, flags=re.DOTALL)
    body = body.partition("\n## Sitemap\n")[0]
    body = re.sub(r"!\[[^\]]*\]\([^)]*\)", " ", body)  # what a picture shows is no text of the page
    body = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", body)
    body = re.sub(r"^\s*\d+[.)]\s", "", body, flags=re.MULTILINE)  # numbers of lists
    body = re.sub(r"^(> )*```.*$", "", body, flags=re.MULTILINE)  # a fence's language is no text
    body = re.sub(r"\[\^\w+\]:?", " ", body)  # marks of footnotes
    return re.sub(r"<[^>]+>|https?://\S+", " ", body)


articles = [url for url in html if "/articles/" in url and not url.endswith("/articles/index.html")][:60]
wanted = {url: set(words(plain(get(twin(url)).text))) for url in articles}


def judge(name, version, extracted):
    """An extractor takes at least 99 % of all words, and of no article much less."""
    found, all_missing, all_wanted = [], 0, 0
    for url in articles:
        taken = set(words(extracted.get(url) or ""))
        missing = [word for word in wanted[url] if word not in taken]
        all_missing, all_wanted = all_missing + len(missing), all_wanted + len(wanted[url])
        if len(missing) > 0.03 * len(wanted[url]) + 3:
            found.append(f"{url}: {len(missing)} of {len(wanted[url])} words are not taken from the HTML: {' '.join(sorted(missing)[:8])}")
    if all_missing > 0.01 * all_wanted:
        found.append(f"{all_missing} of {all_wanted} words of all twins are not taken from the HTML: over 1 %")
    verdict(name, version, len(articles), found)


settings = {"include_tables": True, "include_comments": False, "include_links": False, "favor_recall": True}
judge("trafilatura", pip_version("trafilatura"), {url: trafilatura.extract(get(url).text, **settings) for url in articles})

SCRIPT = """
import { Readability } from '@mozilla/readability';
import { JSDOM } from 'jsdom';
const found = {};
for (const url of JSON.parse(process.env.JUDGE_URLS)) {
  const dom = new JSDOM(await (await fetch(url)).text(), { url });
  const article = new Readability(dom.window.document).parse();
  // Its text runs blocks together; the title stands apart.
  const page = new JSDOM(article?.content ?? '').window.document;
  for (const block of page.querySelectorAll('p, li, td, th, h1, h2, h3, h4, h5, h6, pre, br, dt, dd, figcaption, div')) block.append(' ');
  found[url] = `${article?.title ?? ''} ${page.body.textContent}`;
}
console.log(JSON.stringify(found));
"""
done = run("node", "--input-type=module", "-e", SCRIPT, cwd=NPM.parent, env={"JUDGE_URLS": json.dumps(articles)})
judge("Readability", npm_version("@mozilla/readability"), json.loads(done.stdout) if done.returncode == 0 else {})
if done.returncode:
    raise SystemExit(done.stderr)
