"""Rows for docs/data/cuda_verified.csv: kernels that this card has run and that agreed with the CPU's in values."""
import json
import re

HEAD = "op,card,driver,date"


def kernels_of(listing):
    """overload -> the one whose kernel it runs, of what `ersatz ops --json` says has a kernel on CUDA."""
    return {row["op"]: row["rule"].removeprefix("derived from ") if row["rule"].startswith("derived from ") else row["op"]
            for row in json.loads(listing)["ops"] if row["cuda"] in ("verified", "unverified")}


def verified(kernels, records, suite):
    """The kernels of which a recorded call or a test of the overload's name agreed in values, and no call, no test and no crash speaks against.

    `records` and `suite` are what the steps of these names left (records.json, tests.json), or {}. A test speaks against the overloads that it
    names where it fails."""
    tests = {}  # of the samples, and of ops whose values the CPU has under another name
    for name, how in suite.get("tests", {}).items():
        tests.setdefault(name.split(".")[-1], set()).add(how)
    agreed, against = set(), set()
    for op, kernel in kernels.items():
        counts, said = records.get("ops", {}).get(op, {}), tests.get(re.sub(r"\W", "_", op), set())
        if counts.get("with_values") or "ok" in said:
            agreed.add(kernel)
        if counts.get("failed") or said - {"ok", "skipped", "not run"}:
            against.add(kernel)
    for op in [*records.get("suspects", []), *(op for named in suite.get("named", {}).values() for op in named)]:
        against.add(kernels.get(op, op))
    return sorted(agreed - against)


def rows(ops, card, driver, date):
    return "\n".join([HEAD, *(",".join([op, card.replace(",", " "), driver, date]) for op in ops)]) + "\n"


def joined(tables):
    """The rows of several tables, each overload once, the last table's row; those of the emulated device are none."""
    found = {}
    for table in tables:
        for row in table.splitlines()[1:]:
            op, card, *_ = row.split(",")
            if card != "emulated device":
                found[op] = row
    return "\n".join([HEAD, *(found[op] for op in sorted(found))]) + "\n"
