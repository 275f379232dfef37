"""The recorder writes the calls of live runs, and does not change the runs."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import weakref

try:
    import torch
except ImportError:
    torch = None
else:
    import planted_ops
    import recording
    from recording import facts, probe, record

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "python/ersatz/torch"  # the recorder's folder, which needs nothing else of the package
PROGRAM = os.environ.get("ERSATZ_PROGRAM")


def wrong_field(record):
    """Returns the first field in which a record's run differs from its prediction. Strides without effect do not count."""
    fake, out = record.get("fake"), record.get("out")
    if fake in (None, "out") or "fake_err" in fake:
        seen = record.get("bytes", {}).values()
        return "bytes" if any(b.get("beside") or b.get("filled") and b["untouched"] for b in seen) else None
    if fake.get("err") != record.get("err"):
        return "error"
    if len(fake["out"]) != len(out):
        return "size"
    names = {t["s"] for t in record["args"] if isinstance(t, dict) and "s" in t}
    for p, o in zip(fake["out"], out):
        (mine, my_offset), (theirs, offset) = split(p["t"]), split(o["t"])
        if mine[0] != theirs[0]:
            return "dtype"
        if mine[1] != theirs[1]:
            return "size"
        if mine[2] != theirs[2]:
            return "stride"
        if my_offset != offset:
            return "offset"
        if (p["s"] in names) != (o["s"] in names):
            return "alias"
    if len({p["s"] for p in fake["out"]}) != len({o["s"] for o in out}):
        return "alias"
    return "write" if set(record.get("after", {})) - set(fake.get("after", {})) else None


def split(text):
    dtype, rest = text.split("[")
    sizes, rest = rest.split("]{")
    strides, rest = rest.split("}")
    sizes = sizes.split(",")
    strides = [] if "0" in sizes else [(n, s) for n, s in zip(sizes, strides.split(",")) if n != "1"]
    return (dtype, sizes, strides), rest


@unittest.skipUnless(torch, "no PyTorch: ERSATZ_TORCH_PYTHON names a Python that has it")
class RecorderCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.path = self.folder / "run.jsonl"

    def record(self, run, **options):
        with record(self.path, **options) as self.recorder:
            run()
        return self.records()

    def records(self):
        return [json.loads(line) for line in self.path.read_text().splitlines()]

    def ersatz(self, *args):
        if not PROGRAM:
            self.skipTest("ERSATZ_PROGRAM is not set")
        return subprocess.run([PROGRAM, *map(str, args)], capture_output=True, text=True)


class TheRun(RecorderCase):
    def step(self):
        torch.manual_seed(7)
        net = torch.nn.Sequential(torch.nn.Conv2d(3, 4, 3), torch.nn.BatchNorm2d(4), torch.nn.ReLU(), torch.nn.Dropout(), torch.nn.Flatten(), torch.nn.Linear(144, 5))
        optimizer = torch.optim.Adam(net.parameters())
        for _ in range(2):
            optimizer.zero_grad()
            net(torch.randn(2, 3, 8, 8)).logsumexp(1).sum().backward()
            optimizer.step()
        state = [*net.state_dict().values(), *(p.grad for p in net.parameters()), torch.get_rng_state()]
        return [t.clone() for t in state], [p.grad.stride() for p in net.parameters()]

    def test_has_same_bits_with_and_without_recorder(self):
        plain, strides = self.step()
        for options in ({}, {"values": 1000}, {"fake": False}):
            with record(self.path, **options):
                recorded, recorded_strides = self.step()
            self.assertEqual(strides, recorded_strides)
            self.assertTrue(all(torch.equal(a, b) for a, b in zip(plain, recorded)))
        self.assertGreater(len(self.records()), 50)

    def test_is_not_shown_to_other_modes(self):
        class Count(torch.utils._python_dispatch.TorchDispatchMode):
            seen = []
            def __torch_dispatch__(self, func, types, args=(), kwargs=None):
                self.seen.append(func)
                return func(*args, **(kwargs or {}))
        with Count():
            self.record(lambda: torch.ones(2).add(1), values=10)
        self.assertEqual(Count.seen, [torch.ops.aten.ones.default, torch.ops.aten.add.Tensor])

    def test_keeps_its_errors(self):
        with self.assertRaisesRegex(RuntimeError, "must match the size"):
            self.record(lambda: torch.ones(3) + torch.ones(4))
        last = self.records()[-1]
        self.assertEqual((last["err"], last["fake"]), ("RuntimeError", "out"))
        self.assertIn("must match the size", last["message"])

    def test_frees_its_tensors(self):
        alive = []
        def run():
            for n in range(200):
                t = torch.ones(1000 + n)
                alive.append(weakref.ref(t.untyped_storage()))
                (t + 1).sum()
        self.record(run)
        self.assertEqual(sum(a() is not None for a in alive), 0)

    def test_ever_new_sizes_keep_remembered_predictions_bounded(self):
        before, recording.prediction.MOST_PREDICTIONS = recording.prediction.MOST_PREDICTIONS, 2000
        self.addCleanup(setattr, recording.prediction, "MOST_PREDICTIONS", before)
        self.record(lambda: [torch.ones(n) for n in range(100)])
        predictor = self.recorder._predictor
        self.assertLessEqual(sum(len(k[-1]) for k in predictor.known), 2000)
        self.assertLess(len(predictor.known), 40)

    def test_under_vmap_and_functionalize_goes_on(self):
        x = torch.randn(3, 4)
        out = []
        records = self.record(lambda: out.extend([torch.vmap(torch.sin)(x), torch.func.functionalize(lambda t: t.clone().add_(1))(x)]))
        self.assertTrue(torch.equal(out[0], x.sin()) and torch.equal(out[1], x + 1))
        self.assertIn("aten.sin.default", [r["op"] for r in records])

    def test_in_a_process_that_dies_leaves_whole_lines(self):
        script = f"import sys, os; sys.path.insert(0, {str(FOLDER)!r}); import torch, recording\n" \
                 f"with recording.record({str(self.path)!r}):\n    for n in range(50): torch.ones(n).add_(1)\n    os.kill(os.getpid(), 9)\n"
        self.assertEqual(subprocess.run([sys.executable, "-c", script]).returncode, -9)
        self.assertEqual(len(self.records()), 100)
        self.assertTrue(self.path.read_text().endswith("}\n"))


