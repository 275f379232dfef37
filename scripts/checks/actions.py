"""`action.yml` and the CI files in docs/ci.md fit the schemas of GitHub and GitLab, which check-jsonschema contains.

The check is skipped if check-jsonschema is not installed (`scripts/python_setup BUILD check` installs it).
"""
import pathlib
import re
import subprocess
import tempfile

from checks.sources import text

PAGE = "docs/ci.md"
BLOCK = re.compile(r"^```yaml\n(# (\S+)\n.*?)^```$", re.M | re.S)
ACTION = ".github/actions/ersatz/action.yml"  # the path that docs/ci.md gives it
SCHEMAS = {ACTION: "vendor.github-actions", ".github/workflows/ersatz.yml": "vendor.github-workflows", ".gitlab-ci.yml": "vendor.gitlab-ci"}


def tool(build):
    return build.resolve() / "python-venv/bin/check-jsonschema"


def skipped(root, build):
    return "" if tool(build).exists() else f"there is no check-jsonschema in {build.name}/python-venv"


def files(root):
    """The action and the files that the page prints, by their paths in a user's repository."""
    return {ACTION: text(root, "action.yml"), **{path: block for block, path in BLOCK.findall(text(root, PAGE))}}


def laid_out(root, folder):
    """Writes `files` below the folder, like a user's repository."""
    for path, content in files(root).items():
        at = pathlib.Path(folder, path)
        at.parent.mkdir(parents=True, exist_ok=True)
        at.write_text(content, encoding="utf-8")


def problems(root, build):
    there = files(root)
    found = [f"{PAGE}: {path} is not on it" for path in SCHEMAS if path not in there] + \
            [f"{PAGE}: {path}: scripts/checks/actions.py has no schema for it" for path in there if path not in SCHEMAS]
    with tempfile.TemporaryDirectory() as folder:
        laid_out(root, folder)
        for path in there.keys() & SCHEMAS.keys():
            done = subprocess.run([tool(build), "--builtin-schema", SCHEMAS[path], path], cwd=folder, text=True, capture_output=True)
            found += [f"{path}: {line.strip()}" for line in (done.stdout + done.stderr).splitlines() if line.strip()] if done.returncode else []
    return found
