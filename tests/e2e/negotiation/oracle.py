"""Header fields made up from a fixed seed, and what WebOb and Werkzeug make of them: one JSON line a field.

Both say how much a client wants a media type or a content-coding. What follows from that is the contract's (Markdown only by its name, HTML among
equals never above it; codings in a fixed order, the identity last): that rule is written out here once more, on the weights of the oracles.
"""

import json
import random
import sys

from webob.acceptparse import create_accept_encoding_header, create_accept_header
from werkzeug.datastructures import Accept, MIMEAccept
from werkzeug.http import parse_accept_header

CODINGS = ["br", "zstd", "gzip"]
RANGES = ["text/html", "text/markdown", "text/*", "*/*", "application/xhtml+xml", "application/xml", "image/avif", "text/plain", "TEXT/Markdown", "Text/HTML",
          "application/json", "text/markdown2", "x/text/html"]
NAMES = ["br", "gzip", "zstd", "identity", "*", "deflate", "compress", "x-gzip", "GZIP", "Br", "Identity", "brr"]
WEIGHTS = ["", "", "", ";q=1", ";q=0", ";q=0.5", ";q=0.8", ";q=0.9", ";q=0.001", ";q=1.0", ";q=0.000", "; q=0.7", " ; q=0.3", ";Q=0.4", ";q=0.25", ";q=1.000"]
PARAMETERS = [";level=1", ";charset=utf-8", ";variant=GFM", ';title="a"', ";profile=x"]
BROKEN = [";q=", ";q=x", ";q=2", ";q=-1", ";q=0.1234", ";q=.5", ";;q=0.5", ";q=0.5;q=0.9", ";q 0.5", ' "', "/", " x", ";q=1.1", ";level"]
REAL = [
    "", "*/*", "text/html", "text/markdown", "text/markdown, */*", "text/markdown;q=1.0, text/html;q=0.9", "text/html, text/markdown",
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7",
    "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "text/markdown, text/html;q=0.9, text/plain;q=0.8, */*;q=0.1",
    "application/rss+xml, application/atom+xml;q=0.9, text/xml;q=0.8", "text/plain;q=1.0, text/markdown;q=0.9, text/html;q=0.8, */*;q=0.1",
]
REAL_CODINGS = ["", "gzip, deflate, br, zstd", "gzip, deflate", "gzip;q=1.0, identity; q=0.5, *;q=0", "identity", "*", "br;q=1.0, gzip;q=0.8, *;q=0.1",
                "compress, gzip", "*;q=0", "identity;q=0", "gzip, *;q=0", "br, *;q=0.5"]


def field(chance, names, parameters):
    """A list of elements, most of them well formed."""
    elements = []
    for _ in range(chance.choice([0, 1, 1, 2, 2, 3, 3, 4, 6])):
        element = chance.choice(names)
        if parameters and chance.random() < 0.06:
            element += chance.choice(parameters)
        element += chance.choice(WEIGHTS)
        if chance.random() < 0.03:
            element += chance.choice(BROKEN)
        elements.append(element)
        if chance.random() < 0.04:
            elements.append("")
    return chance.choice([",", ", ", ", ", " , ", ",\t"]).join(elements)


def plain(elements):
    """The elements as name, parameters and weight; none of it decides anything but what a disagreement is called."""
    for element in elements.split(","):
        name, *rest = [part.strip().lower() for part in element.split(";")]
        yield name, [part for part in rest if not part.startswith("q=")], [part for part in rest if part.startswith("q=")]


def reasons(value, names, valid):
    """What about a field is known to be read differently."""
    found = [] if valid else ["malformed"]
    parts = [part for part in plain(value) if part[0]]
    weights = {}
    for name, parameters, weight in parts:
        weights.setdefault(name, set()).add(weight[0] if weight else "q=1")
        if len(weight) > 1:
            found.append("two weights")
        if parameters and name in names:
            found.append("parameters")
        if name == "x-gzip":
            found.append("x-gzip")
    if any(len(several) > 1 for name, several in weights.items() if name in names):
        found.append("twice")
    return sorted(set(found))


def form(named, markdown, html):
    return "markdown" if named and markdown > 0 and markdown >= html else "html"


def webob_form(value):
    accept = create_accept_header(value)
    weight = lambda offer: dict(accept.acceptable_offers([offer])).get(offer, 0)
    named = any(part[0].lower() == "text/markdown" and part[1] > 0 for part in accept.parsed or [])
    return accept.parsed is not None, form(named, weight("text/markdown"), weight("text/html"))


def werkzeug_form(value):
    accept = parse_accept_header(value, MIMEAccept)
    named = any(name.lower() == "text/markdown" and weight > 0 for name, weight in accept)
    return form(named, accept.quality("text/markdown"), accept.quality("text/html"))


def coding(weights, identity):
    """The heaviest; among equals in our order, the identity last, but before what weighs less. Unnamed it comes after everything."""
    best = max(CODINGS, key=lambda name: (weights[name], -CODINGS.index(name)))
    return best if weights[best] > 0 and weights[best] >= identity else "identity"


def webob_coding(value):
    accept = create_accept_encoding_header(value)
    if accept.parsed is None:
        return False, "identity"
    weights = dict(accept.acceptable_offers(CODINGS + ["identity"]))
    named = any(name.lower() in ("identity", "*") for name, _ in accept.parsed)
    return True, coding({name: weights.get(name, 0) for name in CODINGS}, weights.get("identity", 0) if named else 0)


def werkzeug_coding(value):
    accept = parse_accept_header(value, Accept)
    named = any(name.lower() in ("identity", "*") for name, _ in accept)
    return coding({name: accept.quality(name) for name in CODINGS}, accept.quality("identity") if named else 0)


def main():
    chance, count = random.Random(9110), int(sys.argv[1])
    for value in REAL + [field(chance, RANGES, PARAMETERS) for _ in range(count)]:
        valid, webob = webob_form(value)
        why = reasons(value, {"text/html", "text/markdown", "text/*", "*/*"}, valid)
        print(json.dumps({"field": "Accept", "value": value, "webob": webob, "werkzeug": werkzeug_form(value), "reasons": why}))
    for value in REAL_CODINGS + [field(chance, NAMES, []) for _ in range(count)]:
        valid, webob = webob_coding(value)
        why = reasons(value, {"br", "gzip", "zstd", "identity", "*"}, valid)
        print(json.dumps({"field": "Accept-Encoding", "value": value, "webob": webob, "werkzeug": werkzeug_coding(value), "reasons": why}))


main()
