"""The HTML: the Nu checker over every page, html-validate over every page."""
import json
import tempfile
from pathlib import Path

from common import NPM, npm_version, pages, run, saved, verdict

FOLDER = Path(tempfile.mkdtemp(dir=NPM.parent))
names = saved(pages(), FOLDER)
files = sorted(FOLDER.glob("*.html"))

done = run("java", "-Xss4m", "-jar", NPM / "vnu-jar/build/dist/vnu.jar", "--format", "json", *files)
report = json.loads(done.stderr or '{"messages": []}')
found = [f"{one['type']} {one['message']} ({names[Path(one['url']).name]}:{one.get('lastLine', 0)})" for one in report["messages"] if one["type"] != "info" or one.get("subType") == "warning"]
verdict("Nu HTML checker", npm_version("vnu-jar"), len(files), found)

# Into a file: what it writes into a pipe is cut off when it ends.
REPORT = FOLDER / "report.json"
done = run(NPM / ".bin/html-validate", "--preset", "standard", "--formatter", f"json={REPORT}", *files, cwd=NPM.parent)
found = [f"{message['ruleId']} {names[Path(one['filePath']).name]}:{message['line']}: {message['message']}" for one in json.loads(REPORT.read_text() if REPORT.exists() else done.stdout or done.stderr) for message in one["messages"]]
verdict("html-validate", npm_version("html-validate"), len(files), found)
