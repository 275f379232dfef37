"""Runs the commands in the ```console blocks of a page, in order, in one folder.

The page's ```py blocks whose first line is a file name (`# my_ops.py`) are files there. `pages_test.py` explains how a block is read.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

from documented_lines_test import FILES, ROOT, TORCH_PYTHON

sys.path.insert(0, str(ROOT / "tests/doc_sessions"))
import pages_test  # noqa: E402

PROGRAM = re.compile(r"^```py\n(# (\S+\.py)\n.*?)^```$", re.M | re.S)


def files_of(page):
    """Returns the files of the installation and those that the page names, by path."""
    installed = {name: text.replace(sys.executable, TORCH_PYTHON) for name, text in FILES.items() if name.startswith(("bin/", "site/"))}
    return {**installed, **{name: text for text, name in PROGRAM.findall(page)}}


def wrong_steps(page):
    """Runs the commands in the text of a page, with the Python that ERSATZ_TORCH_PYTHON names. Returns (number of commands
    that ran, their problems). The path of the folder is removed from the output. The cache has no glue, as for a reader who
    has built none."""
    wrong, steps = [], pages_test.steps_of(page)
    with tempfile.TemporaryDirectory() as folder:
        at = pathlib.Path(folder).resolve()
        for name, text in files_of(page).items():
            (at / name).parent.mkdir(parents=True, exist_ok=True)
            (at / name).write_text(text, encoding="utf-8")
            (at / name).chmod(0o755)
        environment = {**os.environ, "PATH": f"{at}/bin:{os.environ['PATH']}", "PYTHONPATH": f"{at}/site:{os.environ.get('PYTHONPATH', '')}",
                       "XDG_CACHE_HOME": f"{at}/cache"}
        for step in steps:
            done = subprocess.run(["bash", "-c", step.command], cwd=at, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            printed = done.stdout.replace(f"{at}/", "").splitlines()
            if not pages_test.matches(step.expected, printed):
                wrong.append(f"line {step.line}: $ {step.command}\n{pages_test.difference(step.expected, printed)}\n" + "\n".join(printed))
    return len(steps), wrong
