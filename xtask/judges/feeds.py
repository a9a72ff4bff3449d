"""Feed readers: two that parse, each polling a second time."""
import urllib.parse

import feedparser

from common import BASE, NPM, get, npm_version, pip_version, run, verdict

URL = BASE + "/rss.xml"
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
if dates != sorted(dates, reverse=True) and None not in dates:
    found.append("not newest first")
for entry in feed.entries:
    found += [f"{entry.get('link')}: no {key}" for key in ("title", "link", "summary", "content") if not entry.get(key)]
    if get(entry.link).status != 200:
        found.append(f"{entry.link} is not 200")
again = feedparser.parse(URL, etag=feed.get("etag"), modified=feed.get("modified"))
if again.get("status") != 304:
    found.append(f"a second poll is answered {again.get('status')}")
verdict("feedparser", pip_version("feedparser"), len(feed.entries), found)

SCRIPT = f"""
import Parser from 'rss-parser';
const feed = await new Parser().parseURL({URL!r});
console.log(JSON.stringify(feed.items.map(item => item.link)));
"""
done = run("node", "--input-type=module", "-e", SCRIPT, cwd=NPM.parent)
links = [entry.link for entry in feed.entries]
same = done.returncode == 0 and done.stdout.strip() == __import__("json").dumps(links, separators=(",", ":"))
verdict("rss-parser", npm_version("rss-parser"), len(links), [] if same else [done.stderr.strip()[-300:] or "other items than feedparser"])
