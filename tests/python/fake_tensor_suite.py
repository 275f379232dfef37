"""Runs PyTorch's own test suite for fake tensors, and writes the outcome of each test as JSON. This file is no test itself.

    python fake_tensor_suite.py plain|answering|alone SUITE.py OUT.json [BEFORE.json]

plain      without ersatz
answering  with `ersatz.torch.answering()` active; `fell` lists for each test the operators that were left to PyTorch
alone      like answering, and PyTorch's own rules raise for every operator that ersatz answered in the run BEFORE.json
"""

from __future__ import annotations

import importlib.util
import json
import sys
import unittest

from torch._subclasses.fake_tensor import FakeTensorMode

import ersatz.torch


class Outcomes(unittest.TestResult):
    """The result of each test, by name: `passed`, `failed`, `skipped` or `expected`."""

    def __init__(self):
        super().__init__()
        self.outcomes = {}
        self.fell = {}
        self.name = ""

    def startTest(self, test):
        super().startTest(test)
        self.name = test.id().partition(".")[2]
        self.fell[self.name] = set()

    def addSuccess(self, test):
        self.outcomes[self.name] = "passed"

    def addError(self, test, err):
        self.outcomes[self.name] = "failed"

    def addFailure(self, test, err):
        self.outcomes[self.name] = "failed"

    def addSkip(self, test, reason):
        self.outcomes[self.name] = "skipped"

    def addExpectedFailure(self, test, err):
        self.outcomes[self.name] = "expected"

    def addUnexpectedSuccess(self, test):
        self.outcomes[self.name] = "failed"


def load(path):
    spec = importlib.util.spec_from_file_location("fake_tensor_suite_of_torch", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return unittest.defaultTestLoader.loadTestsFromModule(module)


def main(how, suite, out, before=None):
    suite, outcomes = load(suite), Outcomes()
    said = {}
    if how == "plain":
        suite.run(outcomes)
    else:
        forbidden = set()
        if how == "alone":
            with open(before) as f:
                forbidden = set(json.load(f)["by_op"])
        torchs = FakeTensorMode._dispatch_impl

        def own(mode, func, types, args, kwargs):
            outcomes.fell[outcomes.name].add(str(func))
            if str(func) in forbidden:
                raise AssertionError(f"PyTorch's own rule of {func} is asked")
            return torchs(mode, func, types, args, kwargs)

        FakeTensorMode._dispatch_impl = own
        with ersatz.torch.answering() as answers:
            suite.run(outcomes)
        said = {"asked": answers.asked, "answered": answers.answered, "refused": answers.refused, "by_op": answers.by_op}
    with open(out, "w") as f:
        json.dump({"outcomes": outcomes.outcomes, "fell": {t: sorted(ops) for t, ops in outcomes.fell.items()}, **said}, f)


if __name__ == "__main__":
    main(*sys.argv[1:])
