"""Sources are formatted: clang-format 14, the version that Debian 12 has, finds nothing to change."""
import subprocess

from checks.sources import code_files


def problems(root, build):
    # .inl files have table rows, which clang-format cannot tell from code.
    files = [p for p in code_files(root) if not p.endswith(".inl")]
    if not files:
        return []
    done = subprocess.run(["clang-format-14", "--dry-run", "-Werror", *files], cwd=root, text=True, capture_output=True)
    if done.returncode == 0:
        return []
    wrong = sorted({line.split(":")[0] for line in done.stderr.splitlines() if "-Wclang-format-violations" in line})
    return [f"{path}: not formatted, run `make format`" for path in wrong] or [done.stderr.strip()]
