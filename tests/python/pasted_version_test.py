"""If a pasted text names its version of PyTorch, ersatz predicts the results of this version."""

from __future__ import annotations

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

PROGRAM = os.environ.get("ERSATZ_PROGRAM", "")
DATA = pathlib.Path(os.environ.get("ERSATZ_DATA", "/nonexistent"))
LOG = pathlib.Path(__file__).parent.parent / "data/pasted/torch_2_11.torch_trace.log"
GRAPH = """
class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[3][1]cpu"):
        y: "i64[3][1]cpu" = torch.ops.aten.arange.default(3.1, dtype = torch.int64)
        return (y,)
"""
NAMED = {  # a line as people paste it, and the version that it names
    "PyTorch version: 2.11.0+cu126": "2.11.0+cu126",  # torch.utils.collect_env
    "PyTorch version              : 2.10.0+cu128": "2.10.0+cu128",  # vLLM's collect_env.py
    "- PyTorch version (accelerator?): 2.9.1+cu128 (CUDA)": "2.9.1+cu128",  # transformers env
    "> **PyTorch version**: `2.11.0`": "2.11.0",
    "[pip3] torch==2.12.0.dev20260101+cu130": "2.12.0.dev20260101+cu130",
    "[conda] torch                     2.11.0                   pypi_0    pypi": "2.11.0",
    "        - torch:             2.13.0": "2.13.0",  # lightning
    "pip install torch==2.11 torchvision==0.26": "2.11",
    "Seen with torch==2.11.0.": "2.11.0",
    ">>> torch.__version__\n'2.14.0a0+git0123456'": "2.14.0a0+git0123456",
    "python -c 'import torch; print(torch.__version__)'\n2.12.1+cu130\n": "2.12.1+cu130",
    "torch.__version__ = 2.13.0": "2.13.0",
    '\t"pytorch_version": "2.15.0+cu132",': "2.15.0+cu132",  # TORCH_TRACE
    "# torch version: 2.9.1+cu128": "2.9.1+cu128",  # fx_graph_runnable
}
UNNAMED = ["torchvision version: 0.26.0", "torchaudio==2.11.0", "torch>=2.9", "# torch cuda version: 13.2", "fails since PyTorch 2.10", "my-torch==1.2",
           'if torch.__version__ == "2.11.0":', "[conda] torchvision  0.26.0 pypi_0 pypi", "torch version: \ufffd\u0500", "PyTorch version: N/A"]


@unittest.skipUnless(PROGRAM, "ERSATZ_PROGRAM names no program")
class NamedVersions(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def ersatz(self, *arguments):
        return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=120)

    def told(self, text, *options):
        """Returns the lines about PyTorch of a crosscheck, and its status."""
        path = self.folder / "report.md"
        path.write_text(text, encoding="utf-8")
        done = self.ersatz("crosscheck", path, *options)
        return re.findall(r"^PyTorch: (.*)$", done.stdout, re.M), done.returncode

    def test_log_of_2_11_is_predicted_so(self):
        done = self.ersatz("crosscheck", LOG)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("\nPyTorch: 2.11.0+cu130 in line 76\n", done.stdout)
        self.assertIn("\n  4 nodes, torch 2.11.0+cu130, TORCH_TRACE log, 0_0/dynamo, lines 2 to 13\n", done.stdout)

    def test_an_option_wins_over_the_text(self):
        done = self.ersatz("crosscheck", LOG, "--torch", "2.15")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("\nPyTorch: 2.11.0+cu130 in line 76; --torch asks for 2.15\n", done.stdout)
        self.assertIn("\nfinding: y = aten.arange.default, result 0: size\n", done.stdout)

    def test_fake_answers_by_the_version_of_the_text(self):
        told = self.ersatz("fake", LOG, "--graph", "dynamo").stdout
        self.assertTrue(told.startswith("PyTorch: 2.11.0+cu130 in line 76\n"), told)
        self.assertRegex(told, r"(?m)^y +aten\.arange\.default +i64\[3\]")
        self.assertRegex(self.ersatz("fake", LOG, "--graph", "dynamo", "--torch", "2.15").stdout, r"(?m)^y +aten\.arange\.default +i64\[4\]")

    def test_each_form_names_the_version(self):
        for line, version in NAMED.items():
            with self.subTest(line):
                told, status = self.told(f"A graph fails.\n{line}\n{GRAPH}")
                self.assertEqual(told, [f"{version} in line 2"])
                minor = int(version.split(".")[1])
                self.assertEqual(status, 0 if minor < 14 else 1)  # 2.14 changed the size that the graph records

    def test_other_lines_name_none(self):
        for line in UNNAMED:
            with self.subTest(line):
                self.assertEqual(self.told(f"{line}\n{GRAPH}"), ([], 1))

    def test_newest_of_several_versions_counts(self):
        text = f"torch==2.10.0 passes\ntorch==2.11.0 fails\n{GRAPH}"
        self.assertEqual(self.told(text), (["2.10.0 in line 1, 2.11.0 in line 2; --torch says which is meant, 2.15 is predicted"], 1))
        self.assertEqual(self.told(text, "--torch", "2.10"), (["2.10.0 in line 1, 2.11.0 in line 2; --torch asks for 2.10"], 0))

    def test_printing_process_counts_before_a_listing(self):
        self.assertEqual(self.told(f"it passed with torch==2.14.0\n# torch version: 2.11.0\n{GRAPH}"), (["2.11.0 in line 2"], 0))

    def test_version_out_of_range_is_reported(self):
        self.assertEqual(self.told(f"torch==2.8.0\n{GRAPH}"), (["2.8.0 in line 1; 2.9 to 2.15 are known, 2.9 is predicted"], 0))
        self.assertEqual(self.told(f"torch==2.16.0\n{GRAPH}"), (["2.16.0 in line 1; 2.9 to 2.15 are known, 2.15 is predicted"], 1))

    def test_tlparse_file_has_its_folders_version(self):
        for path, text in {"-_0_0_0/aot_joint_graph_5.txt": GRAPH, "-_-_-_-/torch_version_0.json": '{\n  "pytorch_version": "2.11.0+cu130"\n}'}.items():
            (self.folder / path).parent.mkdir()
            (self.folder / path).write_text(text)
        done = self.ersatz("crosscheck", self.folder / "-_0_0_0/aot_joint_graph_5.txt")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn(f"PyTorch: 2.11.0+cu130 in {self.folder}/-_-_-_-/torch_version_0.json\n", done.stdout)

    @unittest.skipUnless((DATA / "artefacts/versions").is_dir(), "ERSATZ_DATA has no artefacts")
    def test_real_logs_of_three_versions_name_theirs(self):
        for path, version in {"versions/2.9.1/custom_op.log": "2.9.1+cu128 in line 270", "versions/2.11.0/dynamic_shapes.log": "2.11.0+cu130 in line 857",
                              "torch_trace/cond.log": "2.15.0+cu132 in line ", "runnable/gpt2.1_0.3.fx_graph_runnable.py": "2.15.0+cu132 in line 51"}.items():
            with self.subTest(path):
                self.assertIn(f"\nPyTorch: {version}", self.ersatz("crosscheck", DATA / "artefacts" / path).stdout)


if __name__ == "__main__":
    unittest.main()
