// Summary of runs of a live model without PyTorch: data-dependent points, their dependents, findings, remarks.
#include "tools/propagate/live_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tools/propagate/propagate_report.h"

namespace ersatz::tools {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr LiveRuns::Site kItem = 0, kZeros = 1, kOnes = 2;

SeenValue number(int64_t n) { return {std::to_string(n), n, {}}; }

/// One run for each number that `n = x.sum().item()` read, with later calls that take 3 and 7.
LiveRuns runs_of(const std::vector<int64_t>& read) {
  LiveRuns runs;
  runs.add_site({"aten._local_scalar_dense.default", "model.py:3 in f: n = x.sum().item()", "model.py:3"});
  runs.add_site({"aten.zeros.default", "model.py:4 in f: a = torch.zeros(n)", "model.py:4"});
  runs.add_site({"aten.ones.default", "model.py:5 in f: b = torch.ones(7)", "model.py:5"});
  for (const int64_t n : read) {
    runs.begin("i64[3]@cpu");
    runs.add_point(kItem, std::nullopt, "n", "model.py:1");
    runs.saw(kItem, number(n));
    runs.takes(kZeros, {n});
    runs.takes(kOnes, {7});
    runs.depends({kItem, kZeros}, kZeros);
    if (n == 7) runs.depends({kItem, kOnes}, kOnes);
    runs.output({kItem, kZeros}, "output[0]");
    runs.end(3, 2);
  }
  return runs;
}

TEST(LiveRuns, NumberEqualByChanceDiffersInSecondRun) {
  const PropagateSummary one = runs_of({7}).sum_up(), both = runs_of({7, 3}).sum_up();
  EXPECT_THAT(one.points[0].dependents,
              ElementsAre("aten.zeros.default (model.py:4)", "aten.ones.default (model.py:5)"));
  EXPECT_THAT(both.points[0].dependents, ElementsAre("aten.zeros.default (model.py:4)"));
  EXPECT_THAT(both.points[0].outputs, ElementsAre("output[0]"));
}

TEST(LiveRuns, ReportIsThatOfProgramWithoutNodes) {
  EXPECT_EQ(plain(propagate_report("f", runs_of({7, 3}).sum_up(), nlohmann::ordered_json::object())),
            "f\n"
            "  run 1: i64[3]@cpu\n"
            "  run 2: i64[3]@cpu\n"
            "data-dependent points: 1\n"
            "  aten._local_scalar_dense.default  saw 7, 3: 3 to 7  # model.py:3 in f: n = x.sum().item()\n"
            "    feeds 1 call: aten.zeros.default (model.py:4); outputs output[0]\n"
            "    called n\n"
            "seen in 2 runs (no constraints: ersatz.torch.export finds the lines that an export needs):\n"
            "  # n was 3 to 7\n"
            "propagate: 2 runs, 1 data-dependent point, 0 findings\n");
}

TEST(LiveRuns, FindingCoversAllRunsAndRemarkHasRequest) {
  LiveRuns runs;
  runs.add_site({"aten.log.default", "model.py:3 in f: y = x.log()", "model.py:3"});
  for (int i = 0; i < 2; ++i) {
    runs.begin("f32[2]@cpu");
    for (int again = 0; again < 2; ++again)
      runs.made(0, {true, 1, 2, "its result", "[0]", false}, false, {"f32[2]@cpu"});
    runs.made(0, {false, 2, 2, "its result", "[0]", false}, true, {});
    runs.end(1, 1);
  }
  const PropagateSummary sum = runs.sum_up();
  ASSERT_EQ(sum.findings.size(), 1u);
  EXPECT_THAT(sum.findings[0].runs, ElementsAre(1, 2));
  EXPECT_FALSE(sum.clean());
  EXPECT_EQ(plain(finding_text(sum.findings[0], 2)),
            "nan: aten.log.default: 1 of 2 elements of its result is NaN, the first at [0]; its inputs are finite\n"
            "  at model.py:3 in f: y = x.log()\n"
            "  takes f32[2]@cpu\n"
            "  in runs 1, 2\n");
  EXPECT_THAT(
      sum.remarks,
      ElementsAre("inf: aten.log.default at model.py:3: 2 of 2 elements of its result are Inf, the first at [0]: "
                  "an argument of the call says so"));
}

TEST(LiveRuns, RunThatEndsByErrorIsFinding) {
  LiveRuns runs;
  runs.begin("f32[3]@cpu");
  runs.stopped(std::nullopt, "no such file");
  for (int i = 0; i < 2; ++i) runs.remark("a loop over data");
  runs.end(0, 0);
  const PropagateSummary sum = runs.sum_up();
  EXPECT_EQ(plain(finding_text(sum.findings[0], 1)), "stopped: the run ended here\n  no such file\n");
  EXPECT_THAT(plain(propagate_report("f", sum, nlohmann::ordered_json::object())),
              HasSubstr("  run 1: f32[3]@cpu; ended by an error\n"));
  EXPECT_THAT(sum.points, IsEmpty());
  EXPECT_THAT(sum.remarks, ElementsAre("a loop over data"));
}

}  // namespace
}  // namespace ersatz::tools
