"""axe-core over pages of every kind, the page that says "not found", and answers of the search."""
import json
import os

from common import BASE, kinds, run, verdict

done = run("node", os.path.join(os.path.dirname(__file__), "accessibility.mjs"), *kinds(2), BASE + "/404.html", BASE + "/search.html?q=the", BASE + "/search.html?q=zzyzx")
if done.returncode:
    raise SystemExit(done.stderr)
verdict(**json.loads(done.stdout))
