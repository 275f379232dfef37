"""`facts`: the results of an exported program's nodes in eager mode (docs/program-data.md)."""

from __future__ import annotations

import io
import json
import os
import pathlib
import re
import zipfile
from collections.abc import Callable
from typing import Any

import torch
from torch.utils._pytree import tree_leaves

from .spelling import meta_of


class _Interpreter(torch.fx.Interpreter):
    def __init__(self, module: Any, see: Callable[[str, Any], None]) -> None:
        super().__init__(module)
        self.see = see

    def run_node(self, node: Any) -> Any:
        result = super().run_node(node)
        self.see(node.name, result)
        return result


def facts(program: Any, inputs: Any = None, folder: str | os.PathLike[str] | None = None, seed: int = 0) -> dict[str, Any]:
    """Runs an exported program node by node with real tensors and returns its facts (docs/program-data.md).

    program: an ExportedProgram, or the path of a `.pt2` file. inputs: positional ones (a tuple), by default its
    example inputs. folder: where `facts.json`, `inputs_outputs.json` and `values.bin` are written for `ersatz
    crosscheck`."""
    archive: Any = program
    if isinstance(program, torch.export.ExportedProgram):
        archive = io.BytesIO()
        torch.export.save(program, archive)
    else:
        program = torch.export.load(program)
    with zipfile.ZipFile(archive) as opened:
        graph = json.loads(opened.read(next(n for n in opened.namelist() if "/models/" in n)))["graph_module"]["graph"]
    given = iter(tree_leaves(program.example_inputs if inputs is None else inputs))
    stored, specs = {**program.state_dict, **program.constants}, program.graph_signature.input_specs
    fixed = {s.arg.name for s in specs if isinstance(s.arg, torch.export.graph_signature.ConstantArgument)}
    named = {s.arg.name: _copied(stored[s.target] if s.target else next(given)) for s in specs}
    owner: dict[int, str] = {}
    held: list[torch.UntypedStorage] = []
    rows: list[dict[str, Any]] = []
    data = bytearray()

    def fact(name: str, v: Any) -> dict[str, Any]:
        if not isinstance(v, torch.Tensor):
            return {"value": name, **({"real": v} if isinstance(v, (bool, int, float)) else {})}
        held.append(v.untyped_storage())
        first = owner.setdefault(held[-1]._cdata, name)
        return {"value": name, "real": meta_of(v), **({"alias": first} if first != name else {})}

    def value(name: str, v: Any) -> dict[str, Any]:
        if not isinstance(v, torch.Tensor):
            return {"name": name, "value": v}
        raw = v.detach().cpu().resolve_conj().resolve_neg().contiguous().reshape(-1).view(torch.uint8).numpy().tobytes()
        data.extend(raw)
        return {"name": name, "meta": meta_of(v), "offset": len(data) - len(raw), "bytes": len(raw)}

    def see(name: str, v: Any) -> None:  # copied at once, because a later node may change the result
        node = nodes.get(name)
        if node is not None:
            names = re.findall(r'"(?:as_)?name": "(.*?)"', json.dumps(node["outputs"]))
            answers = [x for x in tree_leaves(v) if x is not None]
            rows.append({"node": name, "target": node["target"], "outputs": [fact(n, x) for n, x in zip(names, answers)]})
        if name in wanted:
            results[name] = v

    nodes, wanted = {_name_of(n): n for n in graph["nodes"]}, set(program.graph_signature.user_outputs)
    results: dict[str, Any] = {}
    values: dict[str, Any] = {"file": "values.bin", "inputs": [value(s.arg.name, named[s.arg.name]) for s in specs if not s.target and s.arg.name not in fixed]}
    rows += [{"node": n, "target": "placeholder", "outputs": [fact(n, v)]} for n, v in named.items() if n not in fixed]
    with torch.no_grad(), torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        _Interpreter(program.graph_module, see).run(*named.values())
    answer = {"torch": torch.__version__, "seed": seed, "nodes": rows}
    if folder is not None:
        folder = pathlib.Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        values["outputs"] = [value(n, results[n]) for n in program.graph_signature.user_outputs if n in results]
        (folder / "facts.json").write_text(json.dumps(answer, indent=1))
        (folder / "inputs_outputs.json").write_text(json.dumps(values, indent=1))
        (folder / "values.bin").write_bytes(data)
    return answer


def _name_of(node: dict[str, Any]) -> str:
    """Returns the name of a node in an archive. An archive of PyTorch 2.9 has only names of results; a node's single
    result has the node's name."""
    if "name" in node:
        return str(node["name"])
    names = re.findall(r'"(?:as_)?name": "(.*?)"', json.dumps(node["outputs"]))
    return names[0] if names else ""


def _copied(v: Any) -> Any:
    """Returns a copy with equal layout, because the run may write it."""
    if not isinstance(v, torch.Tensor):
        return v
    return v.detach().clone() if v.is_contiguous() else torch.empty_strided(v.size(), v.stride(), dtype=v.dtype, device=v.device).copy_(v.detach())
