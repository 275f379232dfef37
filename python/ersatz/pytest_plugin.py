"""pytest: compares each operator call of a test with its prediction while the test runs.

    pytest --ersatz-crosscheck tests/        # each test under ersatz.torch.crosscheck(); findings fail it
    pytest --ersatz-opcheck tests/           # ersatz.torch.validate with each torch.library.opcheck (opcheck_plugin.py)

A test with a known finding waives it, with the reason:

    @pytest.mark.ersatz_waive(op="mine.mix.default", field="stride", reason="its fake keeps the input's permutation")
    def test_mix(): ...

The fixture `ersatz_crosscheck` does the same for one test, without the option.
"""

from __future__ import annotations

import json
from collections.abc import Generator
from typing import TYPE_CHECKING, Any

import pytest

from . import opcheck_plugin, report_file
from ._pytest_suite import Suite
from ._pytest_waivers import fits, marks_of

if TYPE_CHECKING:
    from .report import Report

_WAIVE = "ersatz_waive(op=None, field=None, reason): findings of that operator (a pattern, `aten.add.*`) and field do not fail the test"
_SUITE = pytest.StashKey[Suite]()
_LIVE = pytest.StashKey[Any]()
_WRITTEN = pytest.StashKey[list[str]]()


def _crosscheck(config: pytest.Config) -> Any:
    """Returns a new crosscheck of PyTorch. Raises ImportError with a line for users if this Python has no torch."""
    try:
        from . import torch
    except ImportError as e:
        raise ImportError(f"ersatz: a crosscheck of tests needs torch, which cannot be imported: {e}") from None
    return torch.crosscheck(waivers=config.getoption("--ersatz-waivers"), compiled=True, gradients=config.getoption("--ersatz-gradients"))


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("ersatz")
    group.addoption("--ersatz-crosscheck", action="store_true",
                    help="compare each PyTorch operator call of a test with ersatz's rule; a finding fails the test")
    group.addoption("--ersatz-strict", action="store_true",
                    help="also fail a test that calls an operator of your own which could not be compared, and a run that compared nothing")
    group.addoption("--ersatz-gradients", action="store_true",
                    help="with --ersatz-crosscheck: compare requires_grad, leaves and grad_fn of results, too")
    group.addoption("--ersatz-waivers", metavar="FILE", help="FILE of findings that you accept, with a reason each (docs/crosscheck.md)")
    group.addoption("--ersatz-report", metavar="FILE", action="append", default=[],
                    help="write the findings of the suite to FILE, in the form of its suffix: .html, .json, .sarif, .junit.xml; may be given several times")
    opcheck_plugin.add_option(group)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", _WAIVE)
    config.stash[_SUITE] = Suite()
    opcheck_plugin.configure(config)
    try:
        report_file.require_writable(config.getoption("--ersatz-report"))
        if config.getoption("--ersatz-crosscheck"):
            _crosscheck(config)
    except (ImportError, OSError, ValueError, RuntimeError) as e:
        raise pytest.UsageError(str(e)) from None


def _report(item: pytest.Item, live: Any) -> Report:
    from .report import Report

    return Report(live._session.report(item.nodeid))


def _judge(item: pytest.Item, live: Any) -> None:
    """Counts the test. Fails it for a finding that no waiver matches, and for a waiver of its own that matches
    nothing."""
    suite, report, marks = item.config.stash[_SUITE], _report(item, live), list(marks_of(item))
    for _, mark in marks:
        if mark.args or not mark.kwargs.get("reason") or set(mark.kwargs) - {"op", "field", "reason"}:
            pytest.fail("a waiver is ersatz_waive(op=..., field=..., reason=...), and has a reason", pytrace=False)
    left = [i for i, f in enumerate(report.findings) if not any(fits(mark, f) for _, mark in marks)]
    row = json.loads(report.json)
    suite.count(item.nodeid, row, left)
    suite.waived += len(report.findings) - len(left)
    for shared, mark in marks:
        used = any(fits(mark, f) for f in report.findings)
        if shared:
            suite.marks[shared] = suite.marks.get(shared, False) or used
    if left:
        suite.failed += 1
        pytest.fail(f"ersatz: {report.findings[left[0]]}\n\n{report}", pytrace=False)
    for shared, mark in marks:
        if not shared and not any(fits(mark, f) for f in report.findings):
            pytest.fail(f"ersatz: a waiver that nothing needs: op {mark.kwargs.get('op') or '*'}, field {mark.kwargs.get('field') or '*'} "
                        f"({mark.kwargs['reason']}): no such finding", pytrace=False)
    unjudged = row.get("own", {}).get("unjudged", {})
    if unjudged and item.config.getoption("--ersatz-strict"):
        pytest.fail(f"ersatz: nobody judged {', '.join(f'{n} calls of {op}' for op, n in unjudged.items())}\n\n{report}", pytrace=False)


