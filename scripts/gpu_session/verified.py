"""Makes rows for docs/data/cuda_verified.csv: kernels that this GPU has run, and whose values agreed with the CPU's."""
import json
import re

HEAD = "op,card,driver,date"


def kernels_of(listing):
    """overload -> the overload whose kernel it runs, for those with a CUDA kernel in `ersatz ops --json`."""
    return {row["op"]: row["rule"].removeprefix("derived from ") if row["rule"].startswith("derived from ") else row["op"]
            for row in json.loads(listing)["ops"] if row["cuda"] in ("verified", "runs as PTX", "unverified")}


def verified(kernels, records, suite):
    """The kernels whose values agreed in a recorded call, or in a test named for the overload, and that no failed call,
    test or crash contradicts.

    `records` and `suite` are records.json and tests.json of the steps with these names, or {}. A failed test
    contradicts the overloads that it names."""
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
    """Merges the rows of several tables. The last table wins for each overload; rows of the emulated device are
    dropped."""
    found = {}
    for table in tables:
        for row in table.splitlines()[1:]:
            op, card, *_ = row.split(",")
            if card != "emulated device":
                found[op] = row
    return "\n".join([HEAD, *(found[op] for op in sorted(found))]) + "\n"