class ACall(RecorderCase):
    def test_operator_making_lazy_conjugates_is_unchanged(self):
        x, root = torch.tensor([[2, 1j], [-1j, 2]]), torch.ops.aten.linalg_matrix_sqrth
        plain, results = root(x), []
        self.record(lambda: results.append(root(x)))
        self.assertTrue(torch.equal(plain, results[0]), (plain, results[0]))


class ARecord(RecorderCase):
    def test_has_views_writes_and_argument_that_result_is(self):
        def run():
            x = torch.zeros(2, 3)
            x.t().add_(1)
        zeros, t, add = self.record(run)
        self.assertEqual(t["out"], [{"t": "f32[3,2]{1,3}+0@cpu", "s": 0, "n": 24}])
        self.assertEqual(add["out"], [{"t": "f32[3,2]{1,3}+0@cpu", "s": 0, "n": 24, "is": 0}])
        self.assertEqual(add["after"], {"0": add["out"][0]})
        self.assertEqual([r["fake"] for r in (zeros, t, add)], ["out"] * 3)

    def test_says_the_line_of_the_run(self):
        record, = self.record(lambda: torch.ones(3))
        self.assertRegex(record["at"], r"recorder_test\.py:\d+ in <lambda>: record, = self\.record")

    def test_has_small_values_and_results_with_all_arguments(self):
        x = torch.tensor([1.5, float("nan"), -float("inf")])
        small, large = self.record(lambda: (x.neg(), torch.add(x.expand(2, 3), x)), values=4)[::2]
        self.assertEqual((small["args"][0]["v"], small["out"][0]["v"]), ([1.5, "nan", "-inf"], [-1.5, "nan", "inf"]))
        self.assertNotIn("v", large["args"][0])
        self.assertNotIn("v", large["out"][0])

    def test_has_changes_of_arguments_on_shared_memory(self):
        x = torch.tensor([2.0, 3.0])
        twin, apart = torch.empty(0).set_(x.untyped_storage(), 0, (2,), (1,)), torch.tensor([5.0])
        record, = self.record(lambda: torch.ops.aten.add.out(x, apart, out=twin), values=4)
        self.assertEqual({k: r["v"] for k, r in record["after"].items()}, {"0": [7.0, 8.0], "2": [7.0, 8.0]})

    def test_has_statistics_that_norm_writes_without_saying_so(self):
        mean, var = torch.zeros(1), torch.ones(1)
        record, = self.record(lambda: torch.ops.aten.native_batch_norm(torch.tensor([[1.0], [3.0]]), None, None, mean, var, True, 0.5, 0.0), values=4)[1:]
        self.assertEqual({k: r["v"] for k, r in record["after"].items()}, {"1": [1.0], "2": [1.5]})

    def test_has_the_values_that_decide_a_size(self):
        record, = self.record(lambda: torch.ones(5).nonzero())[1:]
        self.assertEqual((record["args"][0]["v"], record["fake"]), ([1.0] * 5, {"fake_err": "DynamicOutputShapeException"}))
        self.assertEqual(self.record(lambda: torch.ones(5000).nonzero())[1]["lacks"], "values")

    def test_subclass_call_has_its_inner_calls(self):
        class Wrapped(torch.Tensor):
            @staticmethod
            def __new__(cls, inner):
                self = torch.Tensor._make_wrapper_subclass(cls, inner.shape, dtype=inner.dtype)
                self.inner = inner
                return self
            @classmethod
            def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
                return cls(func(*(a.inner if isinstance(a, cls) else a for a in args), **(kwargs or {})))
        x = Wrapped(torch.ones(3))
        out = []
        inner, outer = self.record(lambda: out.append(torch.sin(x)))
        self.assertEqual(inner["args"][0]["t"], "f32[3]{1}+0@cpu")
        self.assertEqual((outer["op"], outer["args"]), ("aten.sin.default", [{"opaque": ["Wrapped", "f32[3]{1}+0@cpu"]}]))
        self.assertTrue(torch.equal(out[0].inner, torch.ones(3).sin()))

    def test_fake_cuda_and_sparse_tensors_are_named(self):
        from torch._subclasses.fake_tensor import FakeTensorMode
        with FakeTensorMode():
            x = torch.ones(3, device="cuda")
            records = self.record(lambda: x + 1)
        self.assertEqual(records[-1]["args"][0], {"opaque": ["FakeTensor", "f32[3]{1}+0@cuda:0"]})
        sparse = torch.eye(3).to_sparse()
        self.assertEqual(self.record(lambda: sparse * 2)[0]["args"][0]["opaque"][0], "sparse_coo layout")


