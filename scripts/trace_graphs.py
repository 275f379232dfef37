"""Graphs of ersatz and of make_fx in one form, and their differences, for scripts/trace_table."""
import re

from trace_schemas import SCHEMAS, acts

STRAY = ("aten.alias.default", "aten.detach.default", "aten.detach_.default")
# make_fx records these calls for scopes if it traces before dispatch. The comparison leaves them out.
SCOPES = ("torch._C._set_grad_enabled", "torch.amp.autocast_mode._enter_autocast",
          "torch.amp.autocast_mode._exit_autocast")


def split_top(text):
    parts, depth, quoted, start = [], 0, False, 0
    for i, c in enumerate(text):
        if c == '"' and text[i - 1] != "\\":
            quoted = not quoted
        if quoted:
            continue
        depth += c in "([{"
        depth -= c in ")]}"
        if c == "," and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    last = text[start:].strip()
    return parts + [last] if last else parts


def full_arguments(op, positional, keywords):
    """Every argument by the schema's name; missing ones have the schema's defaults."""
    schema = SCHEMAS.get(op, {}).get("schema")
    if not schema:
        return {str(i): a for i, a in enumerate(positional)} | keywords
    inside = schema[schema.index("(") + 1:schema.rindex(") ->")]
    named, rest = {}, list(positional)
    for formal in split_top(inside):
        if formal == "*":
            continue
        name, _, default = formal.split(" ")[-1].partition("=")
        if rest:
            named[name] = rest.pop(0)
        elif name in keywords:
            named[name] = keywords[name]
        elif default:
            named[name] = default
    return {k: usual(v, k) for k, v in named.items()}


def usual(value, name):
    value = {"true": "True", "false": "False", "[]": "None"}.get(value, value)
    if name == "pin_memory" and value == "False":
        return "None"
    if name in ("device",) and value == "cpu":
        return "None"
    if name == "layout" and value == "strided":
        return "None"
    if name == "memory_format" and value in ("preserve", "contiguous_format"):
        return {"contiguous_format": "contiguous"}.get(value, "None")
    if re.fullmatch(r"-?\d+\.\d*(e[+-]?\d+)?", value):
        return repr(float(value))
    return value


def torch_graph(mode):
    """(op, {argument: value}, [metadata]) of each call node; values by place: `in0`, `@0.1` (result 1 of node 0)."""
    places, nodes, inputs, captured = {}, [], 0, {}
    aliases = {}
    for n in mode["nodes"]:
        name, kind = "%" + n["name"], n["op"]
        if kind == "placeholder":
            places[name] = f"in{inputs}"
            inputs += 1
        elif kind == "get_attr":
            places[name] = captured.setdefault(n["target"], f"const{len(captured)}")
        elif kind == "output":
            result = re.findall(r"(?:@|in|const)[\d.]+", spell(" ".join(map(str, n["args"])), places))
        elif n["target"] == "_operator.getitem":
            source, index = n["args"]
            places[name] = f"{places[source]}.{index}"
        else:
            arguments = full_arguments(n["target"], [spell(a, places) for a in n.get("args") or []],
                                       {k: spell(v, places) for k, v in (n.get("kwargs") or {}).items()})
            places[name] = f"@{len(nodes)}"
            out = n.get("out")
            nodes.append((n["target"], arguments, out if isinstance(out, list) else [out] if out else []))
    return nodes, result


def spell(argument, places):
    return re.sub(r"%[\w.]+", lambda m: places.get(m[0], m[0]), argument)


def ersatz_places(text):
    """Name -> place of the graph's inputs, `in0` and so on; None for a captured value."""
    places, inputs = {}, 0
    for one in split_top(text[text.index("graph(") + 6:].split("):\n", 1)[0]):
        name = re.match(r'%("[^"]*"|[\w.$]+)', one)[0]
        found = re.search(r" = (constant|parameter)\b", one) and name.startswith(("%lit", "%_tensor", "%_param"))
        places[name] = None if found else f"in{inputs}"
        inputs += not found
    return places


def ersatz_graph(text):
    places, nodes = ersatz_places(text), []
    # Captured value -> its number, in the order of first use.
    captured = {name: None for name, place in places.items() if place is None}
    body = text[text.index("graph("):].split("):\n", 1)[1]
    used = []

    def place(m):
        name = m[0]
        if name in captured:
            if captured[name] is None:
                captured[name] = f"const{len(used)}"
                used.append(name)
            return captured[name]
        return places.get(name, name)

    result = None
    for line in body.splitlines():
        line = line.strip()
        if line.startswith("return"):
            result = [returned(a, place) for a in split_top(line[6:].strip())]
            continue
        if not line:
            continue
        m = re.match(r"(?:(.*?) = )?([\w.]+)\((.*)\)(?: \{.*\})?$", line)
        results, op, arguments = m.groups()
        positional, keywords = [], {}
        for a in split_top(arguments):
            key = re.match(r"(\w+)=(?!=)", a)
            value = re.sub(r"%[\w.$]+", place, a[key.end():] if key else a)
            if key:
                keywords[key[1]] = value
            else:
                positional.append(value)
        metas, number = [], len(nodes)
        inside = (results or "").strip()
        listed = inside.startswith("[")
        for j, r in enumerate(split_top(inside[1:-1] if listed else inside)):
            if r == "None":
                metas.append(None)
                continue
            name, _, record = r.partition(": ")
            metas.append(record.split(" ~")[0] if record else None)
            places[name] = f"@{number}" if not listed and len(split_top(inside)) == 1 else f"@{number}.{j}"
        nodes.append((op, full_arguments(op, positional, keywords), metas))
    return nodes, result


