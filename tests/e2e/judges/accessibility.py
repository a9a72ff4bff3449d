"""axe-core over pages of every kind, and the page that says "not found"."""
import json
import os

from common import BASE, kinds, run, verdict

done = run("node", os.path.join(os.path.dirname(__file__), "accessibility.mjs"), *kinds(2), BASE + "/404.html")
if done.returncode:
    raise SystemExit(done.stderr)
verdict(**json.loads(done.stdout))
