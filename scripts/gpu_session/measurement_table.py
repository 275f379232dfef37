"""Writes a page for docs/measurements from a session's archives: ersatz compared with PyTorch, with card, driver and
commit."""
import json
import pathlib
import tarfile


def files(archives):
    found = {}
    for archive in archives:
        with tarfile.open(archive) as tar:
            found |= {m.name: tar.extractfile(m).read().decode(errors="replace") for m in tar.getmembers() if m.isfile()}
    return found


def microseconds(report):
    """name -> microseconds, with the names of bench_torch; manual times are times on the device."""
    unit = {"ns": 1e-3, "us": 1, "ms": 1e3, "s": 1e6}
    return {b["name"].split("/iterations:")[0].removesuffix("/manual_time"): (b["real_time"] * unit[b["time_unit"]], b.get("of_copy", b.get("of_product")))
            for b in report["benchmarks"] if "real_time" in b}


def report_of(text):
    """The report of bench_cuda, completed if its process was killed."""
    try:
        return json.loads(text)
    except ValueError:
        end = text.rfind("\n    }")
        return json.loads(text[:end] + "\n    }]}") if end > 0 else {"benchmarks": []}


def bench_lines(found):
    ours = {}
    for name in ("bench_cuda", "bench_small"):
        ours |= microseconds(report_of(found.get(f"{name}/bench_cuda.json", "")))
    if not ours:
        return []
    torch = json.loads(found.get("bench_torch/bench_torch.json", '{"microseconds": {}}'))
    lines = ["## Times", "", f"PyTorch: {torch.get('torch', 'not asked')}. Microseconds a call; the last column is the part of a device copy's bytes a second,",
             "or of a large product's operations a second, measured in the same run.", "",
             "| call | ersatz | PyTorch | ersatz / PyTorch | of the yardstick |", "|---|---|---|---|---|"]
    for name, (time, share) in ours.items():
        theirs = torch["microseconds"].get(name)
        cells = [f"{time:.1f}", f"{theirs:.1f}" if theirs else "", f"{time / theirs:.2f}" if theirs else "", f"{share:.2f}" if share else ""]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return [*lines, ""]


def record_lines(found):
    if "records/records.json" not in found:
        return []
    said = json.loads(found["records/records.json"])
    totals, ops = said["totals"], said.get("ops", {}).values()
    rows = [("results compared", totals.get("compared", 0)), ("results that differ", totals.get("mismatched", 0)),
            ("results with values compared", totals.get("values_compared", 0)), ("results skipped", totals.get("skipped", 0)),
            ("overloads", len(ops)), ("overloads with values compared", sum(bool(o.get("with_values")) for o in ops)),
            ("calls not run", said["not_run"]), ("calls that ended a process", len(said["ended_a_process"]))]
    if "verified/verified.csv" in found:
        rows.append(("kernels verified", found["verified/verified.csv"].count("\n") - 1))
    return ["## Recorded calls", "", "| | |", "|---|---|", *(f"| {what} | {n} |" for what, n in rows), ""]


def failure_lines(found):
    lines = []
    if "suite/tests.json" in found:
        said = json.loads(found["suite/tests.json"])
        lines += [f"- test `{name}`: {how}" for name, how in sorted(said["tests"].items()) if how not in ("ok", "skipped")]
    if "records/records.json" in found:
        said = json.loads(found["records/records.json"])
        lines += [f"- call `{c['id']}`: {c['how']}" for c in said["ended_a_process"]]
        lines += [f"- `{c['op']}` {c['field']}, {c['count']} times, first {c['ids'][:1]}: {c['cause']}".replace("\n", " ")
                  for c in said.get("causes", [])]
    alone = {name: found[name].splitlines()[0] for name in sorted(found) if name.startswith(("again/", "alone/")) and name.endswith(".txt")}
    lines += [f"- {name.removesuffix('.txt')}, alone: {how}" for name, how in alone.items() if how != "exit 0"]
    if passed := sum(how == "exit 0" for how in alone.values()):
        lines.append(f"- {passed} of {len(alone)} runs of a failure alone pass")
    return ["## Failures", "", *(lines or ["None."]), ""]


def torch_lines(found):
    lines = []
    for name in sorted(n for n in found if n.startswith("facts/cuda_facts") and n.endswith(".jsonl")):
        counts = json.loads(found[name].splitlines()[-1])
        lines.append("- recorded calls: " + ", ".join(f"{n if isinstance(n, int) else len(n)} {what.replace('_', ' ')}"
                                                     for what, n in counts.items() if what != "done"))
    if layouts := found.get("layouts/layouts.jsonl"):
        rows = [json.loads(line) for line in layouts.splitlines()[1:]]
        raised = sum("err" in row["cuda_fake"] for row in rows)
        lines.append(f"- layouts: {len(rows)} problems, {raised} raise")
    return ["## What PyTorch answered", "", *lines, ""] if lines else []


def page(archives):
    found = files([pathlib.Path(a) for a in archives])
    said = [*found.get("machine/machine.txt", "machine unknown").splitlines(), *found.get("hold/output.txt", "").splitlines()]
    return "\n".join(["# A session on a GPU", "", *("    " + line for line in said), "", *bench_lines(found), *record_lines(found),
                      *failure_lines(found), *torch_lines(found), "## Steps", "", *("    " + line for line in step_lines(archives)), ""])


def step_lines(archives):
    """Lines of all archives: a later archive may have steps with the same names."""
    return [line for a in archives for line in files([pathlib.Path(a)]).get("summary.txt", "none\n").splitlines()]
