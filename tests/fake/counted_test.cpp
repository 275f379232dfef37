// A result with a finding counts as `mismatched`, even if the report has already counted it as agreeing or skipped.
// After that, compared and skipped results still add up to all results.
#include "tests/fake/crosscheck_ops.h"

namespace ersatz {
namespace {

/// Returns a report after a finding about a program's output, which the report has counted as `counted`.
Report judged(Counted& counted, const char* node = "y") {
  Crosscheck check;
  check.report().results = 3;
  check.report().compared = 2;
  check.report().skip(SkipReason::Unwitnessed) = 1;
  OutputSite site;
  site.node = node;
  site.counted = &counted;
  check.judge_output(site, ones_f32({2}), ones_f32({3}));
  return check.report();
}

int64_t sum(const Report& r) { return r.compared + r.skipped_total(); }

TEST(CountedResult, AgreeingCallWithAWrongOutputIsMismatched) {
  Counted counted{Counted::As::Agreed};
  const Report r = judged(counted);
  EXPECT_EQ(r.mismatched, 1);
  EXPECT_EQ(r.compared, 2);
  EXPECT_EQ(sum(r), r.results);
}

TEST(CountedResult, SkippedCallWithAWrongOutputIsMismatched) {
  Counted counted{Counted::As::Skipped, SkipReason::Unwitnessed};
  const Report r = judged(counted);
  EXPECT_EQ(r.mismatched, 1);
  EXPECT_EQ(r.compared, 3);
  EXPECT_EQ(r.skipped_total(), 0);
  EXPECT_EQ(r.judged_by(Witness::Eager), 1);
  EXPECT_EQ(sum(r), r.results);
}

TEST(CountedResult, ThatIsMismatchedAlreadyIsCountedOnce) {
  Counted counted{Counted::As::Mismatched};
  const Report r = judged(counted);
  EXPECT_EQ(r.mismatched, 0);
  EXPECT_EQ(r.compared, 2);
}

TEST(CountedResult, BufferThatNoCallReturnedIsOneMore) {
  Counted counted;
  const Report r = judged(counted);
  EXPECT_EQ(r.results, 4);
  EXPECT_EQ(r.compared, 3);
  EXPECT_EQ(r.mismatched, 1);
  EXPECT_EQ(sum(r), r.results);
}

TEST(CountedResult, AWaivedFindingCountsNowhere) {
  CrosscheckOptions options;
  options.waivers = Waivers::parse("y size it is known\n", "waivers", clock_date());
  Crosscheck check(std::move(options));
  OutputSite site;
  site.node = "y";
  check.judge_output(site, ones_f32({2}), ones_f32({3}));
  EXPECT_EQ(check.report().compared, 0);
  EXPECT_EQ(check.report().mismatched, 0);
  EXPECT_EQ(check.report().waived, 1);
}

TEST(CountedResult, VoidCallWithWrongArgumentIsOneMore) {
  const Checked c = check_call(crosscheck_op("silent_scribble"), {ones_f32({2})});
  ASSERT_TRUE(one_finding(c.report, "xtest.silent_scribble.default", FindingField::UndeclaredWrite));
  EXPECT_EQ(c.report.mismatched, 1);
  EXPECT_EQ(c.report.compared, 1);
  EXPECT_EQ(sum(c.report), c.report.results);
}

Checked with_other_values(std::string_view op, std::vector<Value> args, const char* eager_meta) {
  return check_call(*registry().find(op), std::move(args), eager(eager_meta), {}, std::nullopt,
                    [](CallSite& site) { site.evidence.of = Evidence::Of::OtherValues; });
}

TEST(FactsOfOtherValues, SayNothingWhereTheCallDependsOnData) {
  const Checked c = with_other_values("aten.nonzero.default", {ones_f32({3})}, "i64[1,1]");
  EXPECT_TRUE(c.outcome.data_decided);
  EXPECT_TRUE(c.report.findings.empty());
  EXPECT_EQ(c.report.compared, 0);
}

TEST(FactsOfOtherValues, JudgeAnotherCallOfTheOp) {
  Tensor at = make_real_tensor(meta_of("i64[2]"));
  at.data<int64_t>()[0] = at.data<int64_t>()[1] = 0;
  const std::vector<Value> items{Value(at)};
  const Checked right = with_other_values("aten.index.Tensor", {ones_f32({3, 4}), Value::list(items)}, "f32[2,4]");
  EXPECT_FALSE(right.outcome.data_decided);
  EXPECT_EQ(right.report.judged_by(Witness::Eager), 1);
  const Checked wrong = with_other_values("aten.index.Tensor", {ones_f32({3, 4}), Value::list(items)}, "f32[2,4]{1,2}");
  EXPECT_TRUE(one_finding(wrong.report, "aten.index.Tensor", FindingField::Stride));
}

TEST(FactsOfOtherValues, SayNothingOfAMask) {
  Tensor mask = make_real_tensor(meta_of("bool[3]"));
  for (int i = 0; i < 3; ++i) mask.data<bool>()[i] = i < 2;
  const std::vector<Value> items{Value(mask)};
  const Checked c = with_other_values("aten.index.Tensor", {ones_f32({3, 4}), Value::list(items)}, "f32[1,4]");
  EXPECT_TRUE(c.outcome.data_decided);
  EXPECT_TRUE(c.report.findings.empty());
  EXPECT_EQ(c.report.compared, 0);
}

}  // namespace
}  // namespace ersatz
