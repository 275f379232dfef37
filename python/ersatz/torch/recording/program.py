"""Recorded calls as one program in the text form (docs/text-form.md); names of the run's values give the flow of data.

A value that no recorded call returned is an input of the program. A value that no later call used is an output."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from typing import Any

from .spelling import spelled_tensors

_ITEM_BYTES = {"bool": 1, "u8": 1, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "f16": 2, "bf16": 2, "f32": 4, "f64": 8}


def write_program(records: str | os.PathLike[str], path: Any) -> None:
    """Writes the program of a file that `record` wrote, complete or cut short. Raises ValueError if its records have
    no names."""
    with open(records, encoding="utf-8") as lines:
        text = program_text(json.loads(line) for line in lines if line.endswith("\n"))
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def program_text(records: Iterable[dict[str, Any]]) -> str:
    writer = _Writer()
    for record in records:
        writer.add(record)
    return writer.text()


def _quoted(text: str) -> str:
    named = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}
    return '"' + "".join(named.get(c) or (c if c >= " " and c != "\x7f" else f"\\x{ord(c):02x}") for c in text) + '"'


def _float(x: float | str) -> str:
    if isinstance(x, str):  # for example "nan", "inf", "-inf"
        return x
    text = repr(float(x))
    return text if "." in text or "e" in text or "n" in text else text + ".0"


def _opaque(x: Any) -> bool:
    return "opaque" in x or "dict" in x if isinstance(x, dict) and "t" not in x else isinstance(x, list) and any(map(_opaque, x))


def _meta(t: dict[str, Any]) -> str:
    return str(t["t"]) + (" conj" if t.get("conj") else "") + (" neg" if t.get("neg") else "")


class _Writer:
    def __init__(self) -> None:
        self.schemas: dict[str, None] = {}
        self.inputs: list[tuple[str, dict[str, Any]]] = []
        self.nodes: list[str] = []
        self.current: dict[str, str] = {}  # name in the run -> its newest name in the program
        self.defined: set[str] = set()
        self.unused: dict[str, None] = {}
        self.left_out: dict[str, int] = {}
        self.numbers = 0

    def add(self, record: dict[str, Any]) -> None:
        if "rg" in record:
            return  # the record repeats another call with gradients
        names = record.get("names")
        everything = [*record["args"], *record["kwargs"].values(), *record.get("out", [])]
        why = "raised" if "err" in record else "no operator that a program calls" if record["op"].startswith("higher_order.") else \
            "what no record holds" if any(map(_opaque, everything)) else ""
        if why:
            self.left_out[why] = self.left_out.get(why, 0) + 1
            return
        if names is None or "out" not in names:
            raise ValueError(f"record {record['id']} has no names: program=True is for files that record() writes")
        tensors = [t for x in (*record["args"], *record["kwargs"].values()) for t in spelled_tensors(x)]
        of_argument = iter(zip(names["args"], tensors))
        args = [self.value(x, of_argument) for x in record["args"]]
        args += [f"{k}={self.value(x, of_argument)}" for k, x in record["kwargs"].items()]
        owners = {t["s"]: self.current[name] for name, t in reversed(list(zip(names["args"], tensors)))}
        is_list = len(names["out"]) == 1 and isinstance(names["out"][0], list)
        out = [record["out"]] if is_list else record["out"]
        results = ", ".join(self.result(n, x, owners) for n, x in zip(names["out"], out, strict=True))
        at = f" {{at={_quoted(record['at'])}}}" if record.get("at") else ""
        self.nodes.append(f"    {results + ' = ' if results else ''}{record['op']}({', '.join(args)}){at}")
        if "schema" in record:
            self.schemas[record["schema"]] = None

    def value(self, x: Any, of_argument: Iterator[tuple[str, dict[str, Any]]]) -> str:
        if isinstance(x, list):
            return "[" + ", ".join(self.value(item, of_argument) for item in x) + "]"
        if isinstance(x, dict) and "t" in x:
            name, tensor = next(of_argument)
            if name not in self.current:
                self.current[name] = name
                self.defined.add(name)
                self.inputs.append((name, tensor))
            self.unused.pop(self.current[name], None)
            return "%" + self.current[name]
        if isinstance(x, dict):
            (kind, held), = x.items()
            if kind == "complex":
                return f"({_float(held[0])}{'' if str(held[1]).startswith('-') else '+'}{_float(held[1])}j)"
            return "nan" if kind == "nan" else ("inf" if held > 0 else "-inf") if kind == "inf" else str(held)
        if isinstance(x, str):
            return _quoted(x)
        return _float(x) if isinstance(x, float) else str(x)

    def result(self, name: Any, x: Any, owners: dict[int, str]) -> str:
        if isinstance(x, list):
            return "[" + ", ".join(self.result(n, item, owners) for n, item in zip(name, x, strict=True)) + "]"
        if x is None:
            return "None"
        if not isinstance(x, dict) or "t" not in x:
            self.numbers += 1
            kind = "bool" if isinstance(x, bool) else "int" if isinstance(x, int) else "float"
            return f"%n{self.numbers}: {kind}"
        mine, k = name, 1
        while mine in self.defined:  # a call that returns an existing value gives the value a new name
            mine, k = f"{name}.{k}", k + 1
        self.defined.add(mine)
        self.current[name] = mine
        self.unused[mine] = None
        return f"%{mine}: {_meta(x)}" + (f" ~%{owners[x['s']]}" if x["s"] in owners else "")

    def text(self) -> str:
        lines = ["ersatz program 2", 'producer "ersatz.torch.record"']
        lines += [f"schema {_quoted(s)}" for s in self.schemas]
        lines += [f"# {n} calls of the run are not here: {why}" for why, n in self.left_out.items()]
        storages: dict[str, list[dict[str, Any]]] = {}
        for name, t in self.inputs:
            storages.setdefault(name.partition(".")[0], []).append(t)
        for storage, views in storages.items():
            lines.append(f"storage ${storage} {views[0]['n']}B {self.bytes_of(views)}")
        inputs = [f"%{name}: {_meta(t)} = input ${name.partition('.')[0]}" for name, t in self.inputs]
        lines += ["", "graph(" + ",\n      ".join(inputs) + "):", *self.nodes]
        lines.append("    return " + ", ".join("%" + name for name in self.unused))
        return "\n".join(lines) + "\n"

    @staticmethod
    def bytes_of(views: list[dict[str, Any]]) -> str:
        """Returns elements if a recorded value covers the storage, else `made`."""
        for t in views:
            dtype, _, rest = t["t"].partition("[")
            sizes, _, rest = rest.partition("]{")
            strides, _, rest = rest.partition("}")
            row_major, step = [], 1
            for n in reversed(sizes.split(",") if sizes else []):
                row_major.append(step)
                step *= max(int(n), 1)
            if "v" in t and dtype in _ITEM_BYTES and len(t["v"]) * _ITEM_BYTES[dtype] == t["n"] and rest.startswith("+0@") and \
                    strides == ",".join(map(str, reversed(row_major))) and not t.get("conj") and not t.get("neg"):
                return f"{dtype} [{', '.join(_float(x) if dtype.startswith(('f', 'b')) and dtype != 'bool' else str(x) for x in t['v'])}]"
        return "made"
