"""`fake`: the metadata of every node of a PyTorch graph by ersatz's rules."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from typing import Any

import torch
from torch.utils import _pytree as pytree

from .. import _ersatz
from .own_calls import OwnCalls


class GraphMetadata(Mapping[str, Any]):
    """The results of a graph's nodes: `result["conv1"]` is a fake `ersatz.Tensor`, a number, or a list of these."""

    def __init__(self, answer: _ersatz.TorchMetadata, left_out: list[str]) -> None:
        self._answer = answer
        self.left_out: tuple[str, ...] = tuple(left_out)
        """Unused nodes that are no operator calls."""
        self.recorded: dict[str, str] = dict(answer.recorded)
        """Nodes whose result is the recorded `meta["val"]`, with the reason."""
        self.by_fake: dict[str, str] = dict(answer.by_fake)
        """Nodes that the author's fake kernel answered because ersatz lacks the operator, with the operator's name."""

    @functools.cached_property
    def _names(self) -> list[str]:
        return self._answer.names()

    def __getitem__(self, node: str) -> Any:
        return self._answer.value(node)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def meta(self, node: str) -> str:
        """Returns the canonical form: `f32[2,3]{3,1}+0@cpu`."""
        return self._answer.meta(node)

    def __str__(self) -> str:
        width = max((len(n) for n in self._names), default=0)
        lines = [f"{n:<{width}}  {self.meta(n)}" for n in self._names]
        lines += [f"by the fake kernel of {op}: {n}" for n, op in self.by_fake.items()]
        lines += [f"recorded: {n}: {why}" for n, why in self.recorded.items()]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<GraphMetadata: {len(self)} nodes, {self._answer.answered} calls>"


class Graph:
    """A graph that is read once and run with several inputs or devices: `Graph(module)(x, device="cuda")`."""

    def __init__(self, program: Any, *inputs: Any) -> None:
        given: dict[str, Any] = {}
        if isinstance(program, torch.export.ExportedProgram):
            module, self._inputs = program.graph_module, _exported_inputs(program, given)
        elif isinstance(program, torch.fx.GraphModule):
            module = program
            self._inputs = [n.name for n in module.graph.nodes if n.op == "placeholder"]
        else:
            raise TypeError(f"fake takes a GraphModule or an ExportedProgram, not a {type(program).__name__}; torch.export makes one")
        given.update(self._by_name(inputs))
        self._graph = _ersatz.TorchGraph(module.graph, module, given)
        self._graph.ask_fakes(OwnCalls(lambda: None).predict)

    def _by_name(self, inputs: tuple[Any, ...]) -> dict[str, Any]:
        if not inputs:
            return {}
        leaves = pytree.tree_leaves(inputs)
        if len(leaves) != len(self._inputs):
            raise TypeError(f"the graph takes {len(self._inputs)} inputs ({', '.join(self._inputs)}), {len(leaves)} are given")
        return dict(zip(self._inputs, leaves))

    def __call__(self, *inputs: Any, device: str | None = None, keep_going: bool = False) -> GraphMetadata:
        answer = self._graph.run(device, keep_going, self._by_name(inputs))
        return GraphMetadata(answer, self._graph.left_out)


def _exported_inputs(program: torch.export.ExportedProgram, given: dict[str, Any]) -> list[str]:
    """Returns the names of the user's inputs. Adds the program's own values to `given`."""
    kinds = torch.export.graph_signature.InputKind
    users: list[str] = []
    for spec in program.graph_signature.input_specs:
        if spec.kind is kinds.USER_INPUT:
            users.append(spec.arg.name)
        elif spec.target is not None and spec.kind is not kinds.TOKEN:
            own = program.state_dict.get(spec.target)
            given[spec.arg.name] = program.constants.get(spec.target) if own is None else own
    return users


def fake(program: Any, *inputs: Any, device: str | None = None, keep_going: bool = False) -> GraphMetadata:
    """Returns the metadata of each node's result.

    `inputs`: tensors (real or fake), metadata as text (`"f32[2,3]"`), or numbers; by default the metadata that the
    graph records. If ersatz lacks a node's operator, the fake kernel that its author registered answers. `device`:
    replaces all recorded devices. `keep_going`: a call without an answer returns `meta["val"]`.
    """
    return Graph(program, *inputs)(device=device, keep_going=keep_going)