class TheFile(RecorderCase):
    def test_stays_below_its_bound_and_says_so(self):
        with self.assertWarnsRegex(UserWarning, "calls are not recorded"):
            records = self.record(lambda: [torch.ones(n) for n in range(100)], max_bytes=4000)
        self.assertLessEqual(self.path.stat().st_size, 4000)
        self.assertEqual(self.recorder.recorded + self.recorder.dropped, 100)
        self.assertEqual(records[-1]["notes"], ["the recording ends here: its file would exceed 4000 bytes (max_bytes)"])

    def test_has_each_call_once_where_asked_for(self):
        self.assertEqual(len(self.record(lambda: [torch.ones(3) for _ in range(9)], unique=True)), 1)
        self.assertEqual(self.recorder.repeated, 8)

    def test_replays_without_a_finding(self):
        def run():
            x = torch.randn(4, 3, 8, 8, requires_grad=True).to(memory_format=torch.channels_last)
            y = torch.nn.functional.conv2d(x, torch.randn(5, 3, 3, 3))
            torch.cat([y.relu().sum((2, 3)), torch.arange(20.0).reshape(4, 5)], 1).softmax(1)[:, torch.tensor([0, 2])].nonzero()
        self.assertTrue(any("v" in str(r["out"]) for r in self.record(run, values=1000)))
        done = self.ersatz("crosscheck", self.path)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn(" 0 mismatched", done.stdout)

    def test_cuda_run_is_judged_by_cudas_rules(self):
        line = '{"format":2,"id":"0","op":"aten.t.default","args":[{"t":"f32[2,3]{3,1}+0@cuda:0","s":0,"n":24}],"kwargs":{},"out":[{"t":"f32[3,2]{1,3}+0@cuda:0","s":0,"n":24}]}\n'
        self.path.write_text(line)
        self.assertEqual(self.ersatz("crosscheck", self.path).returncode, 0)
        self.path.write_text(line.replace("{1,3}", "{2,1}"))
        done = self.ersatz("crosscheck", self.path)
        self.assertEqual(done.returncode, 1)
        self.assertIn("stride", done.stdout)

    def test_newer_format_is_refused_older_read(self):
        record, = self.record(lambda: torch.ones(3))
        for version, status in ((1, 0), (2, 0), (3, 2)):
            self.path.write_text(json.dumps({**record, "format": version}) + "\n")
            done = self.ersatz("crosscheck", self.path)
            self.assertEqual(done.returncode, status, done.stderr)
        self.assertIn("written in format 3, this ersatz reads up to 2: update ersatz", done.stderr)


