"""The Python package and its tests are typed, strictly; skipped where mypy is not there (`scripts/python_setup BUILD check` installs it)."""
import subprocess

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
    done = subprocess.run([python_of(build), "-m", "mypy", "--cache-dir", cache, "--no-error-summary", *CHECKED], cwd=root / "python", text=True,
                          capture_output=True)
    return (done.stdout + done.stderr).splitlines() if done.returncode else []
