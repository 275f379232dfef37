"""Each sentence about a cause in reports of ersatz.torch.validate appears if it is true, and only then."""

import re
import unittest

try:
    import torch
    from torch._subclasses.fake_tensor import FakeTensorMode
except ImportError:
    torch = None
else:
    import ersatz.torch
    import planted_causes


@unittest.skipUnless(torch, "no PyTorch: ERSATZ_TORCH_PYTHON names a Python that has it")
class ACause(unittest.TestCase):
    def found(self, name):
        op, sample, field, _, _ = planted_causes.CAUSES[name]
        report = ersatz.torch.validate(op, [sample])
        of_field = [f for f in report.findings if f.field == field]
        self.assertEqual(len(of_field), 1, str(report))
        return of_field[0], report

    def test_is_said_where_true_and_not_where_false(self):
        for name, (_, _, _, said, not_said) in planted_causes.CAUSES.items():
            with self.subTest(name):
                finding, _ = self.found(name)
                for words in said:
                    self.assertIn(words, finding.cause)
                for words in not_said:
                    self.assertNotIn(words, finding.cause)

    def test_is_one_finding(self):
        for name in planted_causes.CAUSES:
            with self.subTest(name):
                finding, report = self.found(name)
                self.assertEqual([f.field for f in report.findings], [finding.field], str(report))

    def test_has_pasteable_advice_for_ranks_and_sizes(self):
        for name in planted_causes.PASTED:
            with self.subTest(name):
                op, sample, _, _, _ = planted_causes.CAUSES[name]
                [advice] = re.findall(r"\. Let the fake kernel return (.*), where out is what it returns now$", self.found(name)[0].cause)
                turned = tuple(t.clone().permute(*range(t.dim())[::-1]).contiguous().permute(*range(t.dim())[::-1]) for t in sample)
                for args in (sample, turned):
                    real = op(*args)
                    with FakeTensorMode() as mode:
                        fakes = [mode.from_tensor(t) for t in args]
                        out = eval(advice, {"torch": torch, "out": op(*fakes), **dict(zip("xy", fakes))})
                    self.assertEqual((out.shape, out.stride(), out.dtype), (real.shape, real.stride(), real.dtype), advice)


if __name__ == "__main__":
    unittest.main()
