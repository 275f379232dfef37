"""ersatz.torch.audit and `python -m ersatz audit` check each operator of a namespace."""

import json
import os
import pathlib
import subprocess
import sys
import unittest

from own_folder import own_folder

try:
    import torch
except ImportError:
    torch = None
else:
    import audited_ops
    import ersatz.torch

HERE = pathlib.Path(__file__).resolve().parent


@unittest.skipUnless(torch, "no PyTorch: ERSATZ_TORCH_PYTHON names a Python that has it")
class Audit(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = own_folder(cls)
        cls.run_file = cls.folder / "run.jsonl"
        with ersatz.torch.record(cls.run_file, values=True):
            audited_ops.call_all()
        cls.report = ersatz.torch.audit("audited", samples=cls.run_file)
        cls.ops = {op.op.split(".")[1]: op for op in cls.report.ops}

    def found(self, name):
        return [(f.field, f.observed) for f in self.ops[name].findings]

    def test_finds_nothing_in_right_ops_and_calls_them(self):
        for name in ("right", "takes_all", "custom"):
            with self.subTest(name):
                op = self.ops[name]
                self.assertEqual((op.findings, op.notes, op.fake, op.signature), ((), (), "register_fake", "matches"))
                self.assertGreater(op.compared, 10)
        self.assertEqual(self.ops["right"].called, 3)

    def test_ops_without_a_fake_kernel_get_advice(self):
        for name in ("no_fake", "custom_no_fake"):
            with self.subTest(name):
                self.assertEqual((self.found(name), self.ops[name].fake), ([("fake", "it has no fake kernel")], "none"))
                self.assertEqual(self.ops[name].findings[0].cause, f'@torch.library.register_fake("audited::{name}")')

    def test_signature_differences_from_the_schema_are_named(self):
        for name, words in {"no_default": "eps has no default, which the schema has as 1e-06: a call that leaves it out raises",
                            "other_default": "the default of eps is 1.0, and 1e-06 in the schema",
                            "swapped": "argument 0 is y, and the schema has x there; argument 1 is x, and the schema has y there",
                            "wrong_keyword": "it does not take the keyword argument k",
                            "too_few": "it does not take k"}.items():
            with self.subTest(name):
                self.assertIn(("signature", f"of the fake kernel: {words}"), self.found(name))
                self.assertEqual(self.ops[name].signature, "differs")
                first = next(f for f in self.ops[name].findings if f.field == "signature")
                self.assertIn("audited_ops.py:", first.source)

    def test_renamed_positional_argument_is_a_note(self):
        self.assertEqual((self.found("renamed"), self.ops["renamed"].signature), ([], "matches"))
        self.assertIn("argument 0 is called a, and x in the schema", self.ops["renamed"].notes[0])

    def test_meta_kernel_is_note_lone_one_finding(self):
        self.assertEqual((self.ops["meta"].fake, self.found("meta")), ("Meta", []))
        self.assertIn("cannot make sizes that depend on data", self.ops["meta"].notes[0])
        self.assertEqual(self.found("only_fake"), [("fake", "it has a fake kernel only: no kernel computes it")])

    def test_those_that_are_called_are_validated(self):
        self.assertIn("undeclared_write", [f.field for f in self.ops["writes"].findings])
        self.assertEqual([f.field for f in self.ops["layout"].findings], ["stride"])
        self.assertIn("contiguous whatever the layout of x", self.ops["layout"].findings[0].cause)

    def test_one_that_no_sample_calls_is_a_finding(self):
        self.assertEqual(self.found("uncalled"), [("called", "no call of it is among the samples")])

    def test_a_composite_needs_nothing(self):
        self.assertEqual((self.ops["composite"].fake, self.found("composite")), ("composite", []))
        self.assertIn("made of other operators", self.ops["composite"].notes[0])

    def test_without_samples_it_is_not_clean(self):
        report = ersatz.torch.audit("audited")
        self.assertEqual({f.field for f in report.findings}, {"fake", "signature"})
        self.assertFalse(report.clean)
        self.assertIn("no samples: nothing was called", str(report).splitlines()[-1])

    def test_empty_namespace_and_non_run_file_are_refused(self):
        with self.assertRaisesRegex(ValueError, "no operator of 'nobodys' is registered"):
            ersatz.torch.audit("nobodys")
        other = self.folder / "other.jsonl"
        other.write_text('{"op": "aten.x"}\n"audited.no"\n')
        with self.assertRaisesRegex(ValueError, r"other.jsonl:2: no record of a call"):
            ersatz.torch.audit("audited", samples=[other])

    def test_raises_the_first_finding(self):
        with self.assertRaisesRegex(ersatz.errors.Findings, r"audited\.\w+\.default: .*; and \d+ more findings"):
            self.report.raise_if_findings()

    def command(self, *arguments):
        return subprocess.run([sys.executable, "-W", "ignore", "-m", "ersatz", "audit", *arguments], cwd=self.folder, capture_output=True, text=True,
                              env={**os.environ, "PYTHONPATH": os.pathsep.join([os.environ["PYTHONPATH"], str(HERE)])})

    def test_the_command_writes_the_report(self):
        done = self.command("audited", "--import", "audited_ops", "--samples", "run.jsonl", "--json", "-o", "report.json")
        self.assertEqual(done.returncode, 1, done.stderr)
        report = json.loads((self.folder / "report.json").read_text())
        self.assertEqual([report[k] for k in ("format", "command", "input", "status")], [1, "audit", "audited", "findings"])
        row = next(r for r in report["ops"] if r["op"] == "audited.layout.default")
        self.assertEqual((row["fake"], row["signature"], row["called"], row["findings"][0]["field"]), ("register_fake", "matches", 1, "stride"))
        self.assertEqual([f["op"] for f in report["findings"]], [r["op"] for r in report["ops"] for _ in r["findings"]])
        self.assertTrue(done.stdout.startswith(f"audit: {len(self.report.ops)} ops of audited, "), done.stdout)

    def test_command_imports_module_of_namespaces_name(self):
        (self.folder / "lone.py").write_text("import torch\n@torch.library.custom_op('lone::f', mutates_args=())\n"
                                             "def f(x: torch.Tensor) -> torch.Tensor: return x.clone()\nf.register_fake(torch.empty_like)\n")
        (self.folder / "use.py").write_text("import torch, lone\ntorch.ops.lone.f(torch.ones(2))\n")
        subprocess.run([sys.executable, "-m", "ersatz", "record", "--values", "-o", "lone.jsonl", "use.py"], cwd=self.folder, check=True, capture_output=True)
        done = self.command("lone", "--samples", "lone.jsonl")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout.splitlines()[-1], r"audit: 1 ops of lone, 1 called, \d\d compared, 0 findings")

    def test_namespace_without_comparisons_is_unjudged(self):
        (self.folder / "parts.py").write_text("import torch\nlib = torch.library.Library('parts', 'DEF')\nlib.define('f(Tensor x) -> Tensor')\n"
                                              "lib.impl('f', lambda x: x + 1, 'CompositeImplicitAutograd')\n")
        done = self.command("parts", "--samples", "run.jsonl", "--json")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        report = json.loads(done.stdout)
        self.assertEqual([report[k] for k in ("status", "not_clean", "findings")], ["unjudged", "nothing was compared", []])
        done = self.command("parts", "--samples", "run.jsonl", "--format", "junit")
        self.assertIn('message="nothing was compared"', done.stdout, done.stderr)

    def test_unusable_argument_is_status_2_and_one_line(self):
        for arguments, words in [(("nobodys",), "no operator of 'nobodys' is registered"), (("audited", "--import", "no_such"), "No module named 'no_such'"),
                                 (("audited", "--import", "audited_ops", "--samples", "none.jsonl"), "none.jsonl: No such file"),
                                 (("audited", "-o", "nowhere/x"), "nowhere/x: its folder cannot be written")]:
            with self.subTest(words):
                done = self.command(*arguments)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertRegex(done.stderr, rf"\Aersatz: .*{words}.*\n\Z")


if __name__ == "__main__":
    unittest.main()
