"""ersatz.torch.record as a part of the package: names of values, and the run as a program. More tests of the recorder
are in tests/recorder."""

import json
import os
import subprocess
import unittest

from own_folder import own_folder

try:
    import torch
except ImportError:
    torch = None
else:
    import ersatz.torch
    from varied_ops import OPS

PROGRAM = os.environ.get("ERSATZ_PROGRAM")


def nets():
    """Returns three small models with their inputs."""
    convolutions = [torch.nn.Conv2d(3, 4, 3), torch.nn.BatchNorm2d(4), torch.nn.ReLU(), torch.nn.MaxPool2d(2), torch.nn.Flatten(), torch.nn.Linear(36, 5)]
    attention = [torch.nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True), torch.nn.Flatten()]
    embedding = [torch.nn.Embedding(10, 6), torch.nn.Flatten(), torch.nn.LayerNorm(24)]
    return {"convolutions": (torch.nn.Sequential(*convolutions), torch.randn(2, 3, 8, 8)),
            "attention": (torch.nn.Sequential(*attention), torch.randn(2, 5, 8)),
            "embedding": (torch.nn.Sequential(*embedding), torch.randint(0, 10, (3, 4)))}


@unittest.skipUnless(torch, "no PyTorch: ERSATZ_TORCH_PYTHON names a Python that has it")
class AProgram(unittest.TestCase):
    def setUp(self):
        self.path = own_folder(self) / "run.jsonl"
        self.program = self.path.with_suffix(".txt")

    def ersatz(self, *args):
        if not PROGRAM:
            self.skipTest("ERSATZ_PROGRAM is not set")
        done = subprocess.run([PROGRAM, *map(str, args)], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def step(self, net, x, **options):
        with ersatz.torch.record(self.path, program=True, **options):
            net(x).logsumexp(1).sum().backward()

    def test_names_keep_the_flow_of_data(self):
        x = torch.ones(2, 3)
        with ersatz.torch.record(self.path):
            y = x.t()
            y.add_(1)
            x.sum()
        t, add, total = (json.loads(line)["names"] for line in self.path.read_text().splitlines())
        self.assertEqual((t["args"], t["out"]), (["t0.0"], ["t0.1"]))
        self.assertEqual((add["args"], add["out"]), (["t0.1"], ["t0.1"]))
        self.assertEqual((total["args"], total["out"]), (["t0.0"], ["t1.0"]))

    def test_names_a_tensor_that_is_given_twice(self):
        x = torch.ones(2, 2)
        with ersatz.torch.record(self.path):
            torch.add(x, x, out=x)
        line = json.loads(self.path.read_text())
        self.assertEqual([a.get("is") for a in (*line["args"], line["kwargs"]["out"], line["out"][0])], [None, 0, 0, 0])
        self.assertEqual(list(line["after"]), ["2"])
        self.assertIn("1 compared", self.ersatz("crosscheck", self.path))

    def test_holds_dicts_dtypes_formats_and_devices(self):
        x = torch.ones(1, 3, 2, 2)
        with ersatz.torch.record(self.path, program=True):
            OPS["taken"]({"b": x, "a": x})
            OPS["kept_dtype"](x, torch.float32)
            OPS["laid"](x, torch.contiguous_format)
            torch.ops.aten.empty.memory_format([2], device=torch.device("cpu"))
        taken, dtype, laid, empty = (json.loads(line) for line in self.path.read_text().splitlines())
        (b, t), (a, same) = taken["args"][0]["dict"]
        self.assertEqual((b, a, t["t"], same["is"] if "is" in same else same["s"]), ("b", "a", "f32[1,3,2,2]{12,4,2,1}+0@cpu", t["s"]))
        self.assertEqual(dtype["args"][1], {"dtype": "f32"})
        self.assertEqual(laid["args"][1], {"memory_format": "contiguous"})
        self.assertEqual(empty["kwargs"]["device"], {"device": "cpu"})
        self.assertNotIn("taken", self.program.read_text().split("graph(")[1])  # the text form has no dicts
        self.assertIn("1 agreed", self.ersatz("validate", self.path))

    def test_three_models_are_compared_like_their_records(self):
        for name, (net, x) in nets().items():
            with self.subTest(name):
                self.step(net, x)
                calls = len(self.path.read_text().splitlines())
                self.assertIn(f"{calls} nodes", self.ersatz("crosscheck", self.program))
                self.assertIn(" 0 mismatched, 0 skipped", self.ersatz("crosscheck", self.program).splitlines()[-1])
                self.assertIn(f"fake: {calls} nodes", self.ersatz("fake", self.program))
                self.assertIn(" 0 mismatched", self.ersatz("crosscheck", self.path).splitlines()[-1])

    def test_live_and_recorded_results_are_equally_many(self):
        for name, (net, x) in nets().items():
            with self.subTest(name), ersatz.torch.record(self.path), ersatz.torch.crosscheck(native=False) as live:
                net(x).logsumexp(1).sum().backward()
            self.assertRegex(live.closing_line, r"crosscheck: \d\d+ compared, 0 mismatched, 0 skipped")
            self.assertEqual(self.ersatz("crosscheck", self.path, "--no-real").splitlines()[-1], live.closing_line, name)

    def test_none_results_are_counted_nowhere(self):
        gradient, x, weight, true = torch.ones(1, 2, 2, 2), torch.ones(1, 3, 4, 4), torch.ones(2, 3, 3, 3), torch.tensor(True)
        with ersatz.torch.record(self.path), ersatz.torch.crosscheck(native=False) as live:
            torch.ops.aten.convolution_backward(gradient, x, weight, [0], [1, 1], [0, 0], [1, 1], False, [0, 0], 1, [False, True, False])
            torch.ops.aten._assert_async(true)  # has no results
        self.assertEqual(json.loads(live.to_json())["results"], 2)
        self.assertIn("crosscheck: 2 compared", self.ersatz("crosscheck", self.path, "--no-real"))

    def test_has_the_positions_that_it_starts_from(self):
        self.step(torch.nn.Sequential(torch.nn.Embedding(10, 6), torch.nn.Flatten()), torch.tensor([[7, 9]]))
        self.assertIn("16B i64 [7, 9]", self.program.read_text())

    def test_is_written_of_records_of_run_that_died(self):
        self.step(torch.nn.Linear(3, 2), torch.ones(4, 3))
        whole = self.program.read_text()
        self.path.write_text(self.path.read_text() + '{"format":2,"id":"9","op":"aten.ad')
        ersatz.torch.write_program(self.path, self.program)
        self.assertEqual(self.program.read_text(), whole)

    def test_omits_and_counts_unsayable_calls(self):
        sparse = torch.eye(3).to_sparse()
        with ersatz.torch.record(self.path, program=True):
            (sparse * 2).to_dense().add(1)
        self.assertIn("calls of the run are not here: what no record holds", self.program.read_text())
        self.ersatz("fake", self.program)

    def test_is_refused_where_calls_are_left_out(self):
        with self.assertRaisesRegex(ValueError, "unique=True leaves calls out"):
            ersatz.torch.record(self.path, program=True, unique=True)


if __name__ == "__main__":
    unittest.main()
