"""A page for docs/measurements from the archives that a session brought back: ersatz beside PyTorch, with card, driver and commit."""
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
    """name -> microseconds, by the names that bench_torch gives; manual times are what the device took."""
    unit = {"ns": 1e-3, "us": 1, "ms": 1e3, "s": 1e6}
    return {b["name"].split("/iterations:")[0].removesuffix("/manual_time"): (b["real_time"] * unit[b["time_unit"]], b.get("of_copy", b.get("of_product")))
            for b in report["benchmarks"] if "real_time" in b}


def page(archives):
    found = files([pathlib.Path(a) for a in archives])
    lines = ["# A session on a GPU", "", *("    " + line for line in found.get("machine/machine.txt", "machine unknown").splitlines()), ""]
    if "bench_cuda/bench_cuda.json" in found:
        ours = microseconds(json.loads(found["bench_cuda/bench_cuda.json"]))
        torch = json.loads(found.get("bench_torch/bench_torch.json", '{"microseconds": {}}'))
        lines += [f"PyTorch: {torch.get('torch', 'not asked')}. Microseconds a call; the last column is the part of a device copy's bytes a second, or of a",
                  "large product's operations a second, measured in the same run.", "", "| call | ersatz | PyTorch | ersatz / PyTorch | of the yardstick |", "|---|---|---|---|---|"]
        for name, (time, share) in ours.items():
            theirs = torch["microseconds"].get(name)
            lines.append(f"| {name} | {time:.1f} | {f'{theirs:.1f}' if theirs else ''} | {f'{time / theirs:.2f}' if theirs else ''} | {f'{share:.2f}' if share else ''} |")
        lines.append("")
    lines += ["## Steps", "", *("    " + line for line in found.get("summary.txt", "none\n").splitlines()), ""]
    return "\n".join(lines)
