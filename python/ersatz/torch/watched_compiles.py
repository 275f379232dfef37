"""`watch_compiles`: compares the compiler's prediction for each node of its graphs with the operators' rules."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Any

import torch

from .. import _ersatz, errors
from ..report import AnyReport, Finding, Report
from .recording import compiled_code

__all__ = ["CompileReport", "WatchedGraph", "watch_compiles"]

_PASSES = {"joint": "joint_custom_post_pass", "post-grad": "post_grad_custom_post_pass"}
"""Inductor's stages, and the configuration names of the user's pass that runs at the end of each."""


@dataclass(frozen=True)
class WatchedGraph:
    """A graph at the end of a stage of inductor."""

    name: str
    """`0 joint`, `1 post-grad`: the number is the graph's index in the run."""
    text: str
    """The graph as `print_readable` prints it with strides and devices, if its report is not clean, if it was read
    from this text, or with `watch_compiles(texts=True)`; otherwise empty. `ersatz crosscheck FILE` can read it."""
    report: Report | None
    """The report of the comparison; None: the graph could not be read."""
    why: str = ""
    """The reason why it could not be read."""
    printed: str = ""
    """The reason why its nodes could not be read, so that its printed text was read instead; empty: they were read."""


def _text_of(graph: torch.fx.Graph) -> str:
    text: str = graph.owning_module.print_readable(print_output=False, include_stride=True, include_device=True)
    return text


def _watched(name: str, graph: torch.fx.Graph, texts: bool) -> WatchedGraph:
    """Compares the graph's predictions with the rules. Prints the graph only if its text is needed."""
    called, text, printed = f"{name.replace(' ', '_')}_graph", "", ""
    try:  # compilation continues whatever the comparison raises
        try:
            report = Report(_ersatz.crosscheck_graph(graph, called).report())
        except Exception as e:
            printed, text = f"{type(e).__name__}: {e}", _text_of(graph)
            report = Report(_ersatz.crosscheck(called, text=text, no_real=True, keep_going=True).report())
        if not text and (texts or not report.clean):
            text = _text_of(graph)
        return WatchedGraph(name, text, report, printed=printed)
    except Exception as e:
        return WatchedGraph(name, text, None, f"{type(e).__name__}: {e}", printed)


class CompileReport(AnyReport):
    """The report on the graphs so far. It can be read during and after the run."""

    _error = errors.MetadataMismatch

    def __init__(self) -> None:
        self._graphs: list[WatchedGraph] = []
        self.missing: tuple[str, ...] = ()
        """Stages for which this PyTorch version has no user's pass."""

    @property
    def graphs(self) -> tuple[WatchedGraph, ...]:
        """The graphs, in inductor's order."""
        return tuple(self._graphs)

    @property
    def findings(self) -> tuple[Finding, ...]:  # type: ignore[override]
        """The differences, graph by graph."""
        return tuple(f for g in self._graphs if g.report for f in g.report.findings)

    @property
    def compared(self) -> int:
        """Results that were compared."""
        return sum(g.report.compared for g in self._graphs if g.report)

    @property
    def mismatched(self) -> int:
        """Results that differ."""
        return sum(g.report.mismatched for g in self._graphs if g.report)

    @property
    def clean(self) -> bool:
        """Some results were compared, none differs, every graph was read, and every operator in them has a rule."""
        return self.compared > 0 and not self.missing and all(g.report is not None and g.report.clean for g in self._graphs)

    def to_json(self) -> str:
        """Returns `{"graphs": [{"graph": "0 joint", "why": "", "printed": "", "report": ...}], "compared": ...,
        "mismatched": ..., "clean": ...}`. Each report has the form of `ersatz crosscheck --json`."""
        graphs = [{"graph": g.name, "why": g.why, "printed": g.printed, "report": json.loads(g.report.json) if g.report else None} for g in self._graphs]
        return json.dumps({"graphs": graphs, "compared": self.compared, "mismatched": self.mismatched, "missing": list(self.missing), "clean": self.clean})

    @property
    def closing_line(self) -> str:
        """`watch_compiles: 2 graphs, 31 compared, 0 mismatched, 0 not clean, 0 not read`."""
        unread = sum(g.report is None for g in self._graphs)
        unclean = sum(g.report is not None and not g.report.clean for g in self._graphs)
        return (f"watch_compiles: {len(self._graphs)} graphs, {self.compared} compared, {self.mismatched} mismatched, "
                f"{unclean} not clean, {unread} not read")

    def _document(self) -> _ersatz.Document:
        document = _ersatz.Document()
        for g in self._graphs:
            if g.printed:
                document.add(f"{g.name} graph, read from its printed text: {g.printed}")
            if g.report is None:
                document.add(f"{g.name} graph, not read: {g.why}")
            elif not g.report.clean:
                document.add(f"{g.name} graph")
                document.add_text(str(g.report))
        for stage in self.missing:
            document.add(f"not watched: the {stage} stage, for which torch {torch.__version__} has no pass of the user")
        document.closing = self.closing_line
        return document

    def __repr__(self) -> str:
        return f"<CompileReport: {self.closing_line}>"


