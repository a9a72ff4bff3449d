"""Lighthouse over one page of every kind, on the Node.js that it wants, which comes from npm."""
import json
import os

from common import BASE, NPM, get, kinds, run, verdict

# The search page is in no sitemap.
search = [BASE + "/search.html"] if get("/search.html").status == 200 else []
(node,) = NPM.glob("node-linux-*/bin/node")
done = run(node, os.path.join(os.path.dirname(__file__), "lighthouse.mjs"), *kinds(1), *search)
if done.returncode:
    raise SystemExit(done.stderr)
verdict(**json.loads(done.stdout))
