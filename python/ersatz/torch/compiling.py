"""`torch.compile(model, backend="ersatz")`: runs AOTAutograd's graphs node by node, each call under a crosscheck."""

from __future__ import annotations

import atexit
import sys
from collections.abc import Callable
from typing import Any

import torch

from .compiled_pieces import node_line
from .live import LiveReport, crosscheck, lines_from, users_line
from .recording import compiled_code, dispatch_stack

__all__ = ["Backend", "backend"]

def _active() -> crosscheck | None:
    """Returns the innermost crosscheck of this thread."""
    modes = [m for m in dispatch_stack.entered() if isinstance(m, crosscheck)]
    return modes[-1] if modes else getattr(compiled_code.native, "watching", None)


class _Nodes(torch.fx.Interpreter):
    """Runs a graph and tracks the line of the current node."""

    def __init__(self, module: torch.fx.GraphModule) -> None:
        super().__init__(module)
        self.extra_traceback = False  # so that exceptions of operators propagate unchanged
        self._line: Callable[[], str] = users_line

    def run_node(self, n: torch.fx.Node) -> Any:
        self._line = lambda: node_line(n.meta.get("stack_trace")) or users_line()
        return super().run_node(n)

    def where(self) -> str:
        return self._line()


class Backend:
    """A backend for `torch.compile`: `torch.compile(model, backend=ersatz.torch.backend)`, or by the name `"ersatz"`.

    AOTAutograd makes forward and backward graphs from Dynamo's trace, without decompositions. Each graph runs node by
    node with PyTorch's kernels, so its results are those of eager mode. Each call is compared with its prediction like
    in `ersatz.torch.crosscheck()`. A finding names the user's line from which the node was traced.

    In a `with ersatz.torch.crosscheck() as report:` the calls belong to that report, otherwise to `report`. The
    report of `ersatz.torch.backend` is printed to standard error when the process ends, completely if it is not
    clean. A `Backend()` of the user's own prints nothing.
    """

    __name__ = "ersatz"

    def __init__(self) -> None:
        self.graphs = 0
        """Number of compiled graphs, forward and backward."""
        self.nodes = 0
        """Number of calls in these graphs."""
        self._own: crosscheck | None = None

    @property
    def report(self) -> LiveReport:
        """The report of all graphs that ran outside of a crosscheck."""
        return self._session().report

    def _session(self) -> crosscheck:
        if self._own is None:
            self._own = crosscheck(name="torch.compile")
        return self._own

    def _told_at_exit(self) -> None:
        report = self.report
        if report.report.nodes == 0:  # there is nothing to print if all calls were made in a crosscheck
            return
        graphs = "1 graph" if self.graphs == 1 else f"{self.graphs} graphs"
        calls = f"{self.nodes} call{'' if self.nodes == 1 else 's'} in {'it' if self.graphs == 1 else 'them'}"
        print(f"torch.compile with backend ersatz: {graphs}, {calls}", report.closing_line if report.clean else report, sep="\n", file=sys.stderr)

    def _compiled(self, module: torch.fx.GraphModule, inputs: Any) -> Callable[[list[Any]], Any]:
        nodes = _Nodes(module)
        self.graphs += 1
        self.nodes += sum(n.op == "call_function" and isinstance(n.target, torch._ops.OpOverload) for n in module.graph.nodes)

        def run(arguments: list[Any]) -> Any:
            active = _active()
            if active is not None:
                with lines_from(active, nodes.where):
                    return nodes.boxed_run(arguments)
            with self._session(), lines_from(self._session(), nodes.where):
                return nodes.boxed_run(arguments)

        run._boxed_call = True  # type: ignore[attr-defined]
        return run

    def __call__(self, graph: torch.fx.GraphModule, inputs: list[Any], **options: Any) -> Callable[..., Any]:
        if named := [*options.pop("options", {}), *options]:
            raise TypeError(f"the backend ersatz takes no options: got {', '.join(named)}")
        from torch._dynamo.backends.common import aot_autograd  # imported on first use, because it imports the compiler

        if self is backend and self.graphs == 0:
            atexit.register(self._told_at_exit)
        compiled: Callable[..., Any] = aot_autograd(fw_compiler=self._compiled, bw_compiler=self._compiled)(graph, inputs)
        return compiled


backend = Backend()
