"""What agents want: afdocs (Agent-Friendly Docs), the reference parser of llms.txt, two auditors of it."""
import json
import tempfile
from pathlib import Path

from common import BASE, BIN, NPM, get, npm_version, pip_version, run, verdict

done = run(NPM / ".bin/afdocs", "check", BASE, "-f", "json", "--score", "-q", "--sampling", "deterministic", "--max-links", "60", "--request-delay", "0",
           "--max-concurrency", "8", "--url-path-pattern", "html", "--network-context", "ci")
report = json.loads(done.stdout)
results = report.get("results", [])


def is_form(one):
    """Whether the finding is that the header is long beside the search page, which is a form with few words."""
    pages = one.get("details", {}).get("pageResults", [])
    wrong = [page["url"] for page in pages if page.get("status") != "pass"]
    return one["id"] == "content-start-position" and one["status"] == "warn" and wrong == [BASE + "/search.html"]


found = [f"{one['id']}: {one['status']}: {one.get('message', '')}" for one in results if one["status"] in ("fail", "warn", "error") and not is_form(one)]
score = (report.get("scoring") or report.get("score") or {})
overall = score.get("overall", score.get("score")) if isinstance(score, dict) else score
if overall != 100:
    found.append(f"score {overall} of 100")
verdict("afdocs", npm_version("afdocs"), len(results), found)

import llms_txt  # noqa: E402

index = get("/llms.txt").text
parsed = llms_txt.parse_llms_file(index)
found = []
if not parsed.title:
    found.append("no title")
if not parsed.summary:
    found.append("no summary")
links = [link for section in parsed.sections.values() for link in section]
if not links:
    found.append("no links")
found += [f"no title or not absolute: {link}" for link in links if not link.title or not link.url.startswith(BASE)]
found += [f"{answer.status}: {link.url}" for link in links if (answer := get(link.url)).status != 200]
verdict("llms-txt", pip_version("llms-txt"), len(links), found)

done = run(BIN / "llms-txt-audit", "--strict", "--require-optional" if "## Optional" in index else "--strict", "--no-relative-links", BASE + "/llms.txt")
verdict("llms-txt-audit", pip_version("llms-txt-audit"), 1, [] if done.returncode == 0 else (done.stdout + done.stderr).strip().splitlines())
