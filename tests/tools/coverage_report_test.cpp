// Waived findings, sources of predictions, and missing checks in a report.
#include <gtest/gtest.h>

#include "tests/tools/command_line.h"

namespace ersatz::tools {
namespace {

// BEY-28: the report has for each op the sources of its predictions, and reasons for checks that were not made.
TEST(CoverageReport, CrosscheckNamesAnswerersAndUncheckedNodes) {
  const CommandResult r = run_command({"crosscheck", committed_program("mlp"), "--no-bytes", "--json"});
  ASSERT_EQ(r.status, 0) << r.err;
  const nlohmann::json report = r.json();
  EXPECT_EQ(report["sources"]["rule"], report["nodes"]);
  EXPECT_EQ(report["sources"]["fallback"], 0);
  for (const nlohmann::json& row : report["coverage"]) {
    if (row["op"] != "aten.tanh.default") continue;
    EXPECT_EQ(row["sources"]["rule"], 1);
    EXPECT_EQ(row["not_checked"]["unwritten"]["switched_off"], 1);
  }
  const CommandResult text = run_command({"crosscheck", committed_program("mlp"), "--no-bytes"});
  EXPECT_NE(text.out.find("answered by: rule"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("not checked: unwritten: switched_off"), std::string::npos) << text.out;
}

TEST(CoverageReport, NodeSkippedStandsThereWithItsReason) {
  const std::string program = scratch_file("skipped.txt",
                                           "ersatz program 1\ngraph(%x: f32[2]):\n"
                                           "  %u: f32[2] = mine.unknown.default(%x)\n"
                                           "  %n: i64[2,1] = aten.nonzero.default(%u)\n  return %n\n");
  const nlohmann::json report = run_command({"crosscheck", program, "--keep-going", "--json"}).json();
  ASSERT_EQ(report["coverage"].size(), 1u);  // the other operator is not registered
  EXPECT_EQ(report["coverage"][0]["op"], "aten.nonzero.default");
  EXPECT_EQ(report["coverage"][0]["sources"]["none"], 1);
  EXPECT_EQ(report["coverage"][0]["not_checked"]["metadata"]["tainted"], 1);
}

// BEY-28: a fake run lists the sources of its predictions, as a crosscheck does.
TEST(CoverageReport, AFakeRunCountsItsSources) {
  const CommandResult r = run_command({"fake", committed_program("mlp"), "--json"});
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(r.json()["sources"]["rule"], r.json()["nodes"]);
  EXPECT_FALSE(r.json()["coverage"].empty());
}

// BEY-31: a row of waivers is valid up to its day. From the next day on it is expired, and the run is not clean.
TEST(CoverageReport, AWaiverCountsUntilItsDay) {
  const std::string rows = scratch_file("dated", "aten.tanh.default * until=2027-01-31 soon mended\n");
  const auto run_on = [&](const char* day) {
    return run_command({"crosscheck", committed_program("mlp"), "--waivers", rows, "--today", day, "--json"});
  };
  EXPECT_EQ(run_on("2027-01-31").json()["waivers"][0]["state"], "unused");
  EXPECT_EQ(run_on("2027-02-01").json()["waivers"][0]["state"], "expired");
  EXPECT_EQ(run_on("2027-02-01").status, 1);
  EXPECT_EQ(run_on("soon").status, 2);
}

}  // namespace
}  // namespace ersatz::tools
