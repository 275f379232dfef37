"""python/ersatz/_ersatz.pyi is what nanobind writes of the module; skipped where the build tree has no Python package."""
import os
import subprocess
import tempfile

from checks.sources import text

STUB = "python/ersatz/_ersatz.pyi"
PATTERNS = "python/module/stub_patterns.txt"


def skipped(root, build):
    built = list((build / "python/ersatz").glob("_ersatz.*.so")) and (build / "python-venv/bin/python").exists()
    return "" if built else f"{build.name} has no Python package"


def problems(root, build):
    with tempfile.TemporaryDirectory() as folder:
        made = os.path.join(folder, "_ersatz.pyi")
        command = stub_command(build, made)
        done = subprocess.run(command, cwd=root, text=True, capture_output=True, env=dict(os.environ, PYTHONPATH=str(build / "python")))
        if done.returncode:
            return [f"{STUB}: nanobind.stubgen ended with {done.returncode}: {done.stderr.strip()[-500:]}"]
        with open(made, encoding="utf-8") as f:
            fresh = f.read()
    if (root / STUB).is_file() and text(root, STUB) == fresh:
        return []
    return [f"{STUB}: stale, run PYTHONPATH=build/python {' '.join(map(str, stub_command(build.relative_to(root), STUB)))}"]


def stub_command(build, to):
    return [build / "python-venv/bin/python", "-m", "nanobind.stubgen", "-q", "-m", "ersatz._ersatz", "-p", PATTERNS, "-o", to]
