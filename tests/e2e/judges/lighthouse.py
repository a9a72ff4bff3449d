"""Lighthouse over one page of every kind, on the Node.js that it wants, which comes from npm."""
import json
import os

from common import NPM, kinds, run, verdict

(node,) = NPM.glob("node-linux-*/bin/node")
done = run(node, os.path.join(os.path.dirname(__file__), "lighthouse.mjs"), *kinds(1))
if done.returncode:
    raise SystemExit(done.stderr)
verdict(**json.loads(done.stdout))
