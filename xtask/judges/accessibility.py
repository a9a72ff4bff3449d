"""axe-core over pages of every kind, and the page that says "not found"."""
import os
import sys

from common import BASE, NPM, kinds, run

done = run("node", os.path.join(os.path.dirname(__file__), "accessibility.mjs"), *kinds(2), BASE + "/404.html")
sys.stdout.write(done.stdout)
sys.stderr.write(done.stderr)
sys.exit(done.returncode)
