"""Custom operators in a live crosscheck: each call is compared with the operator's own fake kernel."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import random
import tempfile
import unittest

try:
    import torch
except ImportError as e:
    raise unittest.SkipTest("needs torch") from e

import ersatz
import ersatz.torch
from ersatz.torch import glue

WEIGHTS = {}  # data that a kernel reads besides its arguments, so that a sample call of it does not work
ASKED = []


def operator(name, mutates=()):
    return torch.library.custom_op(f"own_test::{name}", mutates_args=mutates)


@operator("scaled")
def scaled(x: torch.Tensor, k: float) -> torch.Tensor:
    return x * k


@scaled.register_fake
def _(x, k):
    ASKED.append("real" if type(x) is torch.Tensor and not x.is_meta else "fake")
    torch.manual_seed(1), random.seed(1), random.gauss(0, 1), torch.set_grad_enabled(False), torch.set_default_dtype(torch.float64)
    return torch.empty_like(x)


@operator("transposed")
def transposed(x: torch.Tensor) -> torch.Tensor:
    return (x + 1).mT.contiguous().mT


@transposed.register_fake
def _(x):
    return torch.empty_like(x)


@operator("positive")
def positive(x: torch.Tensor) -> torch.Tensor:
    return (x > 0).to(torch.int32)


@positive.register_fake
def _(x):
    return x.new_empty(x.shape, dtype=torch.int64)


@operator("layer")
def layer(x: torch.Tensor, name: str) -> torch.Tensor:
    return x @ WEIGHTS[name]


@layer.register_fake
def _(x, name):
    return x.new_empty(x.shape)


@operator("writes")
def writes(x: torch.Tensor) -> torch.Tensor:
    ctypes.memset(x.data_ptr(), 0, 4)  # the write does not change the version
    return x.clone()


@writes.register_fake
def _(x):
    return torch.empty_like(x)


@operator("hands_out")
def hands_out(x: torch.Tensor) -> torch.Tensor:
    return x.clone()


@hands_out.register_fake
def _(x):
    raise ValueError("three rows are too many")


@operator("picky")
def picky(x: torch.Tensor) -> torch.Tensor:
    if len(x) > 2:
        raise IndexError("there is no row 3")
    return x.clone()


@picky.register_fake
def _(x):
    return torch.empty_like(x)


def by_data(name, dtype, columns):
    @operator(name)
    def kernel(x: torch.Tensor) -> torch.Tensor:
        return x.nonzero().contiguous()

    @kernel.register_fake
    def _(x):
        return x.new_empty((torch.library.get_ctx().new_dynamic_size(), columns), dtype=dtype)
    return kernel


rows, wrong_rows, wide_rows = (by_data(name, dtype, columns) for name, dtype, columns in
                               [("rows", torch.int64, 2), ("wrong_rows", torch.int32, 2), ("wide_rows", torch.int64, 3)])


@operator("added", ("x",))
def added(x: torch.Tensor, y: torch.Tensor) -> None:
    x.add_(y)


@operator("bare")
def bare(x: torch.Tensor) -> torch.Tensor:
    return x + 1


@operator("bits")
def bits(x: torch.Tensor) -> torch.Tensor:
    return x.to(torch.uint8).view(torch.bits8)


@bits.register_fake
def _(x):
    return torch.empty_like(x, dtype=torch.bits8)


def narrowed(name, dtype, said):
    """Defines an operator with two results, one of them of a dtype that ersatz lacks."""
    @operator(name)
    def kernel(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        return x.to(torch.uint8).repeat_interleave(dtype.itemsize, -1).view(dtype), x.sum(0)

    @kernel.register_fake
    def _(x):
        return torch.empty_like(x, dtype=said), x.new_empty(x.shape[1:])
    return kernel


NARROW = [torch.float8_e4m3fn, torch.float8_e4m3fnuz, torch.float8_e5m2, torch.float8_e5m2fnuz, torch.float8_e8m0fnu, torch.float4_e2m1fn_x2,
          torch.uint16, torch.uint32, torch.uint64]
narrow = {dtype: narrowed(f"narrow{i}", dtype, dtype) for i, dtype in enumerate(NARROW)}
other_narrow = narrowed("other_narrow", torch.float8_e5m2, torch.float8_e4m3fn)


@operator("of_narrow")
def of_narrow(x: torch.Tensor) -> torch.Tensor:
    return x.to(torch.float32)[:1]


@of_narrow.register_fake
def _(x):
    return x.new_empty(x.shape, dtype=torch.float32)


@operator("head")
def head(x: torch.Tensor) -> torch.Tensor:
    return x.sum(1)


@head.register_fake
def _(x):
    return x.new_empty(torch.library.get_ctx().new_dynamic_size())


def left_out(name, dtype, left):
    """Defines an operator whose kernel does not write the last elements of its result."""
    @operator(name)
    def kernel(x: torch.Tensor) -> torch.Tensor:
        out = torch.empty_like(x, dtype=dtype)
        out.view(-1)[:out.numel() - left].fill_(1)
        return out

    @kernel.register_fake
    def _(x):
        return torch.empty_like(x, dtype=dtype)
    return kernel


half_written = {dtype: left_out(f"half_{dtype}".replace(".", "_"), dtype, 16) for dtype in
                [torch.float32, torch.float64, torch.bfloat16, torch.uint8, torch.bool, torch.int64, torch.complex64]}
all_written = {dtype: left_out(f"whole_{dtype}".replace(".", "_"), dtype, 0) for dtype in [torch.float32, torch.uint8, torch.bool]}


LIBRARY = torch.library.Library("own_test", "FRAGMENT")
LIBRARY.define("tail(Tensor(a) x) -> Tensor(a)")
LIBRARY.impl("tail", lambda x: x[1:], "CPU")
LIBRARY.impl("tail", lambda x: x[1:], "Meta")
LIBRARY.define("nothing(Tensor x) -> Tensor?")
LIBRARY.impl("nothing", lambda x: None, "CPU")
LIBRARY.impl("nothing", lambda x: None, "Meta")
LIBRARY.define("add_to(Tensor(a!) x, Tensor y) -> Tensor(a!)")
LIBRARY.impl("add_to", lambda x, y: x.add_(y), "CPU")
LIBRARY.impl("add_to", lambda x, y: x.add_(y), "Meta")
LIBRARY.define("composite(Tensor x) -> Tensor")
LIBRARY.impl("composite", lambda x: torch.ops.own_test.transposed(x) * 2, "CompositeImplicitAutograd")


class OwnCalls(unittest.TestCase):
    native = False

    def check(self, *calls, **options):
        """Returns the report of a run that makes these calls."""
        with ersatz.torch.crosscheck(native=self.native, **options) as live:
            for op, *args in calls:
                op(*args)
        return live.report

    def found(self, op, *args):
        """Returns the only finding of a run that makes this call, which may raise."""
        with ersatz.torch.crosscheck(native=self.native) as live, contextlib.suppress(IndexError):
            op(*args)
        [finding] = live.report.findings
        return finding

    def test_predicted_calls_are_counted_without_output(self):
        x, y = torch.randn(3, 4), torch.randn(3, 4)
        report = self.check((scaled, x, 2.0), (added, x.clone(), y), (torch.ops.own_test.tail, x), (rows, x), (rows, torch.ones(2, 2)))
        self.assertEqual((report.findings, report.own_judged, report.own_unjudged), ((), 5, {}), str(report))
        self.assertTrue(report.clean)
        report.raise_if_findings()

    def test_wrong_metadata_is_found_with_its_line(self):
        x = torch.randn(3, 4)
        stride = self.found(transposed, x)
        self.assertEqual((stride.op, stride.field, stride.observed), ("own_test.transposed.default", "stride", "f32[3,4]{1,3}+0@cpu"))
        self.assertRegex(stride.cause, r"to change: .*own_calls_test.py:\d+ in _: return torch.empty_like\(x\)")
        self.assertEqual(self.found(positive, x).field, "dtype")
        WEIGHTS["up"] = torch.randn(4, 5)
        self.assertEqual(self.found(layer, x, "up").observed, "f32[3,5]{5,1}+0@cpu")

    def test_write_without_version_change_is_found_in_bytes(self):
        finding = self.found(writes, torch.ones(2, 2))
        self.assertEqual(finding.field, "undeclared_write")
        self.assertIn('mutates_args=("x",)', finding.cause)
        self.assertEqual(self.check((writes, torch.ones(2, 2)), bytes=0).findings, ())  # no bytes are compared

    def test_meta_arguments_have_no_bytes_to_compare(self):
        report = self.check(*[(op, torch.ones(2, 2, device="meta")) for op in (transposed, torch.ops.own_test.tail) for _ in range(2)])
        self.assertEqual(report.findings, (), str(report))  # PyTorch itself calls the fake kernel
        self.assertEqual((report.own_judged, report.clean), (4, True))

    def test_torchscript_class_of_an_unjudged_call_is_named(self):
        with ersatz.torch.crosscheck(native=self.native) as live, torch.profiler.record_function("mark"):
            torch.ones(2).relu()
        self.assertEqual(set(live.report.skipped_calls), {"class __torch__.torch.classes.profiler._RecordFunction"})
        self.assertTrue(live.clean)

    def test_who_raises_is_compared(self):
        finding = self.found(hands_out, torch.ones(3))
        self.assertEqual((finding.field, finding.predicted, finding.observed), ("error", "raises ValueError", "returns"))
        finding = self.found(picky, torch.ones(3))
        self.assertEqual((finding.field, finding.predicted, finding.observed), ("error", "returns", "raises IndexError"))
        self.assertIn("the kernel refuses the call", finding.cause)
        self.assertIn("no row 3", finding.cause)
        self.assertEqual(self.check((picky, torch.ones(2))).findings, ())

    def test_a_result_that_is_none_is_one(self):
        report = self.check(*[(torch.ops.own_test.nothing, torch.ones(n)) for n in (2, 2, 3)])
        self.assertEqual((report.findings, report.own_judged), ((), 3), str(report))

    def test_write_of_shared_memory_is_declared_once(self):
        x = torch.ones(4, 3)
        report = self.check((torch.ops.own_test.add_to, x[:2], x[2:]), (added, x[:2], x[2:]))
        self.assertEqual((report.findings, report.own_judged), ((), 2), str(report))

    def test_data_dependent_sizes_are_the_kernels(self):
        x = torch.eye(3)
        self.assertEqual(self.found(wrong_rows, x).predicted, "i32[3,2]{2,1}+0@cpu")
        self.assertEqual(self.found(wide_rows, x).predicted, "i64[3,3]{3,1}+0@cpu")

    def test_composite_is_judged_by_parts_in_inference_mode(self):
        x = torch.ones(2, 3)
        for mode in (torch.no_grad, torch.inference_mode):
            with mode():
                report = self.check((torch.ops.own_test.composite, x))
            self.assertEqual([f.op for f in report.findings], ["own_test.transposed.default"])

    def test_fake_kernel_is_asked_once_per_metadata(self):
        x = torch.randn(5, 2)
        ASKED.clear()
        torch.manual_seed(7), random.seed(7), random.gauss(0, 1)
        report = self.check(*[(scaled, x, 3.0)] * 3, (scaled, torch.randn(5, 2), 3.0), (scaled, x.mT, 3.0))
        drawn = torch.randn(2), random.gauss(0, 1), random.random()
        self.assertEqual(ASKED, ["fake"] * 2)
        torch.manual_seed(7), random.seed(7), random.gauss(0, 1)
        torch.randn(5, 2)
        self.assertTrue(torch.equal(drawn[0], torch.randn(2)))
        self.assertEqual(drawn[1:], (random.gauss(0, 1), random.random()))
        self.assertEqual((torch.is_grad_enabled(), torch.get_default_dtype()), (True, torch.float32))
        self.assertEqual(json.loads(report.to_json())["own"], {"judged": 5, "known": 3, "unjudged": {}})

    def test_a_recorded_run_is_left_alone_too(self):
        with tempfile.TemporaryDirectory() as folder:
            torch.manual_seed(7), random.seed(7)
            with ersatz.torch.record(os.path.join(folder, "run.jsonl")):
                scaled(torch.ones(3, 2), 3.0)
            drawn = torch.randn(2).tolist(), random.random()
        torch.manual_seed(7), random.seed(7)
        self.assertEqual(drawn, (torch.randn(2).tolist(), random.random()))
        self.assertEqual((torch.is_grad_enabled(), torch.get_default_dtype()), (True, torch.float32))

    def test_call_returning_an_argument_is_judged_once(self):
        x = torch.ones(4)
        report = self.check(*[(torch.ops.own_test.tail, x)] * 3, *[(added, torch.ones(2), torch.ones(2))] * 3)
        self.assertEqual((report.findings, report.own_judged), ((), 6))
        self.assertEqual(json.loads(report.to_json())["own"]["known"], 4)

    def test_what_nobody_judged_is_named_and_not_clean(self):
        report = self.check((bare, torch.ones(2)), (bare, torch.ones(2)), (bits, torch.ones(2)), (torch.relu, torch.ones(2)))
        self.assertEqual(report.own_unjudged, {"own_test.bare.default": 2, "own_test.bits.default": 1})
        self.assertEqual((report.status, report.clean, report.findings), ("unjudged", False, ()))
        self.assertIn('2 calls of own_test.bare.default (no fake kernel: @torch.library.register_fake("own_test::bare"))', str(report))
        self.assertIn("1 call of own_test.bits.default (dtype bits8)", str(report))
        self.assertEqual(report.closing_line, "crosscheck: 1 compared, 0 mismatched, 3 skipped (unsupported 3); not clean: 3 calls of "
                         "own_test.bare.default, own_test.bits.default were not judged")
        with self.assertRaisesRegex(ersatz.errors.Unjudged, "were not judged"):
            report.raise_if_findings()

    def test_narrow_dtypes_are_judged(self):
        x = torch.ones(3, 4)
        report = self.check(*[(op, x) for op in narrow.values()])
        self.assertEqual((report.findings, report.own_judged, report.own_unjudged), ((), len(narrow), {}), str(report))
        for dtype, op in narrow.items():  # a result of this dtype becomes an argument of the next call
            report = self.check((of_narrow, op(x)[0]) if dtype.is_floating_point and dtype.itemsize == 1 and "4_" not in str(dtype) else (op, x))
            self.assertTrue(report.own_judged, str(report))
        finding = self.found(other_narrow, x)
        self.assertEqual((finding.field, finding.predicted, finding.observed),
                         ("dtype", "f8e4m3fn[3,4]{4,1}+0@cpu", "f8e5m2[3,4]{4,1}+0@cpu"))
        finding = self.found(of_narrow, narrow[torch.float8_e5m2](x)[0])
        self.assertEqual(finding.field, "size")

    def test_size_argument_s_is_no_unknown_one(self):
        calls = [(head, torch.ones(n, 2)) for n in (3, 5, 3, 7)]
        self.assertEqual(self.check(*calls[:3]).findings, ())  # too few calls to be sure
        report = self.check(*calls)
        [finding] = report.findings
        self.assertEqual((finding.field, finding.predicted, finding.observed), ("dynamic_size", "dim 0 not known", "x.shape[0] in all calls"))
        self.assertRegex(finding.cause, r"in 4 of 4 calls .*; to change: .*own_calls_test.py:\d+ in _: return x.new_empty\(")
        self.assertIn("own_calls_test.py", finding.source)
        self.assertEqual(finding.repro, "")  # one call alone does not show the finding
        self.assertEqual((report.mismatched, json.loads(report.to_json())["times"]), (1, [4]))
        more = [(rows, torch.eye(n)) for n in (3, 5, 7, 9)] + [(rows, torch.ones(2, 2))]
        self.assertEqual(self.check(*more).findings, ())  # in one call the values decided the size

    def test_unwritten_elements_are_found_in_first_calls(self):
        for dtype, op in half_written.items():
            with self.subTest(dtype):
                finding = self.found(op, torch.ones(5, 8))
                self.assertEqual((finding.field, finding.observed), ("unwritten", "16 of 40 elements are not"))
                self.assertEqual(json.loads(finding.repro)["unwritten"], {"0": {"untouched": 16, "of": 40}})
        for op in all_written.values():
            self.assertEqual(self.check((op, torch.ones(5, 8)), (op, torch.ones(0, 3))).findings, ())
        first = half_written[torch.float32]
        self.assertEqual(self.check((first, torch.ones(5, 8)), bytes=0).findings, ())
        self.assertEqual(self.check((first, torch.ones(5, 8)), bytes=100).findings, ())
        report = self.check(*[(first, torch.ones(5, 8))] * 5)
        self.assertEqual(json.loads(report.to_json())["times"], [3])  # bytes are compared only in the first calls

    def test_what_is_excluded_by_name_is_no_reason(self):
        report = self.check((bare, torch.ones(2)), (torch.relu, torch.ones(2)), exclude=["own_test.b*"])
        self.assertEqual((report.clean, report.skipped), (True, {"excluded": 1}))
        report = self.check((transposed, torch.ones(2, 3)), (torch.relu, torch.ones(2)), exclude=["own_test.transposed.default"])
        self.assertEqual((report.clean, report.skipped), (True, {"excluded": 1}))

    def test_run_without_comparisons_is_not_clean(self):
        report = self.check()
        self.assertEqual((report.status, report.clean), ("unjudged", False))
        with self.assertRaisesRegex(ersatz.errors.Unjudged, "nothing was compared"):
            report.raise_if_findings()

    def test_recorded_calls_are_judged_by_the_command(self):
        for op, status in ((transposed, 1), (scaled, 0), (bare, 2)):
            with tempfile.TemporaryDirectory() as folder, self.subTest(op):
                path = os.path.join(folder, "run.jsonl")
                with ersatz.torch.record(path):
                    op(*(torch.ones(2, 3), 2.) if op is scaled else (torch.ones(2, 3),))
                for command in ("crosscheck", "validate") if status < 2 else ("crosscheck",):
                    self.assertEqual(ersatz._ersatz.run_command([command, path, "--json", "-o", path + ".json"]), status)
                with open(path + ".json", encoding="utf-8") as file:
                    found = [(f["op"], f["field"]) for f in json.load(file)["findings"]]
                self.assertEqual(found, [("own_test.transposed.default", "stride")] if status == 1 else [])

    def test_program_node_is_judged_by_real_facts(self):
        class Model(torch.nn.Module):
            def __init__(self, op):
                super().__init__()
                self.op = op

            def forward(self, x):
                return torch.relu(self.op(x))
        for op, status, found in ((all_written[torch.float32], 0, []), (transposed, 1, [("own_test.transposed.default", "stride")])):
            with tempfile.TemporaryDirectory() as folder, self.subTest(op):
                path, inputs = os.path.join(folder, "model.pt2"), (torch.randn(2, 3),)
                torch.export.save(torch.export.export(Model(op), inputs), path)
                self.assertEqual(ersatz._ersatz.run_command(["crosscheck", path]), 2)  # this process lacks the operator
                ersatz.torch.facts(path, inputs, folder)
                self.assertEqual(ersatz._ersatz.run_command(["crosscheck", path, "--json", "-o", path + ".json"]), status)
                with open(path + ".json", encoding="utf-8") as file:
                    report = json.load(file)
                self.assertEqual([(f["op"], f["field"]) for f in report["findings"]], found)
                self.assertEqual((report["own"]["judged"], report["own"]["unjudged"], report["missing"]), (1, {}, {}))

    def test_each_finding_has_record_that_shows_it_again(self):
        record = json.loads(self.found(transposed, torch.ones(2, 3)).repro)
        self.assertEqual((record["schema"], record["fake"]["out"][0]["t"]), ("own_test::transposed(Tensor x) -> Tensor", "f32[2,3]{3,1}+0@cpu"))


@unittest.skipUnless(glue.load(), "the native glue of this version is not built, or ERSATZ_GLUE=0: python -m ersatz build-glue")
class OwnCallsInTheGlue(OwnCalls):
    native = True


if __name__ == "__main__":
    unittest.main()
