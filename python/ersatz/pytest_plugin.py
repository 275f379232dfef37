"""pytest: tests that are held against ersatz while they run.

    pytest --ersatz-crosscheck tests/        # each test under ersatz.torch.crosscheck(); findings fail it
    pytest --ersatz-opcheck tests/           # ersatz.torch.validate beside each torch.library.opcheck (opcheck_plugin.py)

A test that is known to have one says so, and why:

    @pytest.mark.ersatz_waive(op="mine.mix.default", field="stride", reason="its fake keeps the input's permutation")
    def test_mix(): ...

The fixture `ersatz_crosscheck` does the same for one test, without the option.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from dataclasses import asdict, dataclass, field
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

import pytest

from . import opcheck_plugin

if TYPE_CHECKING:
    from .report import Finding, Report

_WAIVE = "ersatz_waive(op=None, field=None, reason): findings of that operator (a pattern, `aten.add.*`) and field do not fail the test"


@dataclass
class _Totals:
    """Of the session."""

    tests: int = 0
    failed: int = 0
    waived: int = 0
    compared: int = 0
    mismatched: int = 0
    skipped: Counter[str] = field(default_factory=Counter)


_TOTALS = pytest.StashKey[_Totals]()
_LIVE = pytest.StashKey[Any]()


def _crosscheck() -> Any:
    """A new crosscheck of PyTorch. ImportError with a line for users where this Python has no torch."""
    try:
        from . import torch
    except ImportError as e:
        raise ImportError(f"ersatz: a crosscheck of tests needs torch, which cannot be imported: {e}") from None
    return torch.crosscheck()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.getgroup("ersatz").addoption("--ersatz-crosscheck", action="store_true",
                                        help="hold each operator of PyTorch that a test calls against ersatz; findings fail the test")
    opcheck_plugin.add_option(parser.getgroup("ersatz"))


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", _WAIVE)
    config.stash[_TOTALS] = _Totals()
    opcheck_plugin.configure(config)
    if config.getoption("--ersatz-crosscheck"):
        try:
            _crosscheck()
        except ImportError as e:
            raise pytest.UsageError(str(e)) from None


def _report(item: pytest.Item, live: Any) -> Report:
    from .report import Report

    session = live._session
    return Report.of(session.json(item.nodeid), session.text(item.nodeid), lambda: session.html(item.nodeid))


def _waived(item: pytest.Item, finding: Finding) -> bool:
    for mark in item.iter_markers("ersatz_waive"):
        if mark.args or not mark.kwargs.get("reason") or set(mark.kwargs) - {"op", "field", "reason"}:
            pytest.fail("a waiver is ersatz_waive(op=..., field=..., reason=...), and has a reason", pytrace=False)
        op, of_field = mark.kwargs.get("op") or "*", mark.kwargs.get("field") or "*"
        if fnmatchcase(finding.op, op) and fnmatchcase(finding.field, of_field):
            return True
    return False


def _judge(item: pytest.Item, live: Any) -> None:
    """Counts the test; fails it where something was found that no waiver names."""
    totals, report = item.config.stash[_TOTALS], _report(item, live)
    left = [f for f in report.findings if not _waived(item, f)]
    totals.tests += 1
    totals.compared += report.compared
    totals.mismatched += report.mismatched
    totals.skipped.update(report.skipped)
    totals.waived += len(report.findings) - len(left)
    if left:
        totals.failed += 1
        pytest.fail(f"ersatz: {left[0]}\n\n{report}", pytrace=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    # What the test itself raises passes; what was found until then is of no account.
    live = item.stash.get(_LIVE, None)
    if live is not None:
        result = yield  # in the fixture's scope, which ends when its turn in the teardown comes
    elif item.config.getoption("--ersatz-crosscheck"):
        with _crosscheck() as live:
            result = yield
    else:
        return (yield)
    _judge(item, live)
    return result


@pytest.fixture
def ersatz_crosscheck(request: pytest.FixtureRequest) -> Generator[Any, None, None]:
    """The crosscheck under which the test runs; `str()` of it is the report so far. Findings fail the test."""
    try:
        live = _crosscheck()
    except ImportError as e:
        pytest.fail(str(e), pytrace=False)
    with live as report:
        request.node.stash[_LIVE] = report
        yield report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    totals = config.stash[_TOTALS]
    if not totals.tests and not config.getoption("--ersatz-crosscheck"):
        return
    skipped = sum(totals.skipped.values())
    why = ", ".join(f"{reason} {n}" for reason, n in sorted(totals.skipped.items(), key=lambda r: (-r[1], r[0])))
    terminalreporter.section("ersatz")
    terminalreporter.write_line(
        f"crosscheck: {totals.tests} tests, {totals.failed} with findings, {totals.waived} findings waived; {totals.compared} compared, "
        f"{totals.mismatched} mismatched, {skipped} skipped{f' ({why})' if why else ''}")


# With pytest-xdist the tests run in other processes, which hand over what they counted.


def pytest_sessionfinish(session: pytest.Session) -> None:
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["ersatz"] = asdict(session.config.stash[_TOTALS])


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    theirs = getattr(node, "workeroutput", {}).get("ersatz")
    if theirs:
        totals = node.config.stash[_TOTALS]
        totals.skipped.update(theirs.pop("skipped"))
        for name, n in theirs.items():
            setattr(totals, name, getattr(totals, name) + n)
