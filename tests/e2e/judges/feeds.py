"""Feed readers of all sorts, each polling twice through a recorder: they agree on the items, and the second poll is a 304."""
import http.server
import json
import sqlite3
import tempfile
import threading
from pathlib import Path

import feedparser
import reader

from common import BASE, NPM, get, npm_version, pip_version, run, verdict

WORK = Path(tempfile.mkdtemp())


class Recorder(http.server.BaseHTTPRequestHandler):
    """Passes requests on, and writes down who was answered what."""

    statuses = []

    def do_GET(self):
        asked = {name: value for name, value in self.headers.items() if name.lower() not in ("host", "connection")}
        answer = get(self.path, asked)
        self.statuses.append(answer.status)
        self.send_response_only(answer.status)
        for name, value in answer.headers.items():
            if name.lower() not in ("connection", "transfer-encoding"):
                self.send_header(name, value)
        self.end_headers()
        self.wfile.write(answer.body)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Recorder)
threading.Thread(target=server.serve_forever, daemon=True).start()
URL = f"http://127.0.0.1:{server.server_address[1]}/rss.xml"


def polled(poll, *expected):
    """Whether polls are answered as they should be: 304 from the second on."""
    expected = list(expected or (200, 304))
    Recorder.statuses.clear()
    for _ in expected:
        poll()
    return [] if Recorder.statuses == expected else [f"polls are answered {Recorder.statuses}"]


def same(name, own):
    """Whether a reader has found the items that the first one found."""
    return [] if own == links else [f"{name}: other items than feedparser: {sorted(set(own) ^ set(links))[:4] or 'in another order'}"]


feed = feedparser.parse(URL)
found = []
if feed.bozo:
    found.append(f"not well-formed: {feed.bozo_exception}")
for key in ("title", "link", "language", "updated"):
    if not feed.feed.get(key):
        found.append(f"the feed has no {key}")
ids = [entry.id for entry in feed.entries]
if len(set(ids)) != len(ids):
    found.append("two items have one id")
if not 0 < len(ids) <= 20:
    found.append(f"{len(ids)} items")
dates = [entry.get("published_parsed") for entry in feed.entries]
if None in dates and any(dates):
    found.append("an item has no date")
if None not in dates and dates != sorted(dates, reverse=True):
    found.append("not newest first")
for entry in feed.entries:
    found += [f"{entry.get('link')}: no {key}" for key in ("title", "link", "summary", "content") if not entry.get(key)]
    if get(entry.link).status != 200:
        found.append(f"{entry.link} is not 200")
known = {}


def poll():
    answer = feedparser.parse(URL, etag=known.get("etag"), modified=known.get("modified"))
    known.update({key: answer.get(key) for key in ("etag", "modified")})


found += polled(poll)
links = [entry.link for entry in feed.entries]
verdict("feedparser", pip_version("feedparser"), len(links), found)

shelf = reader.make_reader(str(WORK / "reader.sqlite"))
shelf.add_feed(URL)
# It asks again at once, which it would not do by itself.
found = polled(lambda: shelf.update_feed(URL))
entries = {entry.link: entry for entry in shelf.get_entries()}
found += same("reader", [link for link in links if link in entries] + [link for link in entries if link not in links])
found += [f"{link}: no date" for link, entry in entries.items() if not entry.published and any(dates)]
verdict("reader", pip_version("reader"), len(entries), found)

(WORK / "urls").write_text(URL + "\n")
(WORK / "config").write_text("reload-threads 1\n")
newsboat = ["newsboat", "-q", "-C", WORK / "config", "-u", WORK / "urls", "-c", WORK / "newsboat.sqlite"]
# It writes validators down only where it knows the feed already, so that its second poll is still a first one.
found = polled(lambda: run(*newsboat, "-x", "reload", env={"HOME": str(WORK)}), 200, 200, 304)
rows = sqlite3.connect(WORK / "newsboat.sqlite").execute("select url, title, pubDate, content from rss_item order by rowid").fetchall()
found += same("newsboat", [link for link in links if link in {row[0] for row in rows}] + [row[0] for row in rows if row[0] not in links])
found += [f"{row[0]}: no title, date or content" for row in rows if not (row[1] and row[3] and (row[2] or not any(dates)))]
verdict("newsboat", run("newsboat", "-v").stdout.split()[1], len(rows), found)

done = run("sfeed", BASE + "/", input=get("/rss.xml").text)
lines = [line.split("\t") for line in done.stdout.splitlines()]
found = same("sfeed", [line[2] for line in lines]) + [f"{line[2]}: no date" for line in lines if not line[0] and any(dates)]
verdict("sfeed", "1.7", len(lines), found)

SCRIPT = f"""
import Parser from 'rss-parser';
const feed = await new Parser().parseURL({URL!r});
console.log(JSON.stringify(feed.items.map(item => item.link)));
"""
done = run("node", "--input-type=module", "-e", SCRIPT, cwd=NPM.parent)
found = same("rss-parser", json.loads(done.stdout)) if done.returncode == 0 else [done.stderr.strip()[-300:]]
verdict("rss-parser", npm_version("rss-parser"), len(links), found)
