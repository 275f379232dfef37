"""A pasted script that would run a graph again is only read, never executed."""

import pathlib
import subprocess
import sys
import unittest

from own_folder import own_folder

SCRIPT = """import pathlib
pathlib.Path("ran").touch()
class Repro(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
    def forward(self, arg0_1):
        relu = torch.ops.aten.relu.default(arg0_1);  arg0_1 = None
        return (relu,)
def load_args(reader):
    buf0 = reader.storage(None, 48)
    reader.tensor(buf0, (3, 4), is_leaf=True)  # arg0_1
"""


class Text(unittest.TestCase):
    def setUp(self):
        self.folder = own_folder(self)

    def crosscheck(self, *arguments):
        return subprocess.run([sys.executable, "-m", "ersatz", "crosscheck", *arguments], text=True, capture_output=True, cwd=self.folder)

    def test_fx_graph_runnable_is_read(self):
        pathlib.Path(self.folder, "fx_graph_runnable.py").write_text(SCRIPT)
        done = self.crosscheck("fx_graph_runnable.py")
        self.assertFalse(pathlib.Path(self.folder, "ran").exists())
        self.assertIn("a script that runs a graph again (fx_graph_runnable, minifier), 11 lines: 1 graph, 2 nodes read\n", done.stdout)
        self.assertEqual(done.stderr, "ersatz: fx_graph_runnable.py has printed graphs, which are read: nothing of it is run\n")

    def test_a_model_that_somebody_wrote_is_run(self):
        try:
            import torch  # noqa: F401
        except ImportError as e:
            raise unittest.SkipTest("needs torch") from e
        pathlib.Path(self.folder, "model.py").write_text(
            "import pathlib, torch\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        return x.relu()\n"
            "Net()(torch.ones(3))\npathlib.Path('ran').touch()\n")
        done = self.crosscheck("model.py")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(pathlib.Path(self.folder, "ran").exists())


if __name__ == "__main__":
    unittest.main()
