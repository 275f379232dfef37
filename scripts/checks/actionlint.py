"""actionlint accepts the workflow in docs/ci.md with `action.yml` in its folder: inputs, outputs, expressions and shell.

The check is skipped if actionlint is not installed: `scripts/python_setup BUILD actionlint` installs it, and gets its program from
GitHub.
"""
import pathlib
import shutil
import subprocess
import tempfile

from checks import actions


def tool(build):
    installed = build.resolve() / "python-venv/bin/actionlint"
    return installed if installed.exists() else shutil.which("actionlint")


def skipped(root, build):
    return "" if tool(build) else f"there is no actionlint in {build.name}/python-venv or on the search path"


def problems(root, build):
    with tempfile.TemporaryDirectory() as folder:
        actions.laid_out(root, folder)
        pathlib.Path(folder, ".git").mkdir()  # so that actionlint finds the repository of `uses: ./...`
        done = subprocess.run([tool(build), "-no-color", "-oneline"], cwd=folder, text=True, capture_output=True)
    return (done.stdout + done.stderr).splitlines() if done.returncode else []
