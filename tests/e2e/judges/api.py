"""The API description: four readers of OpenAPI, and the server held against it."""
import json
import re
import sys
import tempfile
from pathlib import Path

from common import BASE, BIN, NPM, get, npm_version, pip_version, run, verdict

WORK = Path(tempfile.mkdtemp())
FILE = WORK / "openapi.json"
FILE.write_bytes(get("/openapi.json").body)

done = run(BIN / "openapi-spec-validator", FILE)
verdict("openapi-spec-validator", pip_version("openapi-spec-validator"), 1, [] if done.returncode == 0 else [(done.stdout + done.stderr).strip()])

done = run(NPM / ".bin/validate-api", FILE)
verdict("seriousme", npm_version("@seriousme/openapi-schema-validator"), 1, [] if done.returncode == 0 else [(done.stdout + done.stderr).strip()])

done = run(NPM / ".bin/redocly", "lint", FILE, "--format=json", cwd=WORK)
report = json.loads(done.stdout)
found = [f"{problem['ruleId']}: {problem['message']} {problem['location'][0].get('pointer', '')}" for problem in report["problems"]]
verdict("redocly", npm_version("@redocly/cli"), 1, found)

ruleset = WORK / "spectral.yaml"
ruleset.write_text('extends: ["spectral:oas"]\n')
done = run(NPM / ".bin/spectral", "lint", FILE, "--ruleset", ruleset, "--format=json", "--quiet", cwd=WORK)
found = [f"{one['code']}: {one['message']} {'/'.join(map(str, one['path']))}" for one in json.loads(done.stdout or "[]")]
verdict("spectral", npm_version("@stoplight/spectral-cli"), 1, found)

# A range outside of the resource is allowed by the description and refused with 416. Parts of a coding cannot be decoded by themselves.
settings = WORK / "schemathesis.toml"
settings.write_text('[checks.positive_data_acceptance]\nexpected-statuses = ["2xx", "3xx", "404", "410", "412", "416"]\n')
done = run(BIN / "schemathesis", "--config-file", settings, "run", "--header", "Accept-Encoding: identity", BASE + "/openapi.json", "--url", BASE, "--max-examples", "50", "--seed", "1", "--checks", "all",
           "--workers", "1", cwd=WORK)
said = done.stdout + done.stderr
cases = re.search(r"(\d+) generated", said)
failures = re.findall(r"^- (.+(?:\n.*){1,30}?curl .+)$", said, re.MULTILINE) if done.returncode else []
failures = [re.sub(r"\s+", " ", failure)[:400] for failure in failures]
if done.returncode and not failures:
    failures = [said[-2000:]]
verdict("schemathesis", pip_version("schemathesis"), int(cases.group(1)) if cases else 0, failures)
if done.returncode:
    print(said, file=sys.stderr)
