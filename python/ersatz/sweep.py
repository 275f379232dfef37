"""`sweep`: checks many programs, models, records, scripts and operators, each in a process of its own, on one machine or
a Ray cluster.

    report = ersatz.torch.sweep(["model.pt2", "run.jsonl", "timm:resnet18", "op:aten.cat.default"], out="swept")

Each item's report is written before the next item begins, so an interrupted sweep continues where it stopped. An item's
report does not depend on how the items are distributed. Ray (`pip install ray`) is used if it runs (`ray.init` was
called, or RAY_ADDRESS is set); each item is then a task with its retries.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import dataclasses
import hashlib
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator, Iterable
from typing import Any

from . import errors
from .whole_file import whole_file

__all__ = ["SweepReport", "Swept", "sweep"]

FORMAT = 1


@dataclasses.dataclass(frozen=True)
class Swept:
    """The result of one item."""

    item: str
    status: str
    """`clean`, `findings`, `unusable`, `bug`, `timeout`, `memory`, `crashed`."""
    compared: int
    mismatched: int
    findings: tuple[dict[str, Any], ...]
    message: str
    """The reason, in one line, if the status is `unusable`, `bug`, `crashed`, `timeout` or `memory`."""
    counts: dict[str, int] = dataclasses.field(default_factory=dict)
    """For an item of `ersatz conformance`: numbers of compared calls by source, and of other calls by reason."""


@dataclasses.dataclass(frozen=True)
class SweepReport:
    """All items, by name. Two sweeps of equal items are equal, wherever they ran."""

    items: tuple[Swept, ...]

    @property
    def clean(self) -> bool:
        """Whether every item was compared and none has a finding."""
        return all(i.status == "clean" for i in self.items)

    @property
    def status(self) -> str:
        """`clean`, `findings`, or `unjudged` if there is no finding and an item could not be judged."""
        return "clean" if self.clean else "findings" if any(i.status == "findings" for i in self.items) else "unjudged"

    def to_json(self) -> str:
        """Returns one JSON object with the keys of every report and `items`."""
        items = [{name: value for name, value in dataclasses.asdict(i).items() if name != "counts" or value} for i in self.items]
        return json.dumps({"format": FORMAT, "command": "sweep", "input": "", "device": "cpu", "status": self.status, "items": items}, indent=1)

    def __str__(self) -> str:
        wide = max((len(i.item) for i in self.items), default=0)
        rows = [f"{i.item:<{wide}}  {i.status:<9} {i.compared:>7} compared, {i.mismatched} mismatched" + (f"  {i.message}" if i.message else "")
                for i in self.items]
        counts: dict[str, int] = {}
        for i in self.items:
            counts[i.status] = counts.get(i.status, 0) + 1
        closing = f"sweep: {len(self.items)} items, " + ", ".join(f"{n} {s}" for s, n in sorted(counts.items()))
        return "\n".join([*rows, closing])


def _file_of(item: str) -> str:
    """Returns a readable file name that is unique for the item."""
    return f"{re.sub(r'[^A-Za-z0-9_.-]+', '_', item)[-80:]}-{hashlib.sha256(item.encode()).hexdigest()[:12]}.json"


def _first_line(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    own = next((line for line in lines if line.startswith("ersatz: ")), None)
    return (own or (lines[-1] if lines else ""))[:400]


def _signal(number: int) -> str:
    return signal.Signals(number).name if number in set(signal.Signals) else f"signal {number}"


def _reason(report: dict[str, Any]) -> str:
    """Returns why a report compared nothing: its error, or the missing operators."""
    if error := report.get("error"):
        return str(error)
    missing = list(report.get("missing") or {})
    some = ", ".join(missing[:3]) + ", ..." * (len(missing) > 3)
    return f"no operator of this name is here: {some}" if missing else ""


_running: set[subprocess.Popen[str]] = set()
"""Children of this process that judge an item."""


def _run(command: list[str], seconds: float, limited: Callable[[], None]) -> subprocess.CompletedProcess[str]:
    """Works like subprocess.run, and keeps the child in `_running` meanwhile."""
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace", preexec_fn=limited)
    _running.add(child)
    try:
        out, error = child.communicate(timeout=seconds)
        return subprocess.CompletedProcess(command, child.returncode, out, error)
    finally:
        child.kill()
        child.wait()
        _running.discard(child)


def _judge(item: str, seconds: float, gigabytes: float | None) -> dict[str, Any]:
    """Runs the item in a child process. Returns its result as JSON data."""

    def limited() -> None:
        if gigabytes:
            most = int(gigabytes * (1 << 30))
            resource.setrlimit(resource.RLIMIT_AS, (most, most))

    answer: dict[str, Any] = {"item": item, "status": "crashed", "compared": 0, "mismatched": 0, "findings": [], "message": ""}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "report.json")
        command = [sys.executable, "-W", "ignore", "-m", "ersatz.sweep_item", item, path]
        try:
            done = _run(command, seconds, limited)
        except subprocess.TimeoutExpired:
            return answer | {"status": "timeout", "message": f"ended after {seconds:g} s"}
        if os.path.exists(path):
            with open(path, encoding="utf-8") as f:
                report = json.load(f)
            findings = report.get("findings", [])
            # Numbers of calls by verdict, in reports of `ersatz validate`.
            judged = (op[verdict] for op in report.get("ops", []) for verdict in ("agreed", "refused", "findings"))
            compared = report["compared"] if "compared" in report else sum(judged)
            return answer | {"status": report["status"], "compared": compared, "mismatched": report.get("mismatched", len(findings)),
                             "findings": findings, "message": _reason(report) if report["status"] in ("unusable", "bug") else "",
                             **({"counts": report["counts"]} if "counts" in report else {})}
    message = _first_line(done.stderr)
    if gigabytes and re.search(r"MemoryError|memory is exhausted|bad_alloc|can't allocate memory", done.stderr):
        return answer | {"status": "memory", "message": f"needs more than {gigabytes:g} GiB"}
    if done.returncode < 0:
        died = f"ended by {_signal(-done.returncode)}"
        return answer | {"message": f"{died}: {message}" if message else died}
    said = message or f"it ended with status {done.returncode} and said nothing"
    return answer | {"status": "unusable" if done.returncode == 2 else "crashed", "message": said}


def _on_ray(items: list[str], seconds: float, gigabytes: float | None) -> Generator[dict[str, Any], None, None]:
    import ray  # type: ignore[import-not-found, import-untyped, unused-ignore]

    # If the node of a task dies, the task runs once more on another node.
    task: Any = ray.remote(max_retries=1, num_cpus=1)(_judge)
    waiting = [task.remote(item, seconds, gigabytes) for item in items]
    while waiting:
        ready, waiting = ray.wait(waiting)
        yield from ray.get(ready)


def _on_processes(items: list[str], seconds: float, gigabytes: float | None, jobs: int) -> Generator[dict[str, Any], None, None]:
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        futures = [pool.submit(_judge, item, seconds, gigabytes) for item in items]
        try:
            for done in concurrent.futures.as_completed(futures):
                yield done.result()
        except BaseException:  # interrupted: waiting items are not begun, and running items are ended
            pool.shutdown(wait=False, cancel_futures=True)
            while not all(future.done() for future in futures):
                for child in list(_running):
                    child.kill()
                concurrent.futures.wait(futures, timeout=0.1)
            raise


def _uses_ray() -> bool:
    if "ray" not in sys.modules and not os.environ.get("RAY_ADDRESS"):
        return False
    try:
        import ray
    except ImportError:
        return False
    if not ray.is_initialized() and os.environ.get("RAY_ADDRESS"):
        ray.init(address=os.environ["RAY_ADDRESS"], log_to_driver=False)
    return bool(ray.is_initialized())


def _write(path: pathlib.Path, text: str) -> None:
    with whole_file(path) as beside:
        beside.write_text(text, encoding="utf-8")


def _kept(paths: dict[str, pathlib.Path]) -> dict[str, dict[str, Any]]:
    return {item: json.loads(path.read_text(encoding="utf-8")) for item, path in paths.items() if path.exists()}


def _report(answers: Iterable[dict[str, Any]]) -> SweepReport:
    return SweepReport(tuple(Swept(**{**answer, "findings": tuple(answer["findings"])}) for answer in answers))


def kept(items: Iterable[str], out: str | os.PathLike[str]) -> SweepReport:
    """The items whose reports are in the folder of a sweep: all of one that has ended, the first of one that was interrupted."""
    answers = _kept({item: pathlib.Path(out) / "items" / _file_of(item) for item in items})
    return _report(answers[item] for item in sorted(answers))


def sweep(items: Iterable[str | os.PathLike[str]], *, out: str | os.PathLike[str], jobs: int | None = None, timeout: float = 1800,
          memory: float | None = None, progress: Callable[[str], None] | None = None) -> SweepReport:
    """Checks each item and writes its report to the folder `out`. An item whose report exists is not run again.

    items: programs (`.pt2`, `.json`, text form) and records (`.jsonl`) by path, and scripts of PyTorch with their
    arguments (`train.py --epochs 1`). Models are `timm:NAME` and `transformers:TYPE` (exported with random weights, on
    their default input). `op:NAME` is an operator for `ersatz validate`. jobs: number of items at a time on this
    machine, by default one per core. timeout: seconds per item. memory: GiB of address space per item. progress: called
    with a line for each finished item."""
    named = sorted({os.fspath(i) for i in items})
    if not named:
        raise errors.ValueError("sweep: no items")
    folder = pathlib.Path(out)
    (folder / "items").mkdir(parents=True, exist_ok=True)
    paths = {item: folder / "items" / _file_of(item) for item in named}
    answers = _kept(paths)
    left = [item for item in named if item not in answers]
    made = _on_ray(left, timeout, memory) if _uses_ray() else _on_processes(left, timeout, memory, jobs or os.cpu_count() or 1)
    with contextlib.closing(made):
        for answer in made:
            answers[answer["item"]] = answer
            _write(paths[answer["item"]], json.dumps(answer))
            if progress:
                progress(f"{len(answers)} of {len(named)}: {answer['item']}: {answer['status']}")
    report = _report(answers[item] for item in named)
    _write(folder / "report.json", report.to_json())
    return report


def main(arguments: list[str]) -> int:
    """`ersatz sweep LIST -o DIR`."""
    import argparse

    parser = argparse.ArgumentParser(prog="ersatz sweep", description="Checks each item of a list in a process of its own and keeps its "
                                     "report. An interrupted sweep continues when it is run again. If RAY_ADDRESS names a Ray cluster, the items run there.",
                                     epilog="Exit status: 0 all clean, 1 findings or items that could not be checked, 2 the list cannot be used, "
                                            "130 interrupted.")
    parser.add_argument("list", metavar="LIST", help="a file with one item a line (# begins a comment): PATH, timm:NAME, "
                        "transformers:TYPE, op:NAME, SCRIPT.py ARGUMENT...")
    parser.add_argument("-o", "--output", metavar="DIR", required=True, help="folder of the reports")
    parser.add_argument("--jobs", type=int, help="items at a time on this machine (default: one a core)")
    parser.add_argument("--timeout", type=float, default=1800, metavar="S", help="seconds an item (1800)")
    parser.add_argument("--memory", type=float, metavar="GIB", help="address space of an item")
    options = parser.parse_args(arguments)
    try:
        with open(options.list, encoding="utf-8") as f:
            items = [line.split("#")[0].strip() for line in f]
        report = sweep([i for i in items if i], out=options.output, jobs=options.jobs, timeout=options.timeout, memory=options.memory,
                       progress=lambda line: print(f"ersatz: {line}", file=sys.stderr))
    except KeyboardInterrupt:
        print(f"ersatz: interrupted; `ersatz sweep {options.list} -o {options.output}` goes on", file=sys.stderr)
        return 130
    except (OSError, errors.Error) as e:
        print(f"ersatz: {e}", file=sys.stderr)
        return 2
    print(report)
    return 0 if report.clean else 1
