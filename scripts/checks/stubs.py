"""python/ersatz/_ersatz.pyi equals nanobind's stub of the module, and mypy's stubtest finds its content in the module.
Skipped if the build tree has no Python package; the second check also without mypy."""
import os
import re
import subprocess
import tempfile

from checks.sources import text

STUB = "python/ersatz/_ersatz.pyi"
PATTERNS = "python/module/stub_patterns.txt"
# stubtest reports these for every nanobind module: its functions and classes are made in C, and a static function is no
# `staticmethod`. Names, members and properties are checked.
OF_NANOBIND = re.compile(r"is not a function$|metaclass differs$|stub does not have \*args parameter \"args\"$|cannot be subclassed at runtime"
                         r"|stub is a staticmethod but runtime is not$|__r?pow__ is inconsistent, stub does not have parameter \"mod\"$")


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
        return untrue(root, build)
    return [f"{STUB}: stale, run PYTHONPATH=build/python {' '.join(map(str, stub_command(build.relative_to(root), STUB)))}"]


def untrue(root, build):
    python = build.resolve() / "python-venv/bin/python"
    if subprocess.run([python, "-c", "import mypy"], capture_output=True).returncode:
        return []
    command = [python, "-m", "mypy.stubtest", "ersatz._ersatz", "--concise", "--ignore-disjoint-bases", "--mypy-config-file",
               root / "python/pyproject.toml"]
    done = subprocess.run(command, cwd=build, text=True, capture_output=True, env=dict(os.environ, PYTHONPATH=str(build.resolve() / "python")))
    if done.returncode and not done.stdout:
        return [f"stubtest ended with {done.returncode}: {done.stderr.strip()[-500:]}"]
    return [line for line in done.stdout.splitlines() if line.startswith("ersatz") and not OF_NANOBIND.search(line)]


def stub_command(build, to):
    return [build / "python-venv/bin/python", "-m", "nanobind.stubgen", "-q", "-m", "ersatz._ersatz", "-p", PATTERNS, "-o", to]
