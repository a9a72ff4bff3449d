"""lychee: every link and every fragment within the site."""
import json

from common import BASE, BIN, pages, run, verdict

urls = pages()
done = run(BIN / "lychee", "--no-progress", "--include-fragments", "--format", "json", "--include", "^" + BASE, "--max-concurrency", "16", *urls,
           BASE + "/llms.txt", BASE + "/sitemap.md", BASE + "/index.md")
report = json.loads(done.stdout)
found = sorted({f"{error['url']} in {place}: {error['status'].get('text', '')}" for place, errors in report["error_map"].items() for error in errors})
verdict("lychee", run(BIN / "lychee", "--version").stdout.split()[-1], report["total"], found)
