"""The live crosscheck inside of PyTorch's dispatcher: the glue is built, and its results equal those of the Python
dispatch mode."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

try:
    import torch  # noqa: F401
except ImportError as e:
    raise unittest.SkipTest("needs torch") from e

from ersatz.torch import glue


NATIVE = """
import os, threading, torch, ersatz, ersatz.torch
relu = torch.library.Library("aten", "IMPL")
relu.impl("relu", lambda x: torch.zeros(x.shape, dtype=torch.float64), "CPU")

def run():
    torch.manual_seed(0)
    net = torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.Sigmoid())
    loss = net(torch.randn(2, 4)).sum()
    loss.backward()
    torch.optim.AdamW(net.parameters()).step()
    return loss.item()

plain = run()
with ersatz.torch.crosscheck(native=True) as report:
    assert run() == plain
    torch.relu(torch.ones(2, 3))  # planted
    try:
        torch.mm(torch.ones(2, 3), torch.ones(2, 3))
    except RuntimeError as e:
        print("raises", e)
print([(f.op, f.field, f.times) for f in report.findings], "planted" in report.findings[0].source, report.compared > 30)
try:
    with ersatz.torch.crosscheck(native=True, stop_at_first=True):
        torch.relu(torch.ones(2, 3))
except RuntimeError as e:
    print("stops", str(e).splitlines()[0])
torch.relu(torch.ones(1))
print(torch.ops.ersatz_glue.watching())
with ersatz.torch.crosscheck(native=True) as forked:
    torch.ones(2)
    pid = os.fork()
    if pid == 0:
        torch.ones(3).neg()
        os._exit(forked.compared)
    print("child", os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), "parent", forked.compared)
seen = [0] * 8

def watched(i):
    with ersatz.torch.crosscheck(native=True) as report:
        for _ in range(50):
            torch.ones(3, i + 1).sum()
    seen[i] = report.compared

threads = [threading.Thread(target=watched, args=(i,)) for i in range(8)]
for t in threads:
    t.start()
for t in threads:
    t.join()
print(seen)
from torch.nn.attention.flex_attention import flex_attention
q = torch.randn(1, 1, 16, 8)
plain = flex_attention(q, q, q)
with ersatz.torch.crosscheck(native=True) as report:
    print("flex", torch.equal(flex_attention(q, q, q), plain), report.clean)
doubled = torch.compile(lambda x: x + x, backend="aot_eager", fullgraph=True)
with ersatz.torch.crosscheck(native=True) as report:
    print("compiled", doubled(torch.ones(3)).tolist(), report.clean)
none = torch.zeros(0, 1, 1, dtype=torch.complex64)
with ersatz.torch.crosscheck(native=True) as report:
    for _ in range(200):  # a kernel frees the text of its arguments
        torch.linalg.eigh(none, "U")
print("text", report.compared, report.findings)
"""


class Native(unittest.TestCase):
    def test_glue_is_built_once_and_judges_alike(self):
        with tempfile.TemporaryDirectory() as cache:
            env = {**os.environ, "XDG_CACHE_HOME": cache, "ERSATZ_GLUE": "1"}
            built = subprocess.run([sys.executable, "-m", "ersatz", "build-glue"], capture_output=True, text=True, env=env)
            self.assertEqual(built.returncode, 0, built.stderr)
            done = subprocess.run([sys.executable, "-W", "ignore", "-c", NATIVE], capture_output=True, text=True, env=env)
        self.assertEqual(done.returncode, 0, done.stderr)
        raises, found, stops, watching, forked, threads, *compiled = done.stdout.splitlines()
        self.assertRegex(raises, "mat1 and mat2 shapes cannot be multiplied")
        self.assertEqual(found, "[('aten.relu.default', 'dtype', 1)] False True")
        self.assertRegex(stops, "aten.relu.default differs from its rule")
        self.assertEqual(watching, "False")
        self.assertEqual(forked, "child 3 parent 1")
        self.assertEqual(threads, str([100] * 8))
        self.assertEqual(compiled, ["flex True True", "compiled [2.0, 2.0, 2.0] True", "text 400 ()"])

    def test_glue_of_another_source_is_not_taken(self):
        built = glue.path()
        with tempfile.TemporaryDirectory() as other:
            shutil.copytree(glue._HERE.parent / "include", pathlib.Path(other, "include"))
            shutil.copytree(glue._HERE, pathlib.Path(other, "torch"), ignore=shutil.ignore_patterns("__pycache__"))
            with unittest.mock.patch.object(glue, "_HERE", pathlib.Path(other, "torch")):
                self.assertEqual(glue.path(), built)
                with open(pathlib.Path(other, "torch/glue.cpp"), "a", encoding="utf-8") as source:
                    source.write("// changed")
                self.assertNotEqual(glue.path(), built)

    def test_missing_glue_says_how_to_build_it(self):
        with tempfile.TemporaryDirectory() as cache:
            env = {**os.environ, "XDG_CACHE_HOME": cache}
            ask = "import ersatz.torch; ersatz.torch.crosscheck(native=True)"
            done = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, env=env)
        self.assertRegex(done.stderr.splitlines()[-1], "run `python -m ersatz build-glue`")


if __name__ == "__main__":
    unittest.main()
