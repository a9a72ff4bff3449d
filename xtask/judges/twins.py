"""The Markdown: markdownlint over every twin and document, a formatter's round trip, and what an extractor takes from the HTML."""
import json
import re
import tempfile
from pathlib import Path

import trafilatura

from common import BASE, NPM, get, npm_version, pages, pip_version, run, saved, verdict


def twin(url):
    return url + "index.md" if url.endswith("/") else url.removesuffix(".html") + ".md"


FOLDER = Path(tempfile.mkdtemp(dir=NPM.parent))
html = pages()
names = saved([*map(twin, html), BASE + "/sitemap.md"], FOLDER, ".md")
settings = FOLDER / ".markdownlint-cli2.jsonc"
settings.write_text(json.dumps({"config": {
    "default": True,
    "MD013": False,  # a paragraph is one line
    "MD025": {"front_matter_title": ""},  # the front matter's title is the same title
    "MD033": False,  # what has no Markdown stays HTML
    "MD024": {"siblings_only": True},
}}))
done = run(NPM / ".bin/markdownlint-cli2", "*.md", cwd=FOLDER)
found = []
for line in done.stderr.splitlines():
    if match := re.match(r"(\d+\.md):(\d+)(?::\d+)? (?:error |warning )?(.*)", line):
        found.append(f"{match[3].split()[0]} {names[match[1]]}:{match[2]}: {match[3]}")
verdict("markdownlint", npm_version("markdownlint-cli2"), len(names), found)


def words(text):
    return re.findall(r"\w+", text.lower())


def plain(markdown):
    body = re.sub(r"\A---\n.*?\n---\n", "", markdown, flags=re.DOTALL)
    body = body.partition("\n## Sitemap\n")[0]
    body = re.sub(r"!\[[^\]]*\]\([^)]*\)", " ", body)  # what a picture shows is no text of the page
    body = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", body)
    body = re.sub(r"^\s*\d+[.)]\s", "", body, flags=re.MULTILINE)  # numbers of lists
    body = re.sub(r"\[\^\w+\]:?", " ", body)  # marks of footnotes
    return re.sub(r"<[^>]+>|https?://\S+", " ", body)


articles = [url for url in html if "/articles/" in url and not url.endswith("/articles/index.html")][:60]
found, all_missing, all_wanted = [], 0, 0
for url in articles:
    extracted = trafilatura.extract(get(url).text, include_tables=True, include_comments=False, include_links=False, favor_recall=True) or ""
    taken, wanted = set(words(extracted)), words(plain(get(twin(url)).text))
    missing = [word for word in wanted if word not in taken]
    all_missing, all_wanted = all_missing + len(missing), all_wanted + len(wanted)
    if len(missing) > 0.03 * len(wanted) + 3:
        found.append(f"{url}: {len(missing)} of {len(wanted)} words are not taken from the HTML: {' '.join(missing[:8])}")
if all_missing > 0.01 * all_wanted:
    found.append(f"{all_missing} of {all_wanted} words of all twins are not taken from the HTML: over 1 %")
verdict("trafilatura", pip_version("trafilatura"), len(articles), found)