class watch_compiles:
    """A context that compares the graphs that inductor compiles with their operators' rules, before they run.

        with ersatz.torch.watch_compiles() as report:
            torch.compile(model)(x).sum().backward()
        print(report)

    Compared is the compiler's metadata of each node at the end of the joint and of the post-grad stage: dtype, sizes,
    strides, device. A finding names the line of the user's program. An operator without a rule in ersatz is not judged,
    and its graph is not clean: `torch.compile(model, backend="ersatz")` compares its fake kernel with its kernel.
    Layouts that inductor chooses later are not seen.

    `texts`: each graph in the report has its text, not only the graphs that are not clean. PyTorch takes longer to print a
    graph than the comparison takes.

    The graphs are read in inductor's user passes (`joint_custom_post_pass`, `post_grad_custom_post_pass`), after a
    pass that is set already. Compiled results are unchanged. Inductor uses no cached graphs inside of the context.
    """

    def __init__(self, *, texts: bool = False) -> None:
        self.report = CompileReport()
        self._texts = texts
        self._seen: Callable[[str, WatchedGraph, torch.fx.Graph], None] | None = None
        self._before: dict[str, Any] = {}
        self._ours: dict[str, Any] = {}
        self._awaits_no_more: Callable[[], None] | None = None

    def _judge(self, stage: str, graph: torch.fx.Graph) -> None:
        found = _watched(f"{len(self.report._graphs)} {stage}", graph, self._texts)
        self.report._graphs.append(found)
        if self._seen is not None:
            self._seen(stage, found, graph)

    def _pass(self, stage: str, before: Callable[[torch.fx.Graph], Any] | None) -> Callable[[torch.fx.Graph], None]:
        def watched(graph: torch.fx.Graph) -> None:
            if before is not None:
                before(graph)
            if self._ours:  # false after the end of this context; a context that ends later may still call this pass
                self._judge(stage, graph)
        return watched

    def start(self) -> None:
        """Enters the context."""
        from torch._inductor import config  # imports the compiler, so only on use

        self.report.missing = tuple(stage for stage, name in _PASSES.items() if not hasattr(config, name))
        for stage, name in _PASSES.items():
            if stage not in self.report.missing:
                self._before[name] = getattr(config, name)
                self._ours[name] = self._pass(stage, self._before[name])
                setattr(config, name, self._ours[name])

    def start_when_imported(self) -> None:
        """Enters the context once inductor is imported. A program that compiles nothing does not import it."""
        self._awaits_no_more = compiled_code.when_imported(self.start)

    def __enter__(self) -> CompileReport:
        self.start()
        return self.report

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()

    def stop(self) -> None:
        """Leaves the context. Does nothing if it was not entered."""
        if self._awaits_no_more is not None:
            self._awaits_no_more()
            self._awaits_no_more = None
        if not self._ours:
            return
        from torch._inductor import config

        for name, ours in self._ours.items():
            if getattr(config, name) is ours:
                setattr(config, name, self._before[name])
        self._ours.clear()
