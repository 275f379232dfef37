"""The Python package, its tests and the sessions of docs/python.md pass mypy in strict mode.

The check is skipped if mypy is not installed (`scripts/python_setup BUILD check` installs it).
"""
import doctest
import subprocess

from checks.sources import text

CHECKED = ["ersatz", "../tests/python/package_test.py"]


def python_of(build):
    return build / "python-venv/bin/python"


def skipped(root, build):
    python = python_of(build)
    if not python.exists() or subprocess.run([python, "-c", "import mypy"], capture_output=True).returncode:
        return f"there is no mypy in {build.name}/python-venv"
    return ""


def problems(root, build):
    cache = build.resolve() / "mypy"
    sessions = build.resolve() / "sessions_of_python_md.py"
    sessions.write_text("".join(e.source for e in doctest.DocTestParser().get_examples(text(root, "docs/python.md"))), encoding="utf-8")
    done = subprocess.run([python_of(build), "-m", "mypy", "--cache-dir", cache, "--no-error-summary", *CHECKED, sessions], cwd=root / "python", text=True,
                          capture_output=True)
    return (done.stdout + done.stderr).splitlines() if done.returncode else []
