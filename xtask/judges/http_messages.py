"""REDbot over one resource of every kind: its notes of level BAD and WARN."""
import concurrent.futures
import json
import urllib.parse

from common import BASE, BIN, get, kinds, pip_version, run, verdict

DOCUMENTS = ["/rss.xml", "/sitemap.xml", "/sitemap.md", "/llms.txt", "/llms-full.txt", "/status.json", "/openapi.json", "/.well-known/api-catalog", "/robots.txt", "/404.html"]


def resources():
    some = kinds(1)
    twins = [urllib.parse.urljoin(url, "index.md") if url.endswith("/") else url.removesuffix(".html") + ".md" for url in some]
    style = [part.split('"')[1] for part in get("/").text.split("<link ") if "stylesheet" in part for part in part.split("href=")[1:2]]
    return [*(BASE + path for path in DOCUMENTS), *some, *twins, *(urllib.parse.urljoin(BASE + "/", path) for path in style)]


def notes(url):
    done = run(BIN / "redbot", "-o", "har", url)
    entries = json.loads(done.stdout)["log"]["entries"]
    path = urllib.parse.urlsplit(url).path
    for entry in entries:
        for message in entry.get("_red_messages", []):
            for note in [message, *message.get("subnotes", [])]:
                if note.get("level") in ("BAD", "WARN"):
                    yield f"{note['note_id']} {note['level']} {path}: {note.get('summary', '')}"


urls = resources()
with concurrent.futures.ThreadPoolExecutor(4) as pool:
    found = sorted({line for lines in pool.map(lambda url: list(notes(url)), urls) for line in lines})
verdict("REDbot", pip_version("redbot"), len(urls), found)
