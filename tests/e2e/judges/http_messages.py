"""The HTTP messages: REDbot over one resource of every kind, httplint over every kind of answer."""
import concurrent.futures
import http.client
import json
import time
import urllib.parse

from common import BASE, BIN, get, kinds, pip_version, run, twin, verdict
from httplint import HttpRequestLinter, HttpResponseLinter

DOCUMENTS = ["/rss.xml", "/sitemap.xml", "/sitemap.md", "/llms.txt", "/llms-full.txt", "/status.json", "/openapi.json", "/.well-known/api-catalog", "/robots.txt", "/404.html", "/404.md"]


def linked(page, *words):
    """Addresses in a page that stand in an attribute and contain one of these."""
    values = [part.split('"')[0] for part in get(page).text.split('="')[1:]]
    found = {urllib.parse.urljoin(BASE + "/", value) for value in values if any(word in value for word in words)}
    return sorted(url for url in found if url.startswith(BASE))


def resources():
    some = kinds(1)
    files = {urllib.parse.urlsplit(url).path.rpartition(".")[2]: url for page in ["/", *some] for url in linked(page, ".css", ".svg", ".png", ".jpg", ".gif", ".woff")}
    return [*(BASE + path for path in DOCUMENTS), *some, *map(twin, some), *files.values()]


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
with concurrent.futures.ThreadPoolExecutor(3) as pool:
    found = sorted({line for lines in pool.map(lambda url: list(notes(url)), urls) for line in lines})
verdict("REDbot", pip_version("redbot"), len(urls), found)


def answers(page):
    """Every kind of answer: method, path, request fields."""
    tag = get(page).headers["etag"]
    path = urllib.parse.urlsplit(page).path
    for accept in ("text/html", "text/markdown", "application/json", "*/*"):
        yield "GET", path, {"Accept": accept}
        yield "HEAD", path, {"Accept": accept}
        yield "GET", "/no/such/page.html", {"Accept": accept}
    for coding in ("gzip", "br", "zstd", "identity"):
        yield "GET", path, {"Accept-Encoding": coding}
        yield "GET", "/rss.xml", {"Accept-Encoding": coding}
    yield "GET", path, {"If-None-Match": tag}
    yield "GET", path, {"If-None-Match": tag, "Accept": "text/markdown"}
    yield "GET", path, {"If-Modified-Since": get(page).headers["last-modified"]}
    yield "GET", path, {"If-Match": '"other"'}
    yield "GET", path, {"Range": "bytes=0-99"}
    yield "GET", path, {"Range": "bytes=99999999-"}
    yield "GET", path.removesuffix(".html"), {}
    yield "GET", path.upper(), {}
    yield "GET", path + ".md", {}
    yield "GET", "/%zz", {}
    yield "GET", path.replace("/articles/", "/articles%2F"), {}
    yield "OPTIONS", path, {"Origin": "https://reader.example", "Access-Control-Request-Method": "GET"}
    for method in ("OPTIONS", "POST", "PUT", "DELETE", "TRACE"):
        yield method, path, {}


def lint(method, path, fields):
    connection = http.client.HTTPConnection(urllib.parse.urlsplit(BASE).netloc, timeout=20)
    connection.request(method, path, headers=fields)
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    linter = HttpResponseLinter(start_time=time.time(), no_content=method == "HEAD")
    linter.base_uri = BASE + path
    linter.request = HttpRequestLinter()
    linter.request.process_request_topline(method.encode(), (BASE + path).encode(), b"1.1")
    linter.request.process_headers([(name.encode(), value.encode()) for name, value in fields.items()])
    linter.process_response_topline(b"1.1", str(answer.status).encode(), answer.reason.encode())
    linter.process_headers([(name.encode(), value.encode()) for name, value in answer.getheaders()])
    if body:
        linter.feed_content(body)
    linter.finish_content(True)
    for note in linter.notes:
        if note.level.name in ("BAD", "WARN"):
            yield f"{type(note).__name__} {note.level.name} {method} {path} {fields} ({answer.status}): {note.summary}"


asked = list(answers(next(url for url in kinds(2) if "/articles/" in url and not url.endswith("/index.html"))))
verdict("httplint", pip_version("httplint"), len(asked), sorted({line for one in asked for line in lint(*one)}))
