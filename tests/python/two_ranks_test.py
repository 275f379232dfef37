"""Two processes over gloo, each under a live crosscheck. Collectives are compared, and reports name their rank and can
be merged."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

try:
    import torch
except ImportError as e:
    raise unittest.SkipTest("needs torch") from e
import torch.distributed

if not torch.distributed.is_available() or not torch.distributed.is_gloo_available():
    raise unittest.SkipTest("needs a torch with gloo")

from ersatz import _ersatz

SCRIPT = pathlib.Path(__file__).with_name("two_ranks.py")


def run_both(folder, ersatz, *arguments):
    """Runs the script in two processes under `ersatz` with these arguments. Returns the output of each."""
    store = pathlib.Path(folder, "store")
    store.unlink(missing_ok=True)
    env = {**os.environ, "WORLD_SIZE": "2", "GLOO_SOCKET_IFNAME": "lo", "OMP_NUM_THREADS": "1", "ERSATZ_GLUE": "0", "PYTHONWARNINGS": "ignore"}
    command = [sys.executable, *(["-m", "ersatz", *ersatz] if ersatz else []), str(SCRIPT), str(store), *arguments]
    both = [subprocess.Popen(command, cwd=folder, env={**env, "RANK": str(rank)}, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            for rank in range(2)]
    said = [p.communicate(timeout=300) for p in both]
    return [(p.returncode, *text) for p, text in zip(both, said)]


class Folder(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.folder)

    def read(self, name):
        return pathlib.Path(self.folder, name).read_text()

    def merged(self, *names):
        """Returns the status of `ersatz merge`, and its report."""
        out = pathlib.Path(self.folder, "merged.json")
        status = _ersatz.run_command(["merge", *(os.path.join(self.folder, name) for name in names), "--json", "-o", str(out)])
        return status, json.loads(out.read_text())


class TensorParallel(Folder):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.ended = run_both(cls.folder, ["crosscheck", "--report", "rank{rank}.json"])

    def report(self, rank):
        status, _, errors = self.ended[rank]
        self.assertEqual(status, 0, errors)
        return json.loads(self.read(f"rank{rank}.json"))

    def test_each_rank_is_named_and_nothing_differs(self):
        for rank in range(2):
            report = self.report(rank)
            self.assertEqual((report["rank"], report["world_size"], report["status"]), (rank, 2, "clean"))
            self.assertEqual(report["mismatched"], 0)
            self.assertGreater(report["compared"], 150)
            self.assertIn(f"two_ranks.py, rank {rank} of 2", self.ended[rank][2])

    def test_collectives_are_judged_by_their_rules(self):
        by_rule = {row["op"]: row["sources"].get("rule", 0) for row in self.report(1)["coverage"]}
        for op in ("all_reduce", "all_gather_into_tensor", "reduce_scatter_tensor", "broadcast", "all_to_all_single", "wait_tensor"):
            self.assertGreater(by_rule[f"_c10d_functional.{op}.default"], 0, op)

    def test_subclass_calls_are_reported_once_locals_judged(self):
        report = self.report(0)
        self.assertGreater(report["subclass_calls"]["DTensor"]["aten.mm.default"], 0)
        self.assertIn("AsyncCollectiveTensor", report["subclass_calls"])
        by_rule = {row["op"]: row["sources"].get("rule", 0) for row in report["coverage"]}
        self.assertEqual(by_rule["aten.mm.default"], 6)  # two linear layers, two steps: the gradients of two weights and one input
        # The skipped calls are the collectives that make the mesh, and profiler marks.
        left = {op.split(".")[0] for operators in report["skipped_calls"].values() for op in operators}
        self.assertEqual(left, {"c10d", "profiler"})

    def test_results_are_those_of_a_run_without_it(self):
        for (status, out, errors), (_, judged, _) in zip(run_both(self.folder, []), self.ended):
            self.assertEqual(status, 0, errors)
            self.assertEqual(out, judged)

    def test_both_reports_are_joined(self):
        status, merged = self.merged("rank1.json", "rank0.json")
        ranks = [self.report(0), self.report(1)]
        self.assertEqual((status, merged["status"], merged["world_size"]), (0, "clean", 2))
        self.assertEqual([row["rank"] for row in merged["ranks"]], [0, 1])
        self.assertEqual(merged["compared"], sum(r["compared"] for r in ranks))
        self.assertEqual(merged["mismatched"], 0)

    def test_a_report_alone_is_not_the_run(self):
        self.report(0)
        done = subprocess.run([sys.executable, "-m", "ersatz", "merge", "rank0.json"], cwd=self.folder, text=True, capture_output=True)
        self.assertEqual((done.returncode, done.stderr), (2, "ersatz: merge: rank 1 of 2 is missing\n"))


class Strided(Folder):
    """gloo reduces a tensor with gaps in place as if it were dense (docs/found.md)."""

    def test_finding_is_gloos_with_its_rank(self):
        first, second = run_both(self.folder, ["crosscheck", "--report", "rank{rank}.json"], "strided")
        self.assertEqual((first[0], second[0]), (1, 0), first[2] + second[2])
        status, merged = self.merged("rank0.json", "rank1.json")
        (finding,) = merged["findings"]
        self.assertEqual((status, finding["op"], finding["field"], finding["ranks"]),
                         (1, "_c10d_functional.all_reduce_.default", "out_of_bounds", [0]))
        self.assertIn("gloo does not look at the strides", finding["cause"])


class Recorded(Folder):
    def test_records_hold_the_group_and_are_judged_elsewhere(self):
        for status, _, errors in run_both(self.folder, ["record", "-o", "run{rank}.jsonl"]):
            self.assertEqual(status, 0, errors)
        for rank in range(2):
            calls = [json.loads(line) for line in self.read(f"run{rank}.jsonl").splitlines()]
            groups = [c["group"] for c in calls if c["op"].startswith("_c10d_functional.all_reduce.")]
            self.assertGreater(len(groups), 0)
            self.assertTrue(all(g == {"name": "0", "size": 2, "rank": rank, "backend": "gloo"} for g in groups), groups)
            self.assertFalse(any("group" in c for c in calls if c["op"].startswith("aten.")))
            out = os.path.join(self.folder, "replayed.json")
            _ersatz.run_command(["crosscheck", os.path.join(self.folder, f"run{rank}.jsonl"), "--keep-going", "--json", "-o", out])
            report = json.loads(pathlib.Path(out).read_text())
            self.assertEqual(report["mismatched"], 0)
            self.assertGreater(report["compared"], 150)
