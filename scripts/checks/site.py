"""The documentation builds as a site in strict mode: each page is in the navigation, and each link and each anchor exists."""
import subprocess


def skipped(root, build):
    return "" if (build / "python-venv/bin/mkdocs").exists() else "mkdocs is not installed (scripts/python_setup BUILD docs)"


def problems(root, build):
    done = subprocess.run([root / "scripts/docs", build], text=True, capture_output=True)
    return [] if done.returncode == 0 else (done.stdout + done.stderr).splitlines()