class AProbe(RecorderCase):
    def first_wrong(self, op, sample):
        calls = probe(op, [sample], self.path)["calls"]
        records = self.records()
        self.assertEqual(len(records), calls)
        self.assertGreater(calls, 15)
        return next(((r["op"], f) for r in records if (f := wrong_field(r))), None)

    def test_finds_each_planted_mistake_in_its_field(self):
        for name, (op, sample, field) in planted_ops.PLANTED.items() if torch else ():
            with self.subTest(name):
                self.assertEqual(self.first_wrong(op, sample), (f"planted.{name}.default", field))

    def test_validate_names_op_and_field_first(self):
        spelled = {"write": ("undeclared_write",), "bytes": ("unwritten", "out_of_bounds")}
        for name, (op, sample, field) in planted_ops.PLANTED.items() if torch else ():
            with self.subTest(name):
                probe(op, [sample], self.path)
                done = self.ersatz("validate", self.path)
                self.assertEqual(done.returncode, 1, done.stderr)
                first = done.stdout.splitlines()[0]
                self.assertRegex(first, rf"^finding: planted\.{name}\.default(, result \d+)?: ({'|'.join(spelled.get(field, (field,)))})(: |$)")

    def test_of_right_ops_leaves_validate_nothing_to_find(self):
        for name, (op, sample) in planted_ops.RIGHT.items() if torch else ():
            with self.subTest(name):
                calls = probe(op, [sample], self.path)["calls"]
                done = self.ersatz("validate", self.path)
                self.assertEqual(done.returncode, 0, done.stdout)
                self.assertIn(f"validate: 1 ops, {calls} calls, {calls} agreed, ", done.stdout)

    def test_finds_nothing_in_right_ops(self):
        for name, (op, sample) in planted_ops.RIGHT.items() if torch else ():
            with self.subTest(name):
                self.assertIsNone(self.first_wrong(op, sample))

    def test_writes_what_the_page_about_validate_shows(self):
        op, sample, _ = planted_ops.PLANTED["stride"]
        probe(op, [sample], self.path)
        kept = [json.loads(line) for line in (ROOT / "tests/recorder/stride_probe.jsonl").read_text().splitlines()]
        self.assertEqual([{**r, "at": ""} for r in self.records()], [{**r, "at": ""} for r in kept])

    def test_leaves_sample_and_generator_as_they_are(self):
        op, (x, acc), _ = planted_ops.PLANTED["beside"]
        before, state = (x.clone(), acc.clone()), torch.get_rng_state()
        probe(op, [(x, acc)], self.path)
        self.assertTrue(torch.equal(before[0], x) and torch.equal(before[1], acc) and torch.equal(state, torch.get_rng_state()))


class Facts(RecorderCase):
    def test_are_those_that_were_recorded_of_the_programs(self):
        own = pathlib.Path(os.environ.get("ERSATZ_DATA") or "absent") / "programs/own"
        folders = [ROOT / "tests/programs" / name for name in ("mlp", "resnet_tiny", "lenet_bn")]
        for folder in folders + [f for name in ("views_and_strides", "int_and_bool", "llama_tiny") if (f := own / name).exists()]:
            name = folder.name
            seen = {r["node"]: r for r in facts(str(folder / f"{name}.pt2"))["nodes"]}
            for row in json.loads((folder / "facts.json").read_text())["nodes"]:
                mine = seen[row["node"]]
                self.assertEqual(mine["target"], row["target"])
                self.assertEqual([(o["value"], o.get("real"), o.get("alias")) for o in mine["outputs"]],
                                 [(o["value"], o.get("real"), o.get("alias")) for o in row["outputs"]], row["node"])

    def test_have_values_of_conjugate_not_its_memory(self):
        class Net(torch.nn.Module):
            def forward(self, x):
                return torch.complex(x, x + 1).conj().t()
        program = torch.export.export(Net(), (torch.randn(2, 4),))
        torch.export.save(program, self.folder / "net.pt2")
        facts(program, None, self.folder)
        done = self.ersatz("crosscheck", self.folder / "net.pt2")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_of_an_own_program_are_read_by_crosscheck(self):
        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.up = torch.nn.Linear(4, 3)
            def forward(self, x):
                return self.up(x).t().relu()
        torch.export.save(torch.export.export(Net(), (torch.randn(2, 4),)).run_decompositions(), self.folder / "net.pt2")
        facts(str(self.folder / "net.pt2"), (torch.randn(2, 4),), self.folder)
        done = self.ersatz("crosscheck", self.folder / "net.pt2")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("facts of a real eager run", done.stdout)
        self.assertIn("values: compared 1", done.stdout)


if __name__ == "__main__":
    unittest.main()