def returned(text, place):
    m = re.fullmatch(r'(?:(\w+_mutation) "([^"]*)" )?(%[\w.$]+|.*)', text)
    value = re.sub(r"%[\w.$]+", place, m[3])
    return f"{place(re.match('.*', '%' + m[2]))} = {value}" if m[1] else value


def ersatz_inputs(text):
    """Metadata of the inputs that are tensors, by place; captured tensors included."""
    found, places = {}, ersatz_places(text)
    for one in split_top(text[text.index("graph(") + 6:].split("):\n", 1)[0]):
        name, record = re.match(r'(%(?:"[^"]*"|[\w.$]+)): (\S+)', one).groups()
        if "[" in record:
            found[places[name]] = record
    return found


def torch_inputs(mode):
    found = {}
    for i, n in enumerate(n for n in mode["nodes"] if n["op"] == "placeholder"):
        if isinstance(n.get("out"), str) and "[" in n["out"]:
            found[f"in{i}"] = n["out"]
    return found


def results_of(graph, inputs):
    """Metadata of the graph's results that are tensors."""
    nodes, result = graph
    metas = []
    for place in result:
        m = re.fullmatch(r"@(\d+)(?:\.(\d+))?", place)
        metas.append(nodes[int(m[1])][2][int(m[2] or 0)] if m else inputs.get(place))
    return [m for m in metas if m]


def without_stray(nodes, result):
    """The graph without calls for scopes and without aliases of saved tensors, which are unused or only passed on."""
    kept, moved = [], {}
    for i, (op, arguments, metas) in enumerate(nodes):
        arguments = {k: moved_places(v, moved) for k, v in arguments.items()}
        if op in STRAY:
            moved[str(i)] = next(iter(arguments.values()))
            continue
        if op in SCOPES:
            continue
        moved[str(i)] = f"@{len(kept)}"
        kept.append((op, arguments, metas))
    return kept, [moved_places(r, moved) for r in result]


def moved_places(text, moved):
    return re.sub(r"@(\d+)", lambda m: moved.get(m[1], m[0]), text)


def meta_words(meta):
    return meta and meta.replace(" grad", "")


def without_dead(nodes, result):
    """The graph without unused nodes, except those that write, draw or check."""
    live, used = set(), set(re.findall(r"@(\d+)", " ".join(result)))
    for i in range(len(nodes) - 1, -1, -1):
        op, arguments, _ = nodes[i]
        if str(i) in used or acts(op):
            live.add(i)
            used |= set(re.findall(r"@(\d+)", " ".join(arguments.values())))
    kept, moved = [], {}
    for i, (op, arguments, metas) in enumerate(nodes):
        if i in live:
            moved[str(i)] = f"@{len(kept)}"
            kept.append((op, {k: moved_places(v, moved) for k, v in arguments.items()}, metas))
    return kept, [moved_places(r, moved) for r in result]


def writes_as_results(nodes, result):
    """make_fx's functional graph ends with a `copy_` into each written input; here these inputs become results."""
    written = []
    while nodes and nodes[-1][0] == "aten.copy_.default" and re.fullmatch(r"in\d+", nodes[-1][1]["self"]):
        written.insert(0, f"{nodes[-1][1]['self']} = {nodes[-1][1]['src']}")
        nodes = nodes[:-1]
    return nodes, written + result


def compare(ours, theirs, offsets, dead):
    """The first difference of two graphs; empty if there is none. `dead`: also compares unused nodes."""
    ours, theirs = without_stray(*ours), without_stray(*theirs)
    if not dead:
        ours, theirs = without_dead(*ours), without_dead(*theirs)
    (a, out_a), (b, out_b) = ours, theirs
    for i in range(max(len(a), len(b))):
        if i >= len(a) or i >= len(b):
            more = a if len(a) > len(b) else b
            return f"node {i}: {'ersatz' if more is a else 'torch'} has {more[i][0]} more"
        if a[i][0] != b[i][0]:
            return f"node {i}: {a[i][0]} / {b[i][0]}"
        if a[i][1] != b[i][1]:
            k = next(k for k in sorted(set(a[i][1]) | set(b[i][1])) if a[i][1].get(k) != b[i][1].get(k))
            return f"node {i} {a[i][0]}: argument {k}: {a[i][1].get(k)} / {b[i][1].get(k)}"
        x, y = ([meta_words(m) for m in n[2]] for n in (a[i], b[i]))
        if not offsets:
            x, y = ([m and re.sub(r"\+\d+@", "@", m) for m in side] for side in (x, y))
        if [m for m in x if m] != [m for m in y if m and re.match(r"\w+\[", m)] and len(y):
            if any(m and re.match(r"\w+\[", m) for m in y):
                return f"node {i} {a[i][0]}: {x} / {y}"
    return "" if out_a == out_b else f"results: {out_a} / {out_b}"
