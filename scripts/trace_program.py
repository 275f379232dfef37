"""Writes a recorded function as a program in text form, for scripts/trace_table."""
import re

from trace_schemas import is_factory, returns_list


def values_of(record):
    dtype = record["t"].split("[")[0]
    def one(v):
        if dtype == "bool":
            return "True" if v else "False"
        return str(v) if isinstance(v, str) or dtype[0] in "iu" else repr(float(v))
    return dtype, ", ".join(one(v) for v in record["v"])


class Text:
    """The calls of one function, with names that the text form takes.

    values: are the bytes of inputs stored, whose sizes they then settle? dynamic: words of `ersatz trace --dynamic` for the sizes of
    inputs as make_fx has them: symbols but for 0 and 1, equal ones one symbol."""

    def __init__(self, function, values=True):
        self.values, self.dynamic = values, []
        self.names, self.storages, self.inputs, self.lines = {}, [], [], []
        self.function = function
        self.numbers = {}  # spelling in later calls -> the name of a number that a call returned
        for i, leaf in enumerate(function["example"]["inputs"]):
            if "t" in leaf:
                self.add_input(f"%{leaf['name']}", f"in{i}", leaf, "input")
            else:
                self.names[f"%{leaf['name']}"] = f"%in{i}"
                kind = "bool" if isinstance(leaf["value"], bool) else "int" if isinstance(leaf["value"], int) else "float"
                self.inputs.append(f"%in{i}: {kind}({leaf['value']}) = constant_input")
        for name, record in (function["eager"].get("literals") or {}).items():
            self.add_input(name, f"lit{name[1:]}", record, "constant")
        for i, call in enumerate(function["eager"]["calls"]):
            self.call(i, call)
        outputs = re.findall(r"[%$](?:[\w.]|\[[^\]]*\])+", function["eager"]["returns"])
        self.untracked(outputs)
        self.returned = [self.resolve(o) for o in outputs]

    def add_input(self, name, short, record, kind):
        self.names[name] = f"%{short}"
        target = f' "{short}"' if kind != "input" else ""
        if kind == "input":
            sizes = re.match(r"\w+\[([\d,]*)\]", record["t"])[1]
            self.dynamic += [f"{short}:{dim}=s{size}" for dim, size in enumerate(sizes.split(",")) if size and int(size) > 1]
        if (self.values or kind != "input") and "v" in record and not record["t"].startswith("c"):
            dtype, values = values_of(record)
            bytes_ = self.extent(record["t"])
            stored = f" ${len(self.storages)}"
            dense = re.match(r"\w+\[([\d,]*)\]\{([\d,]*)\}", record["t"])
            sizes = [int(s) for s in dense[1].split(",") if s]
            strides = [int(s) for s in dense[2].split(",") if s]
            rows, step = [], 1
            for size in reversed(sizes):
                rows.insert(0, step)
                step *= max(size, 1)
            if strides == rows and record["t"].split("@")[0].endswith("+0"):
                self.storages.append(f"storage ${len(self.storages)} {bytes_}B {dtype} [{values}]")
            else:
                self.storages.append(f"storage ${len(self.storages)} {bytes_}B made")
            self.inputs.append(f"%{short}: {record['t']} = {kind}{target}{stored}")
        else:
            self.inputs.append(f"%{short}: {record['t']} = {kind}{target}")

    @staticmethod
    def extent(meta):
        dtype, sizes, strides, offset = re.match(r"(\w+)\[([\d,]*)\]\{([\d,]*)\}\+(\d+)", meta).groups()
        size = {"bool": 1, "u8": 1, "i8": 1, "i16": 2, "f16": 2, "bf16": 2, "i32": 4, "f32": 4, "i64": 8, "f64": 8, "c64": 8,
                "c128": 16}[dtype]
        sizes, strides = ([int(x) for x in t.split(",") if x] for t in (sizes, strides))
        if 0 in sizes:
            return 0
        return size * (int(offset) + 1 + sum((n - 1) * s for n, s in zip(sizes, strides)))

    def untracked(self, outputs):
        """Results of calls that were not logged become inputs, because they exist before the trace begins."""
        recorded = self.function["example"]["outputs"]
        for k, name in enumerate(outputs):
            if name not in self.names and isinstance(recorded, list) and len(recorded) == len(outputs) and "v" in recorded[k]:
                self.add_input(name, f"lit_untracked{k}", recorded[k], "constant")

    def resolve(self, name):
        return self.names[name]

    def spelled(self, argument):
        return re.sub(r"[%$](?:[\w.]|\[(?:'[^']*'|\d+)\])+", lambda m: self.resolve(m[0]), argument)

    def call(self, i, call):
        if call["op"] == "aten.detach_.default" and call["args"][0].startswith("$"):
            return  # a call of the observer
        if call["op"] == "aten.detach.default" and i and isinstance(self.function["eager"]["calls"][i - 1]["out"], str) and \
                re.fullmatch(r"aten\.(\w+)\.\w+", self.function["eager"]["calls"][i - 1]["op"]) and \
                call["args"][0] == self.function["eager"]["calls"][i - 1]["out"].split(":")[0] and \
                is_factory(self.function["eager"]["calls"][i - 1]["op"]):
            self.names[call["out"].split(":")[0]] = self.resolve(call["args"][0])
            return
        arguments = [self.numbers.get(a) or self.spelled(a) for a in call["args"]]
        arguments += [f"{k}={self.spelled(v)}" for k, v in (call.get("kwargs") or {}).items()]
        results = call["out"] if isinstance(call["out"], list) else [] if call["out"] is None else [call["out"]]
        defined, renamed = [], []
        for j, r in enumerate(results):
            if r is None or r == "None":
                defined.append("None")
                continue
            name = r.split(":")[0] if re.match(r"[%$]", r) else f"#{i}.{j}"
            short = f"%c{i}_{j}"
            number = re.fullmatch(r"(?:int|float)\((.*)\)", r)
            if number:  # the log has the recorded number, but later calls get the number that is read here
                self.numbers[number[1]] = short
            renamed.append((name, short))
            defined.append(short)
        listed = isinstance(call["out"], list) and returns_list(call["op"])
        text = f"[{', '.join(defined)}]" if listed else ", ".join(defined)
        self.lines.append(f"  {text + ' = ' if text else ''}{call['op']}({', '.join(arguments)})")
        for name, short in renamed:
            self.names[name] = short

    def text(self):
        head = "".join(s + "\n" for s in self.storages)
        return f"{head}\ngraph({', '.join(self.inputs)}):\n" + "\n".join(self.lines) + \
            f"\n  return {', '.join(self.returned)}\n"
