"""Runs the commands of docs/python.md, docs/torch.md and docs/ci.md unchanged, with the package installed like a
wheel."""

import ast
import contextlib
import html
import io
import json
import os
import pathlib
import re
import stat
import subprocess
import sys
import tempfile
import textwrap
import unittest

import ersatz

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = [ROOT / "docs/python.md", ROOT / "docs/torch.md", ROOT / "docs/ci.md"]
TORCH_PYTHON = os.environ.get("ERSATZ_TORCH_PYTHON")
LINE = re.compile(r"^    ((?:\w+=\S+ )*(?:ersatz|pytest|python) .*)$", re.M)

TRAIN = "import sys, torch\nassert sys.argv[1:] in ([], ['--epochs', '1']), sys.argv\n(torch.ones(3) + 1).sum()\n"
FILES = {
    "train.py": TRAIN, "package/__init__.py": "", "package/train.py": TRAIN,
    "tests/test_suite.py": "import torch\ndef test_it():\n    torch.ones(3) + 1\n",
    "mylib.py": "import torch\nlibrary = torch.library.Library('mylib', 'DEF')\nlibrary.define('my_op(Tensor x) -> Tensor')\n"
                "library.impl('my_op', torch.clone, 'CompositeExplicitAutograd')\n",
    "waivers.txt": "# none yet\n", "items.txt": "repro.jsonl\nop:aten.cat.default\n",
    "repro.jsonl": json.dumps({"id": "a", "op": "aten.relu.default", "args": [{"t": "f32[2]{1}+0@cpu", "s": 0, "n": 8}], "kwargs": {},
                               "out": [{"t": "f32[2]{1}+0@cpu", "s": 1, "n": 8}]}) + "\n",
    # Files that an installed wheel adds next to the package and on the PATH.
    "site/ersatz_tensors-0.0.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: ersatz-tensors\nVersion: 0.0.0\n",
    "bin/ersatz": f"#!{sys.executable}\nimport sys\nfrom ersatz.__main__ import main\nsys.exit(main())\n",
    "bin/pytest": f"#!{sys.executable}\nimport sys, pytest\nsys.exit(pytest.main())\n",
    "bin/python": f'#!/bin/sh\nexec {sys.executable} "$@"\n',
    # This compiler finishes at once; the page says that compiling takes less than a minute.
    "bin/compiler": f"#!{sys.executable}\nimport sys\nopen(sys.argv[sys.argv.index('-o') + 1], 'w')\n",
}


def entry_points():
    text = (ROOT / "python/pyproject.toml").read_text(encoding="utf-8")
    rows = re.search(r"^\[project\.entry-points\.pytest11\]\n((?:.+\n)+)", text, re.M)[1]
    return "[pytest11]\n" + rows.replace('"', "")


def commands():
    """Returns the command lines of the pages, except those of the generators, which are not in the wheel.
    generated_test.py runs these."""
    lines = [(page.name, line[1].partition("  #")[0].strip()) for page in PAGES for line in LINE.finditer(page.read_text(encoding="utf-8"))]
    return [(page, line) for page, line in lines if "python/bench/" not in line]


def names_of_the_page():
    """Returns the names that the blocks of docs/torch.md use: a model with its inputs, and a correct custom
    operator."""
    import ersatz.torch
    import torch

    def my_op(x, y=None, scale=1.0):
        return (x if y is None else x + y) * scale

    library = torch.library.Library("mylib", "DEF")
    library.define("my_op(Tensor x, Tensor? y=None, float scale=1.0) -> Tensor")
    library.impl("my_op", my_op, "CompositeExplicitAutograd")
    model, x = torch.nn.Linear(3, 2), torch.ones(4, 3)
    return {"torch": torch, "ersatz": ersatz, "run_the_tests": lambda: torch.ops.mylib.my_op(torch.ones(3)), "library": library, "model": model, "x": x, "y": torch.ones(4, 3), "inputs": (x,),
            "more_inputs": (torch.zeros(4, 3),), "graph_module": torch.export.export(model, (x,))}


@unittest.skipUnless(all(page.is_file() for page in PAGES), "the pages are not here")
@unittest.skipUnless(TORCH_PYTHON == sys.executable, "ERSATZ_TORCH_PYTHON names no Python that has torch")
class DocumentedLinesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        for name, text in {**FILES, "site/ersatz_tensors-0.0.0.dist-info/entry_points.txt": entry_points()}.items():
            file = cls.folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(textwrap.dedent(text))
            if name.startswith("bin/"):
                file.chmod(file.stat().st_mode | stat.S_IXUSR)

    def run_line(self, line):
        environment = {k: v for k, v in os.environ.items() if k != "PYTEST_DISABLE_PLUGIN_AUTOLOAD"}
        places = [str(self.folder / "site"), str(pathlib.Path(ersatz.__file__).parent.parent)]
        environment |= {"PYTHONPATH": os.pathsep.join(places), "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}", "CXX": "compiler",
                        "XDG_CACHE_HOME": str(self.folder / "cache"), "ERSATZ_GLUE": "0"}
        return subprocess.run(line, shell=True, cwd=self.folder, capture_output=True, text=True, env=environment)

    def test_each_line_runs(self):
        lines = commands()
        self.assertGreaterEqual(len(lines), 8, lines)
        for page, line in lines:
            with self.subTest(page=page, line=line):
                done = self.run_line(line)
                said = f"status {done.returncode}\n{done.stdout}{done.stderr}"
                self.assertIn(done.returncode, (0, 1), said)
                self.assertNotIn("Traceback", said)

    def test_each_python_block_of_the_page_runs(self):
        blocks = re.findall(r"^```py\n(.*?)^```$", PAGES[1].read_text(encoding="utf-8"), re.M | re.S)
        self.assertGreaterEqual(len(blocks), 4)
        names = names_of_the_page()
        for block in blocks:
            with self.subTest(block=block), contextlib.chdir(self.folder), contextlib.redirect_stdout(io.StringIO()):
                exec(compile(block, "docs/torch.md", "exec"), names)

    def test_cell_of_page_on_reports_shows_page(self):
        """Shows the value of a cell's last line, as IPython does."""
        [cell] = re.findall(r"^```py\n(.*?)^```$", (ROOT / "docs/reports.md").read_text(encoding="utf-8"), re.M | re.S)
        *lines, last = ast.parse(cell).body
        # A finding shows the fake kernel's line, which Python reads from a file. IPython provides one for a cell, too.
        (self.folder / "cell.py").write_text(cell, encoding="utf-8")
        names = {"__name__": "cell"}
        exec(compile(ast.Module(lines, []), str(self.folder / "cell.py"), "exec"), names)
        frame = eval(compile(ast.Expression(last.value), str(self.folder / "cell.py"), "eval"), names)._repr_html_()
        page = html.unescape(re.fullmatch(r'<iframe srcdoc="([^"]*)" sandbox [^>]*></iframe>', frame)[1])
        self.assertIn('<h2>mylib.turn.default <span class="bad">stride</span></h2>', page)
        self.assertRegex(page, r"<dt>predicted</dt><dd>f32\[.*</dd><dt>eager</dt><dd>f32\[")
        self.assertIn("<b>To change:</b>", page)

    def test_the_plugin_is_loaded_once_whoever_names_it(self):
        for more in ("", "-p ersatz.pytest_plugin "):
            done = self.run_line(f"pytest {more}--ersatz-crosscheck tests/")
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertRegex(done.stdout, r"crosscheck: 1 tests, 0 with findings, .* [1-9]\d* compared")


if __name__ == "__main__":
    unittest.main()
