"""Models in float8, int4, int8 and microscaled dtypes are compared completely: exported, recorded and live."""

import pathlib
import unittest

try:
    import torch
except ImportError as e:
    raise unittest.SkipTest("needs torch") from e
from torch._subclasses.fake_tensor import FakeTensorMode

import ersatz
import ersatz.torch
from low_precision_models import MODELS, MicroscaledBlock, made
from own_folder import own_folder


class EachModel(unittest.TestCase):
    def judged(self, report):
        self.assertTrue(report.clean, str(report))
        self.assertEqual(report.mismatched, 0, str(report))
        self.assertGreaterEqual(report.compared, 2, str(report))
        self.assertFalse(report.skipped or report.skipped_calls, str(report))

    def each(self, judged):
        for model in MODELS:
            with self.subTest(model.__name__):
                judged(*made(model))

    def setUp(self):
        self.folder = pathlib.Path(own_folder(self))

    def exported(self, model, x):
        path = self.folder / "model.pt2"
        torch.export.save(torch.export.export(model, (x,)), path)
        self.judged(ersatz.crosscheck(str(path)))

    def recorded(self, model, x):
        path = self.folder / "run.jsonl"
        path.unlink(missing_ok=True)
        with ersatz.torch.record(str(path)):
            model(x)
        self.judged(ersatz.crosscheck(str(path)))

    def live(self, model, x):
        plain = model(x)
        with ersatz.torch.crosscheck(native=False) as live:
            watched = model(x)
        for a, b in zip(*(v if isinstance(v, tuple) else (v,) for v in (plain, watched)), strict=True):
            self.assertTrue(torch.equal(a.view(torch.uint8), b.view(torch.uint8)))
        self.judged(live.report)

    def test_exported(self):
        self.each(self.exported)

    def test_recorded(self):
        self.each(self.recorded)

    def test_live(self):
        self.each(self.live)

    def test_microscaled_gpu_block_is_judged_by_metadata(self):
        path = self.folder / "microscaled.pt2"
        with FakeTensorMode():
            exported = torch.export.export(MicroscaledBlock(), MicroscaledBlock.inputs())
        exported._example_inputs = None  # fakes have no values to save
        torch.export.save(exported, path)
        products = [node for node in exported.graph.nodes if node.target is torch.ops.aten._scaled_mm.default]
        self.assertEqual([tuple(node.meta["val"].shape) for node in products], [(128, 384), (128, 128), (128, 512), (128, 128)])
        report = ersatz.crosscheck(str(path), no_real=True)
        self.judged(report)
        self.assertGreater(report.compared, 100)


if __name__ == "__main__":
    unittest.main()
