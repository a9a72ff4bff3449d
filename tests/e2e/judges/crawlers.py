"""Crawlers: the official schema of sitemaps, a reader of them, and two parsers of robots.txt."""
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import protego
import robots
from usp.tree import sitemap_tree_for_homepage

from common import BASE, NPM, SITEMAP, get, pages, pip_version, run, verdict

SCHEMA = NPM / "sitemap/schema/sitemap.xsd"
body = get("/sitemap.xml").body
root = ElementTree.fromstring(body)
# The schema is for lists of pages; of an index each part is one.
parts = [get(node.text).body for node in root.iter(SITEMAP + "loc")] if root.tag.endswith("sitemapindex") else [body]
work, found = Path(tempfile.mkdtemp()) / "sitemap.xml", []
for part in parts:
    work.write_bytes(part)
    done = run("xmllint", "--nonet", "--noout", "--schema", SCHEMA, work)
    found += [] if done.returncode == 0 else done.stderr.strip().splitlines()
verdict("sitemap.xsd", "0.9", len(parts), found)

expected = set(pages())
read = {page.url for page in sitemap_tree_for_homepage(BASE + "/", use_known_paths=False).all_pages()}
verdict("ultimate-sitemap-parser", pip_version("ultimate-sitemap-parser"), len(read), sorted(expected ^ read))

text = get("/robots.txt").text
AGENTS = ["Googlebot", "Bingbot", "GPTBot", "ClaudeBot", "CCBot", "PerplexityBot", "anything"]
rules = protego.Protego.parse(text)
found = [f"{agent} may not fetch {url}" for agent in AGENTS for url in sorted(expected)[:50] if not rules.can_fetch(url, agent)]
if BASE + "/sitemap.xml" not in list(rules.sitemaps):
    found.append("no Sitemap line")
verdict("protego", pip_version("protego"), len(AGENTS), found)

parser = robots.RobotsParser.from_string(text)
found = [f"{agent} may not fetch {url}" for agent in AGENTS for url in sorted(expected)[:50] if not parser.can_fetch(agent, url)]
found += [str(error) for error in parser.errors]
verdict("robotspy", pip_version("robotspy"), len(AGENTS), found)
