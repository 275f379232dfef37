"""Compares symbolic traces by the metadata of their results, over symbols, for scripts/trace_table. In this mode make_fx records other
operators (its Python decompositions), so nodes are not compared.
"""
import re

# Each function gives the i-th symbol a number. Two expressions are compared at these three points.
POINTS = (lambda i: 2 + i * i, lambda i: 101 + 37 * i, lambda i: 96 - 7 * i if i < 10 else 3 + i)
FUNCTIONS = {"Max": max, "Min": min, "Mod": lambda a, b: a % b, "ToFloat": float, "IntTrueDiv": lambda a, b: a / b,
             "FloatTrueDiv": lambda a, b: a / b, "FloatPow": lambda a, b: a ** b, "FloorDiv": lambda a, b: a // b}
SYMBOL = re.compile(r"\b(?:s|u|zuf|zf)\d+\b")
FROM_DATA = 1000


def symbols_of(metas):
    """Symbol -> its index in order of appearance."""
    seen = {}
    for symbol in SYMBOL.findall(" ".join(metas)):
        seen.setdefault(symbol, len(seen))
    return seen


def fields(meta):
    """Dtype, device, and each expression."""
    kind, rest = re.match(r"(\w+)(.*)", meta, re.S).groups()
    if rest.startswith("("):
        return [kind, rest[1:-1]]
    sizes, strides, offset, device = re.match(r"\[(.*)\]\{(.*)\}\+(.*?)@(\w+)", rest).groups()
    return [kind, device, *parts(sizes), "strides", *parts(strides), "offset", offset]


def parts(text):
    found, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        if c == "," and not depth:
            found.append(text[start:i])
            start = i + 1
    return found + [text[start:]] if text else []


def value(text, numbers):
    """The value of an expression with numbers for its symbols; any other text unchanged."""
    try:
        return eval(text, {"__builtins__": {}}, FUNCTIONS | numbers)
    except (SyntaxError, NameError, ZeroDivisionError):
        return text


def numbers_of_ours(ours, theirs, point):
    """Our symbols at a point: those of sizes are what PyTorch has at their place. There, equal sizes of the example
    share a symbol, and a size that a call fixed is a number; here, both are guards."""
    found = {}
    for place, x in ours.items():
        for p, q in zip(fields(x), fields(theirs[place]) if place in theirs else ()):
            if SYMBOL.fullmatch(p):
                found.setdefault(p, value(q, point))
    return found


def compare(inputs, results, hints):
    """`inputs` by place, `results` in order: metadata, here and in PyTorch; hints: the example's numbers by PyTorch's symbol. (the first
    difference, is it only that a recorded call holds a size as the number that it was in the example?)"""
    if len(results[0]) != len(results[1]):
        return f"{len(results[0])} / {len(results[1])} results", False
    symbols = symbols_of([*inputs[1].values(), *results[1]])
    points = [{s: point(i) for s, i in symbols.items()} for point in POINTS]
    data = [s for s in symbols if s not in hints]
    points.append({s: hints.get(s, FROM_DATA + data.index(s) if s in data else 0) for s in symbols})
    ours = [numbers_of_ours(inputs[0], inputs[1], p) for p in points]
    for at, p in zip(ours, points):  # symbols of data, in order
        made = [s for s in symbols_of(results[0]) if s not in at]
        at.update(zip(made, (p[s] for s in symbols_of(results[1]) if s in data)))
    fixed = ""
    for x, y in zip(*results):
        left, right = fields(x), fields(y)
        if len(left) != len(right):
            return f"{x} / {y}", False
        for p, q in zip(left, right):
            equal = [value(p, at) == value(q, point) for at, point in zip(ours, points)]
            if all(equal):
                continue
            of_data = any(s in data for s in SYMBOL.findall(q))
            if SYMBOL.search(p) or not (equal[-1] or of_data):
                return f"{x} / {y}", False
            fixed = fixed or f"{x} / {y}"
    return fixed, bool(fixed)