def _explained(error: BaseException, mode: Any) -> str:
    """Returns operator, field and both sides for an error of compiled code, an empty text for another error."""
    from .torch.explained import explained

    return explained(error, mode._pieces)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    # If the test itself raises, its exception propagates, and findings before it are not reported.
    live, mode = item.stash.get(_LIVE, None), None
    watched = live is not None or item.config.getoption("--ersatz-crosscheck")
    try:
        if live is None and watched:
            mode = _crosscheck(item.config)
            with mode as live:
                result = yield
        else:
            result = yield  # the test may use the fixture, which ends only in the teardown
    except BaseException as e:
        if mode is not None and (why := _explained(e, mode)):
            item.add_report_section("call", "ersatz", why)
        if watched:  # if the test failed, it may not have reached the calls that its waivers are for
            item.config.stash[_SUITE].marks.update({shared: True for shared, _ in marks_of(item) if shared})
        raise
    if watched:
        _judge(item, live)
    return result


@pytest.fixture
def ersatz_crosscheck(request: pytest.FixtureRequest) -> Generator[Any, None, None]:
    """The crosscheck under which the test runs. `str()` of it is the report so far. Findings fail the test."""
    try:
        live = _crosscheck(request.config)
    except (ImportError, OSError, ValueError, RuntimeError) as e:
        pytest.fail(str(e), pytrace=False)
    with live as report:
        request.node.stash[_LIVE] = report
        yield report


def _is_whole(config: pytest.Config) -> bool:
    """Returns whether all tests of the suite were selected. Otherwise an unused waiver is no evidence that it is not
    needed."""
    chosen = ("keyword", "markexpr", "deselect", "ignore", "ignore_glob", "lf", "maxfail", "stepwise")
    return not any(getattr(config.option, name, None) for name in chosen) and not any("::" in a for a in config.args)


def _fails(config: pytest.Config) -> str:
    """Returns why the run fails apart from its tests, an empty text if it does not."""
    suite, strict = config.stash[_SUITE], config.getoption("--ersatz-strict")
    if suite.expired:
        return "a waiver has expired"
    if suite.unused and _is_whole(config):
        return "a waiver hides nothing"
    if strict and config.getoption("--ersatz-crosscheck") and not suite.compared:
        return "nothing was compared"
    return ""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    suite = config.stash[_SUITE]
    if not suite.tests and not config.getoption("--ersatz-crosscheck"):
        return
    terminalreporter.section("ersatz")
    for cause in suite.causes.values():
        terminalreporter.write_line(cause.text())
    if suite.compiled:
        terminalreporter.write_line(suite.compiled_text)
    for line in suite.unjudged_text():
        terminalreporter.write_line(line, yellow=True)
    for line in suite.unused:
        terminalreporter.write_line(line if _is_whole(config) else f"{line} (a part of the suite ran)")
    if not suite.compared:
        terminalreporter.write_line("warning: nothing was compared", yellow=True)
    if why := _fails(config):
        terminalreporter.write_line(f"failed: {why}", red=True)
    for written in config.stash.get(_WRITTEN, []):
        terminalreporter.write_line(written)
    terminalreporter.write_line(suite.closing_line)


# Under pytest-xdist tests run in worker processes, which send their counts to the main process.


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    config, output = session.config, getattr(session.config, "workeroutput", None)
    suite, written = config.stash[_SUITE], config.stash.setdefault(_WRITTEN, [])
    if output is not None:
        output["ersatz"] = suite.wire()
        return
    if session.exitstatus == pytest.ExitCode.OK and _fails(config):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
    for path in config.getoption("--ersatz-report"):
        try:
            report_file.write(suite, path)
            written.append(f"report: {path}")
        except OSError as e:
            written.append(f"failed: {path}: {e.strerror}: the report was not written")
            session.exitstatus = session.exitstatus or pytest.ExitCode.TESTS_FAILED


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    theirs = getattr(node, "workeroutput", {}).get("ersatz")
    if theirs:
        node.config.stash[_SUITE].add(theirs)
