"""What the judges share: the site under judgement, and how a verdict is handed over.

A judge prints one line of JSON for each tool: its name, its version, how much it checked, and what it found.
"""
import json
import os
import re
import subprocess
import time
import urllib.parse
import urllib.request
import xml.etree.ElementTree as ElementTree
from pathlib import Path

BASE = os.environ["JUDGE_BASE"]
TREE = Path(os.environ["JUDGE_TREE"])
BIN = Path(os.environ["JUDGE_BIN"])
NPM = Path(os.environ["JUDGE_NPM"]) / "node_modules"
SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
since = time.monotonic()
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


def verdict(judge, version, checks, failures, settings=()):
    """`settings` says which of the judge's rules are set otherwise than by default, and why. Its time is that since the verdict before."""
    global since
    since, before = time.monotonic(), since
    print(json.dumps({"judge": judge, "version": version, "checks": checks, "failures": failures, "settings": list(settings), "seconds": since - before}), flush=True)


def run(*command, **options):
    """The finished process; a judge's exit status is no error of ours."""
    environment = {**os.environ, "REDOCLY_TELEMETRY": "off", "NO_COLOR": "1", "NO_UPDATE_NOTIFIER": "1", **options.pop("env", {})}
    if "input" not in options:
        options["stdin"] = subprocess.DEVNULL
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, env=environment, **options)


def npm_version(package):
    return json.loads((NPM / package / "package.json").read_text())["version"]


def pip_version(package):
    from importlib.metadata import version
    return version(package)


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def text(self):
        return self.body.decode("utf-8")


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


def get(url, headers=()):
    request = urllib.request.Request(url if url.startswith("http") else BASE + url, headers=dict(headers))
    try:
        with urllib.request.build_opener(NoRedirect).open(request, timeout=20) as answer:
            return Answer(answer.status, answer.headers, answer.read())
    except urllib.error.HTTPError as error:
        return Answer(error.code, error.headers, error.read())


def pages():
    """Every URL of the sitemap, an index followed."""
    found, waiting = [], [BASE + "/sitemap.xml"]
    while waiting:
        root = ElementTree.fromstring(get(waiting.pop()).body)
        locations = [node.text for node in root.iter(SITEMAP + "loc")]
        (waiting if root.tag.endswith("sitemapindex") else found).extend(locations)
    return found


def kinds(most=3):
    """A few pages of every kind: what a template draws one of, it draws all of. Lists and the site's own pages are one of a kind each."""
    groups = {}
    for url in pages():
        path = urllib.parse.urlsplit(url).path
        alone = path.endswith(("/", "/index.html")) or path in ("/terms.html", "/api.html")
        groups.setdefault((alone, path if alone else re.sub(r"[^/]+$", "", path)), []).append(url)
    chosen = []
    for urls in groups.values():
        step = max(1, len(urls) // most)
        chosen.extend(urls[::step][:most])
    return chosen


def twin(url):
    """The address of a page's Markdown form."""
    return url + "index.md" if url.endswith("/") else url.removesuffix(".html") + ".md"


def saved(urls, folder, suffix=".html", headers=()):
    """The bodies as files, for judges that read files; {file name: URL}."""
    folder.mkdir(parents=True, exist_ok=True)
    names = {}
    for number, url in enumerate(urls):
        name = f"{number:05}{suffix}"
        (folder / name).write_bytes(get(url, headers).body)
        names[name] = url
    return names
