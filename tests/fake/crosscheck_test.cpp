#include <cstring>

#include "tests/fake/checked.h"

namespace ersatz {
namespace {

using testing::HasSubstr;

std::vector<ResultFacts> recorded(const char* meta) {
  std::vector<ResultFacts> facts(1);
  facts[0].record = meta_of(meta);
  return facts;
}

TEST(Crosscheck, ResultWithoutWitnessIsSkippedAsUnwitnessed) {
  const Checked c = check_call(test_op("twice"), {ones_f32({2})});
  EXPECT_EQ(c.report.results, 1);
  EXPECT_EQ(c.report.compared, 0);
  EXPECT_EQ(c.report.skipped[static_cast<size_t>(SkipReason::Unwitnessed)], 1);
  EXPECT_FALSE(c.report.clean());
}

TEST(Crosscheck, BothSidesAnswer) {
  const Checked c = check_call(test_op("twice"), {ones_f32({2})});
  EXPECT_EQ(c.outcome.real[0].tensor().data<float>()[1], 2.0f);
  EXPECT_TRUE(c.outcome.fake[0].tensor().is_fake());
}

TEST(Crosscheck, ExportersRecordDecidesWhereNothingBetterIsKnown) {
  const Checked c = check_call(test_op("twice"), {ones_f32({2, 3})}, recorded("f32[2,3]{1,2}"));
  EXPECT_TRUE(one_finding(c.report, "faketest.twice.default", FindingField::Stride));
  EXPECT_EQ(c.report.findings[0].witness, Witness::Record);
}

TEST(Crosscheck, RecordThatEagerContradictsIsNoFinding) {
  std::vector<ResultFacts> facts = recorded("f32[2,3]{1,2}");
  facts[0].eager = meta_of("f32[2,3]");
  const Checked c = check_call(test_op("twice"), {ones_f32({2, 3})}, facts);
  EXPECT_TRUE(c.report.clean());
  ASSERT_EQ(c.report.record_wrong.size(), 1u);
  EXPECT_EQ(c.report.record_wrong[0].field, FindingField::Stride);
  EXPECT_EQ(c.report.record_wrong[0].recorded, "f32[2,3]{1,2}+0@cpu");
}

TEST(Crosscheck, RecordKnownToBeWrongIsNotAsked) {
  std::vector<ResultFacts> facts = recorded("f32[2,3]{1,2}");
  facts[0].record_known_wrong = true;
  const Checked c = check_call(test_op("twice"), {ones_f32({2, 3})}, facts);
  EXPECT_TRUE(c.report.findings.empty());
  EXPECT_EQ(c.report.compared, 0);
}

TEST(Crosscheck, StridesOfSizeOneDimsDifferOnlyCosmetically) {
  const Checked c = check_call(test_op("twice"), {ones_f32({1, 3})}, eager("f32[1,3]{77,1}"));
  EXPECT_TRUE(c.report.clean());
  EXPECT_EQ(c.report.cosmetic, 1);
  EXPECT_EQ(c.report.mismatched, 0);
}

TEST(Crosscheck, EachDifferingFieldIsFindingOfOneMismatch) {
  const Checked c = check_call(test_op("twice"), {ones_f32({2, 3})}, eager("f64[2,3]{1,2}"));
  ASSERT_EQ(c.report.findings.size(), 2u);
  EXPECT_EQ(c.report.findings[0].field, FindingField::DType);
  EXPECT_EQ(c.report.findings[1].field, FindingField::Stride);
  EXPECT_EQ(c.report.mismatched, 1);
  EXPECT_EQ(c.report.compared, 1);
}

TEST(Crosscheck, AfterAFindingBothSidesHaveTheTruth) {
  const Checked c = check_call(test_op("twice"), {ones_f32({2, 3})}, eager("f32[2,3]{1,2}"));
  EXPECT_EQ(to_string(c.outcome.fake[0].tensor().meta()), "f32[2,3]{1,2}+0@cpu");
  EXPECT_EQ(to_string(c.outcome.real[0].tensor().meta()), "f32[2,3]{1,2}+0@cpu");
  EXPECT_FALSE(c.outcome.tainted);
}

TEST(Crosscheck, KernelDoesNotRunOnUnpredictedSizes) {
  const Checked c = check_call(test_op("twice"), {ones_f32({2})}, eager("f32[1000]"));
  EXPECT_TRUE(one_finding(c.report, "faketest.twice.default", FindingField::Size));
  EXPECT_TRUE(c.outcome.tainted);
  EXPECT_EQ(c.outcome.real[0].tensor().numel().as_int(), 1000);
}

TEST(Crosscheck, OpWithoutRuleIsComparedWithItsKernel) {
  const Checked c = check_call(test_op("opaque"), {ones_f32({2, 3})});
  EXPECT_TRUE(c.report.clean());
  EXPECT_EQ(c.report.judged_by(Witness::Kernel), 1);
}

TEST(Crosscheck, ForeignKernelThatContradictsItsRuleIsFound) {
  const Checked c = check_call(test_op("column_major"), {ones_f32({2, 3})});
  EXPECT_TRUE(one_finding(c.report, "faketest.column_major.default", FindingField::Stride));
  EXPECT_EQ(c.report.findings[0].witness, Witness::Kernel);
}

TEST(Crosscheck, KernelThatReturnsItsInputsMemoryIsFound) {
  const Checked c = check_call(test_op("stolen"), {ones_f32({4})});
  EXPECT_TRUE(one_finding(c.report, "faketest.stolen.default", FindingField::Alias));
  EXPECT_EQ(c.report.findings[0].observed, "is a view of argument 0 at bytes [0,16) with strides {1}");
}

TEST(Crosscheck, AViewWithoutARuleKeepsItsSharing) {
  const Checked c = check_call(test_op("tail"), {ones_f32({4}), Value(1)});
  EXPECT_TRUE(c.report.clean());
}

TEST(Crosscheck, AKernelThatResizesItsArgumentIsFollowed) {
  const Checked c = check_call(test_op("grow_"), {ones_f32({2, 3})});
  EXPECT_TRUE(c.report.clean());
  EXPECT_EQ(to_string(c.outcome.fake[0].tensor().meta()), "f32[4,3]{3,1}+0@cpu");
}

TEST(Crosscheck, DataDependentSizeIsSkippedAndAdopted) {
  const Checked c = check_call(test_op("pick"), {ones_f32({3})});
  EXPECT_EQ(c.report.skipped[static_cast<size_t>(SkipReason::DataDependent)], 1);
  EXPECT_TRUE(c.report.findings.empty());
  EXPECT_EQ(c.report.compared, 0);
  EXPECT_EQ(to_string(c.outcome.fake[0].tensor().meta()), "f32[3]{1}+0@cpu");
}

TEST(Crosscheck, ADataDependentKernelIsHeldAgainstEager) {
  EXPECT_TRUE(check_call(test_op("pick"), {ones_f32({3})}, eager("f32[3]")).report.clean());
  const Checked c = check_call(test_op("pick"), {ones_f32({3})}, eager("f32[2]"));
  EXPECT_TRUE(one_finding(c.report, "faketest.pick.default", FindingField::Size));
}

TEST(Crosscheck, ValueThatOpMayRefuseIsNoFinding) {
  const Tensor zero = tensor_of<float>({0}, {1});
  const Checked c = check_call(test_op("picky"), {zero});
  EXPECT_TRUE(c.report.findings.empty());
  EXPECT_EQ(c.report.compared, 0);
  EXPECT_EQ(c.report.value_failures, 1);
  EXPECT_TRUE(c.outcome.error);
}

TEST(Crosscheck, EqualErrorsOnBothSidesAreNoFinding) {
  const Checked c = check_call(test_op("add"), {ones_f32({2}), ones_f32({3})});
  EXPECT_TRUE(c.report.findings.empty());
  EXPECT_EQ(c.report.compared, 0);
  EXPECT_TRUE(c.outcome.error);
}

TEST(Crosscheck, ARefusalOfWhatEagerTookIsFound) {
  const Checked c = check_call(test_op("add"), {ones_f32({2}), ones_f32({3})}, eager("f32[3]"));
  EXPECT_TRUE(one_finding(c.report, "faketest.add.default", FindingField::Error));
  EXPECT_EQ(c.report.findings[0].observed, "passes");
  EXPECT_EQ(c.report.mismatched, 1);
}

TEST(Crosscheck, WhatIsNotModelledContradictsNobody) {
  const auto of_this_call = [](CallSite& site) { site.evidence.of = Evidence::Of::ThisCall; };
  Checked c = check_call(test_op("unmodelled"), {ones_f32({2})}, eager("f32[2]"), {}, {}, of_this_call);
  EXPECT_TRUE(c.report.findings.empty());
  EXPECT_EQ(c.report.compared, 0);
  EXPECT_EQ(c.outcome.undecided, Undecided::NotModelled);
  ErrorFact fact;
  fact.family = ErrorFamily::Index;
  c = check_call(test_op("unmodelled"), {ones_f32({2})}, {}, {}, fact, of_this_call);
  EXPECT_TRUE(c.report.findings.empty());
  EXPECT_EQ(c.report.compared, 0);
}

TEST(Crosscheck, CallRefusedByEagerOnlyIsFound) {
  ErrorFact fact;
  fact.family = ErrorFamily::Type;
  fact.message = "expected another dtype";
  const Checked c = check_call(test_op("twice"), {ones_f32({2})}, {}, {}, fact);
  EXPECT_TRUE(one_finding(c.report, "faketest.twice.default", FindingField::Error));
  EXPECT_EQ(c.report.findings[0].observed, "raises (type): expected another dtype");
}

TEST(Crosscheck, CallRefusedByBothIsOneAgreeingResult) {
  ErrorFact fact;
  fact.family = ErrorFamily::Runtime;
  fact.message = "the sizes must match";
  const Checked c = check_call(test_op("add"), {ones_f32({2}), ones_f32({3})}, {}, {}, fact);
  EXPECT_TRUE(passes(c.report));
  EXPECT_EQ(c.report.results, 1);
  EXPECT_EQ(c.report.compared, 1);
  EXPECT_EQ(c.report.judged_by(Witness::Eager), 1);
}

TEST(Crosscheck, WithoutKernelPredictionStillMeetsFacts) {
  const Checked c = check_call(test_op("add"), {ones_f32({2}), ones_f32({2})}, eager("f32[2]{5}"));
  EXPECT_TRUE(one_finding(c.report, "faketest.add.default", FindingField::Stride));
  EXPECT_TRUE(c.outcome.error);
}

TEST(Crosscheck, WithoutRealRunRulesAreComparedWithFacts) {
  CrosscheckOptions options;
  options.run_real = false;
  const Checked good = check_call(test_op("twice"), {ones_f32({2})}, eager("f32[2]"), options);
  EXPECT_TRUE(good.report.clean());
  EXPECT_TRUE(good.outcome.real.empty());
  const Checked bad = check_call(test_op("twice"), {ones_f32({2})}, eager("f32[2]{4}"), options);
  EXPECT_TRUE(one_finding(bad.report, "faketest.twice.default", FindingField::Stride));
  EXPECT_EQ(to_string(bad.outcome.fake[0].tensor().meta()), "f32[2]{4}+0@cpu");
}

TEST(Crosscheck, AFindingStandsAlone) {
  CrosscheckOptions options;
  options.repro = [](const FindingCall& call) {
    return fmt::format("{} {} {}", call.op.name, call.args.size(), call.observed.size());
  };
  const Tensor x = ones_f32({2, 3});
  const Checked c = check_call(test_op("column_major"), {x}, {}, options);
  ASSERT_EQ(c.report.findings.size(), 1u);
  const Finding& f = c.report.findings[0];
  EXPECT_EQ(f.node, "y");
  EXPECT_EQ(f.source, "model.py:7");
  EXPECT_THAT(f.args, testing::ElementsAre("f32[2,3]{3,1}+0@cpu"));
  EXPECT_EQ(f.result, 0);
  EXPECT_EQ(f.verdict, "significant");
  EXPECT_EQ(f.repro, "faketest.column_major.default 1 1");
}

TEST(Crosscheck, ArgumentsArePrintedAsBeforeWithTheirSharing) {
  const Tensor x = ones_f32({2, 3});
  const Checked c = check_call(test_op("bad_grow_"), {x, make_view(x, x.meta())});
  ASSERT_FALSE(c.report.findings.empty());
  EXPECT_THAT(c.report.findings[0].args, testing::ElementsAre("f32[2,3]{3,1}+0@cpu", "f32[2,3]{3,1}+0@cpu ~arg0"));
}

TEST(Crosscheck, ArgumentThatChangesOtherwiseThanPredictedIsFound) {
  const Tensor x = ones_f32({2, 3});
  const Checked c = check_call(test_op("bad_grow_"), {x, make_view(x, x.meta())});
  EXPECT_EQ(c.report.findings[0].field, FindingField::Size);
  ASSERT_EQ(c.report.findings.size(), 2u);
  EXPECT_EQ(c.report.findings[1].field, FindingField::Mutation);
  EXPECT_EQ(c.report.findings[1].predicted, "argument 0 becomes f32[2,3]{3,1}+0@cpu");
  EXPECT_EQ(c.report.findings[1].observed, "it becomes f32[4,3]{3,1}+0@cpu");
}

TEST(Crosscheck, AWaivedFindingIsCountedAndNotShown) {
  CrosscheckOptions options;
  options.waivers = Waivers::parse("faketest.column_major.default stride on purpose\n", "w");
  const Checked c = check_call(test_op("column_major"), {ones_f32({2, 3})}, {}, options);
  EXPECT_TRUE(c.report.clean());
  EXPECT_EQ(c.report.waived, 1);
}

TEST(Crosscheck, StopAtFirstRaises) {
  CrosscheckOptions options;
  options.stop_at_first = true;
  const Error e = error_of([&] { check_call(test_op("column_major"), {ones_f32({2, 3})}, {}, options); });
  EXPECT_EQ(e.kind, ErrorKind::MetadataMismatch);
  EXPECT_THAT(e.message, HasSubstr("When comparing the output of faketest.column_major.default"));
}

TEST(Crosscheck, RandomAndTaintedResultsCompareMetadataOnly) {
  const Checked c = check_call(test_op("draw"), {ones_f32({2})});
  EXPECT_TRUE(c.report.clean());
  EXPECT_EQ(c.report.values_skipped[static_cast<size_t>(SkipReason::Random)], 1);
}

TEST(Crosscheck, NumbersAreResultsToo) {
  std::vector<ResultFacts> facts(1);
  facts[0].number = Value(3.0);
  EXPECT_TRUE(check_call(test_op("total"), {ones_f32({3})}, facts).report.clean());
  facts[0].number = Value(4.0);
  EXPECT_TRUE(one_finding(check_call(test_op("total"), {ones_f32({3})}, facts).report, "faketest.total.default",
                          FindingField::Value));
}

TEST(Crosscheck, UndeclaredViewOfTaggedOpIsNoFinding) {
  const Value size = Value::int_list(std::vector<int64_t>{4});
  EXPECT_TRUE(
      check_call(op_named("aten._unsafe_view.default"), {ones_f32({2, 2}), size}, eager("f32[4]")).report.clean());
}

TEST(Crosscheck, ElementEqualToTheFillIsNotUnwritten) {
  float value;
  const uint32_t bits = 0xA5A5A5A5u;
  std::memcpy(&value, &bits, sizeof value);
  const Tensor half = tensor_of<float>({value / 2}, {1});
  const Checked c = check_call(test_op("twice"), {half}, eager("f32[1]"));
  EXPECT_TRUE(c.report.clean());
}

}  // namespace
}  // namespace ersatz
