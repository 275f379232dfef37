"""Runs one sweep twice: on one machine, and on a local Ray cluster of three nodes, one of which is ended during the run.

    python python/bench/sweep_on_ray.py LIST FOLDER [--end-after N] [--jobs N]

LIST is a file with one item a line. FOLDER gets the reports, `single/` and `ray/`. Exit status 0: every item was checked once, and
both reports are equal.
"""

from __future__ import annotations

import argparse
import pathlib
import sys
import time

import ray
from ray.cluster_utils import Cluster

from ersatz.sweep import SweepReport, sweep

STORE = 100 << 20  # bytes of object store for each node; tasks return only paths and JSON


def on_three_nodes(items: list[str], out: pathlib.Path, end_after: int) -> tuple[SweepReport, list[str]]:
    """Returns the report, and the progress lines. Ends a node without warning after `end_after` items."""
    node = {"num_cpus": 1, "object_store_memory": STORE}
    cluster = Cluster(initialize_head=True, head_node_args={**node, "include_dashboard": False})
    others = [cluster.add_node(**node) for _ in range(2)]
    told: list[str] = []

    def progress(line: str) -> None:
        told.append(line)
        if len(told) == end_after:
            cluster.remove_node(others[0], allow_graceful=False)

    try:
        ray.init(address=cluster.address, log_to_driver=False)
        report = sweep(items, out=out, progress=progress)
        if others[0] in cluster.list_all_nodes():
            raise RuntimeError("no node was ended: there are too few items")
        return report, told
    finally:
        ray.shutdown()
        cluster.shutdown()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("list", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--end-after", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    items = [line for line in options.list.read_text().splitlines() if line.strip()]
    start = time.monotonic()
    single = sweep(items, out=options.folder / "single", jobs=options.jobs)
    between = time.monotonic()
    report, told = on_three_nodes(items, options.folder / "ray", options.end_after)
    print(report)
    once, equal = len(told) == len(items) == len(report.items), report == single
    print(f"one machine: {between - start:.0f} s; three nodes, then two: {time.monotonic() - between:.0f} s; "
          f"{len(told)} of {len(items)} judged{', each once' if once else ''}; the reports are {'equal' if equal else 'not equal'}")
    return 0 if once and equal else 1


if __name__ == "__main__":
    sys.exit(main())
