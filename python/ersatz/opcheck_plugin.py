"""pytest --ersatz-opcheck: runs `ersatz.torch.validate` with each `torch.library.opcheck` of a suite.

The suite's calls return and raise as before. A test fails at its end if its operator passes PyTorch's tests and fails
ersatz's. If PyTorch's tests fail already, ersatz's findings are only counted.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Generator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import pytest

from ._pytest_waivers import is_waived

if TYPE_CHECKING:
    from .report import Report

_OPTION = "--ersatz-opcheck"
_SUCCESS = "SUCCESS"


@dataclass
class _Totals:
    """The counts of a pytest session."""

    calls: int = 0
    theirs: int = 0
    """Calls in which PyTorch's tests found something."""
    both: int = 0
    """Calls in which both PyTorch's tests and ersatz found something."""
    ours: int = 0
    """Calls in which only ersatz found something."""
    waived: int = 0
    unjudged: int = 0
    failed: int = 0
    """Tests of the suite that fail because of ersatz's findings."""


def add_option(group: pytest.OptionGroup) -> None:
    group.addoption(_OPTION, action="store_true",
                    help="run ersatz.torch.validate, too, on the operator of each torch.library.opcheck call of a test; "
                         "findings fail the test")


def configure(config: pytest.Config) -> None:
    if config.getoption(_OPTION):
        config.pluginmanager.register(OpcheckPlugin(), "ersatz-opcheck")


class OpcheckPlugin:
    def __init__(self) -> None:
        try:
            from torch.testing._internal import optests

            from .torch import beside_opcheck
        except ImportError as e:
            raise pytest.UsageError(f"ersatz: {_OPTION} needs torch, which cannot be imported: {e}") from None
        self.totals = _Totals()
        # Reports with findings in the current test, for calls that passed PyTorch's own opcheck.
        self.found: list[Report] = []
        self._ours: Any = beside_opcheck
        self._optests: Any = optests
        self._theirs = optests.opcheck
        # torch.library.opcheck looks up this attribute in each call. So callers that imported opcheck earlier get the
        # replacement too.
        optests.opcheck = self._in_its_place(optests.opcheck)

    def pytest_unconfigure(self) -> None:
        self._optests.opcheck = self._theirs

    def _in_its_place(self, theirs: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(theirs)
        def opcheck(op: Any, args: Any, kwargs: Any = None, **options: Any) -> Any:
            try:
                results = theirs(op, args, kwargs, **options)
            except self._optests.OpCheckError:
                self._judge(op, args, kwargs, passed=False)
                raise
            self._judge(op, args, kwargs, passed=all(r == _SUCCESS for r in results.values()))
            return results

        opcheck._of_pytorch = theirs  # type: ignore[attr-defined]
        return opcheck

    def _judge(self, op: Any, args: Any, kwargs: Any, passed: bool) -> None:
        totals = self.totals
        totals.calls += 1
        totals.theirs += not passed
        try:
            report = self._ours.findings_of(op, args, kwargs)
            why = self._ours.why_not_judged(op, report)
        except Exception as e:
            report, why = None, f"{op}: {type(e).__name__}: {e}"
        if why:
            totals.unjudged += 1
            warnings.warn(f"ersatz: {_OPTION} compared nothing of {why}", stacklevel=4)
        elif report.findings and passed:
            totals.ours += 1
            self.found.append(report)
        elif report.findings:
            totals.both += 1

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, Any, Any]:
        try:
            result = yield
            found = self.found
        finally:
            self.found = []  # if the test itself raises, only its exception is reported
        self._fail_for(item, found)
        return result

    def _fail_for(self, item: pytest.Item, found: list[Report]) -> None:
        left = [(report, f) for report in found for f in report.findings if not is_waived(item, f)]
        self.totals.waived += sum(len(report.findings) for report in found) - len(left)
        if left:
            self.totals.failed += 1
            report, first = left[0]
            pytest.fail(f"ersatz: {first}\n\n{report}", pytrace=False)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        t = self.totals
        terminalreporter.section("ersatz opcheck")
        terminalreporter.write_line(
            f"opcheck: {t.calls} calls; PyTorch's tests found something in {t.theirs}, ersatz in {t.both} of them and in {t.ours} others; "
            f"{t.failed} tests failed for it, {t.waived} findings waived, {t.unjudged} calls not judged")
        if not t.calls:
            terminalreporter.write_line("no test called torch.library.opcheck: nothing was compared")

    # Under pytest-xdist tests run in worker processes, which send their counts to the main process.

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        output = getattr(session.config, "workeroutput", None)
        if output is not None:
            output["ersatz-opcheck"] = asdict(self.totals)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        for name, n in getattr(node, "workeroutput", {}).get("ersatz-opcheck", {}).items():
            setattr(self.totals, name, getattr(self.totals, name) + n)
