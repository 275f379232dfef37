// The text report on recorded calls.
#include "tools/report/replay_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ersatz::tools {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string text_of(const CallsSummary& summary) {
  OutputBudget budget;
  return plain(calls_report(summary, budget));
}

/// A summary with one cause that has this many findings and names two records.
CallsSummary with_cause(int64_t findings) {
  CallsSummary s;
  CallCause& cause = s.causes.emplace_back();
  cause.text = "f32 instead of f64";
  cause.count = findings;
  cause.ids = {"relu/1", "relu/2"};
  cause.finding.op = "aten.relu.default";
  cause.finding.field = FindingField::DType;
  return s;
}

TEST(ReplayReport, SaysWhetherACauseHasMoreRecords) {
  EXPECT_THAT(text_of(with_cause(2)),
              HasSubstr("aten.relu.default dtype: f32 instead of f64 (2 findings)\n  records: relu/1 relu/2\n"));
  EXPECT_THAT(text_of(with_cause(3)), HasSubstr("(3 findings)\n  records: relu/1 relu/2 ...\n"));
}

TEST(ReplayReport, GivesDifferingPredictionsAsShareOfCommonOnes) {
  CallsSummary s;
  EXPECT_THAT(text_of(s), Not(HasSubstr("predictions:")));
  s.fakes.records = 8;
  s.fakes.theirs_differ = 3;
  s.fakes.ours_differ = 1;
  EXPECT_THAT(text_of(s), HasSubstr("of 8 records that both predict, the recorder's own fakes differ from its real run "
                                    "on 3 (37.50 %), ersatz on 1 (12.50 %), 0 of those the same\n"));
}

}  // namespace
}  // namespace ersatz::tools
