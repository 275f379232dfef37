#include "fake/crosscheck/crosscheck_mode.h"

#include <thread>

#include "runtime/base/source_line.h"
#include "tests/fake/crosscheck_ops.h"

namespace ersatz {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// XCHK-01: each op runs fake and real; the caller gets the real result, as without the mode.
TEST(CrosscheckMode, TheCallerGetsTheRealResult) {
  CrosscheckMode mode;
  ModeGuard guard(mode);
  const Tensor y = call_test_op("twice", {ones_f32({2})});
  EXPECT_FALSE(y.is_fake());
  EXPECT_EQ(y.data<float>()[0], 2.0f);
  EXPECT_EQ(mode.report().nodes, 1);
}

TEST(CrosscheckMode, FindingsAreCollectedUntilFinish) {
  CrosscheckMode mode;
  {
    ModeGuard guard(mode);
    const Tensor y = call_test_op("column_major", {ones_f32({2, 3})});
    call_test_op("column_major", {y});
    call_test_op("opaque", {y});
  }
  const Report report = mode.finish();
  EXPECT_EQ(report.nodes, 3);
  EXPECT_EQ(report.findings.size(), 2u);
  EXPECT_EQ(report.compared, 3);
  EXPECT_EQ(mode.report().nodes, 0);
}

// BEY-03: three wrong user ops give one report with three findings; the program runs to its end on real values.
TEST(CrosscheckMode, ThreeWrongOpsGiveThreeFindings) {
  CrosscheckMode mode;
  Tensor last;
  {
    ModeGuard guard(mode);
    const Tensor a = call(crosscheck_op("claims"), std::vector<Value>{ones_f32({2, 3}), "dtype"})[0].tensor();
    const Tensor b = call(crosscheck_op("claims"), std::vector<Value>{a, "stride"})[0].tensor();
    const Tensor c = call_test_op("column_major", {b});
    last = call_test_op("twice", {ones_f32({2})});
    EXPECT_EQ(to_string(c.meta()), "f32[2,3]{1,2}+0@cpu");
  }
  EXPECT_EQ(last.data<float>()[1], 2.0f);
  const Report report = mode.finish();
  std::vector<std::string> found;
  for (const Finding& f : report.findings) found.push_back(f.op + " " + std::string(name(f.field)));
  EXPECT_THAT(found, ElementsAre("xtest.claims.default dtype", "xtest.claims.default stride",
                                 "faketest.column_major.default stride"));
  EXPECT_EQ(closing_line(report), "crosscheck: 3 compared, 3 mismatched, 1 skipped (unwitnessed 1)");
  EXPECT_FALSE(mode.finish().clean());  // nothing compared
}

// BEY-04: a finding has the op, all arguments, the predicted and the real value of the field, the verdict and the
// source line.
TEST(CrosscheckMode, AFindingStandsAlone) {
  CrosscheckOptions options;
  options.repro = [](const FindingCall& call) { return fmt::format("{}({})", call.op.name, call.args.size()); };
  CrosscheckMode mode(options);
  {
    ModeGuard guard(mode);
    const SourceLine line("model.py:7");
    call(crosscheck_op("claims"),
         std::vector<Value>{Tensor(meta_of("f32[2,3]{1,2}"), ones_f32({6}).storage()), "dtype"});
  }
  const Report report = mode.finish();
  ASSERT_EQ(report.findings.size(), 1u);
  const Finding& f = report.findings[0];
  EXPECT_EQ(f.op, "xtest.claims.default");
  EXPECT_THAT(f.args, ElementsAre("f32[2,3]{1,2}+0@cpu", to_string(Value("dtype"))));
  EXPECT_EQ(f.predicted, "f64[2,3]{3,1}+0@cpu");
  EXPECT_EQ(f.observed, "f32[2,3]{3,1}+0@cpu");
  EXPECT_EQ(f.verdict, "significant");
  EXPECT_EQ(f.source, "model.py:7");
  EXPECT_EQ(f.repro, "xtest.claims.default(2)");
}

TEST(CrosscheckMode, CompositeOpsAreCheckedInTheirParts) {
  CrosscheckMode mode;
  {
    ModeGuard guard(mode);
    call_test_op("four", {ones_f32({2})});
  }
  EXPECT_EQ(mode.finish().nodes, 2);
}

TEST(CrosscheckMode, ErrorsAreThoseOfTheRealCall) {
  CrosscheckMode mode;
  ModeGuard guard(mode);
  const Error e = error_of([] { call_test_op("add", {ones_f32({2}), ones_f32({3})}); });
  EXPECT_EQ(e.label, "add.C1");
  const Report report = mode.finish();
  EXPECT_TRUE(report.findings.empty());
  EXPECT_EQ(report.compared, 0);  // the op has no result
}

TEST(CrosscheckMode, SharingOfArgumentsIsSeenOnBothSides) {
  CrosscheckMode mode;
  ModeGuard guard(mode);
  const Tensor x = call_test_op("twice", {ones_f32({4})});
  const Tensor outside = make_view(x, meta_of("f32[2]{1}+1"));  // made without an op
  EXPECT_EQ(call(test_op("distance"), std::vector<Value>{x, outside})[0], Value(4));
  call_test_op("tail", {outside, Value(1)});
  EXPECT_TRUE(passes(mode.finish()));
}

TEST(CrosscheckMode, NoTensorIsKeptAlive) {
  CrosscheckMode mode;
  ModeGuard guard(mode);
  Tensor y = call_test_op("twice", {ones_f32({2})});
  const WeakRef<TensorImpl> weak(y.ref());
  y = Tensor();
  EXPECT_TRUE(weak.expired());
}

// BEY-03
TEST(CrosscheckMode, StopAtFirstRaisesAtTheCall) {
  CrosscheckOptions options;
  options.stop_at_first = true;
  CrosscheckMode mode(options);
  ModeGuard guard(mode);
  EXPECT_EQ(error_of([] { call_test_op("column_major", {ones_f32({2, 3})}); }).kind, ErrorKind::MetadataMismatch);
}

TEST(CrosscheckMode, AFakeArgumentIsRefused) {
  FakeMode fakes;
  const Tensor x = fakes.make(meta_of("f32[2]"));
  CrosscheckMode mode;
  ModeGuard guard(mode);
  EXPECT_THAT(error_of([&] { call_test_op("twice", {x}); }).message, testing::HasSubstr("fake already"));
}

// XCHK-08: ops that a user's predicate excludes run for real and are counted as excluded.
TEST(CrosscheckMode, ExcludedOpsRunUnchecked) {
  CrosscheckOptions options;
  options.exclude = [](const OpEntry& op) { return op.schema.ns == "xtest" || op.name == "faketest.four.default"; };
  CrosscheckMode mode(options);
  Tensor y, four;
  {
    ModeGuard guard(mode);
    y = call(crosscheck_op("claims"), std::vector<Value>{ones_f32({2, 3}), "dtype"})[0].tensor();
    four = call_test_op("four", {ones_f32({2})});
    call_test_op("grow_", {y});
    EXPECT_THAT(error_of([] { call_test_op("add", {ones_f32({2}), ones_f32({3})}); }).message, HasSubstr("match"));
  }
  EXPECT_EQ(four.data<float>()[0], 4.0f);
  const Report report = mode.finish();
  EXPECT_TRUE(passes(report));  // grow_ is not excluded
  EXPECT_EQ(report.compared, 1);
  EXPECT_EQ(report.skipped[static_cast<size_t>(SkipReason::Excluded)], 2);
  EXPECT_THAT(closing_line(report), HasSubstr("excluded 2"));
}

// XCHK-08: ops without a rule are skipped with skip_without_rule; sizes that depend on data are always skipped.
TEST(CrosscheckMode, UnruledAndDataDependentOpsAreSkipped) {
  CrosscheckOptions options;
  options.skip_without_rule = true;
  CrosscheckMode mode(options);
  {
    ModeGuard guard(mode);
    call_test_op("opaque", {ones_f32({2})});
    call("aten.nonzero.default", {Value(ones_f32({2}))});
  }
  const Report report = mode.finish();
  EXPECT_EQ(report.compared, 0);
  EXPECT_EQ(closing_line(report),
            "crosscheck: 0 compared, 0 mismatched, 2 skipped (unsupported 1, data_dependent 1); not clean: nothing was "
            "compared");
}

// XCHK-08: a tensor that cannot be fake leaves the op unchecked.
TEST(CrosscheckMode, UnfakeableTensorLeavesItsCallUnchecked) {
  CrosscheckMode mode;
  ModeGuard guard(mode);
  TensorMeta backwards = meta_of("f32[2]");
  backwards.strides[0] = -1;
  const Tensor odd(backwards, ones_f32({2}).storage());
  const Values y = call(crosscheck_op("claims"), std::vector<Value>{odd, "dtype"});
  EXPECT_EQ(to_string(y[0].tensor().meta()), "f32[2]{1}+0@cpu");
  const Report report = mode.finish();
  EXPECT_TRUE(report.findings.empty());
  EXPECT_EQ(report.compared, 0);
  EXPECT_EQ(report.skipped[static_cast<size_t>(SkipReason::Unsupported)], 1);
}

// XCHK-09: one op's failure cannot influence the next, and no symbols appear.
TEST(CrosscheckMode, OneOpsFailureDoesNotReachTheNext) {
  CrosscheckMode mode;
  {
    ModeGuard guard(mode);
    const Tensor y = call_test_op("column_major", {ones_f32({2, 3})});
    EXPECT_EQ(to_string(y.meta()), "f32[2,3]{1,2}+0@cpu");
    for (const char* how : {"same", "view"}) call(crosscheck_op("hangs"), std::vector<Value>{y, how, how});
    error_of([&] { call_test_op("add", {y, ones_f32({3})}); });
    const Tensor z = call(crosscheck_op("hangs"), std::vector<Value>{y, "same", "same"})[0].tensor();
    EXPECT_FALSE(z.meta().is_symbolic());
  }
  const Report report = mode.finish();
  ASSERT_TRUE(one_finding(report, "faketest.column_major.default", FindingField::Stride));
  EXPECT_EQ(report.mismatched, 1);
  EXPECT_EQ(report.compared, 4);
}

// XCHK-10: full({4,4}, 1) passes: the dtype follows the integer.
TEST(CrosscheckMode, FullWithAnIntegerIsAnIntegerTensor) {
  const std::vector<Value> args{Value::int_list(std::vector<int64_t>{4, 4}), Value(1)};
  EXPECT_TRUE(passes(check_call(op_named("aten.full.default"), args, eager("i64[4,4]")).report));
  CrosscheckMode mode;
  ModeGuard guard(mode);
  EXPECT_EQ(call(op_named("aten.full.default"), args)[0].tensor().dtype(), DType::I64);
}

// XCHK-11: the calls of BatchNorm2d(10) and ReLU in eval mode on [2,10,8,8] pass.
TEST(CrosscheckMode, BatchNormAndReluInEvalModePass) {
  const Tensor c = ones_f32({10});
  const std::vector<Value> args{ones_f32({2, 10, 8, 8}), c,          ones_f32({10}), ones_f32({10}),
                                ones_f32({10}),          Value(0.1), Value(1e-5)};
  const OpEntry& norm = op_named("aten._native_batch_norm_legit_no_training.default");
  std::vector<ResultFacts> facts(3);
  facts[0].eager = meta_of("f32[2,10,8,8]{640,64,8,1}");
  facts[1].eager = facts[2].eager = meta_of("f32[0]");
  const Checked normalized = check_call(norm, args, facts);
  EXPECT_TRUE(passes(normalized.report));
  EXPECT_EQ(normalized.report.compared, 3);
  const Tensor y = normalized.outcome.real[0].tensor();
  const Checked relu = check_call(op_named("aten.relu.default"), {y}, eager("f32[2,10,8,8]"));
  EXPECT_TRUE(passes(relu.report));
  EXPECT_NEAR(relu.outcome.real[0].tensor().data<float>()[0], 1.0f, 1e-4);
}

TEST(CrosscheckMode, BelongsToOneThreadUntilItIsFinished) {
  CrosscheckMode mode;
  const auto call_once = [&] {
    ModeGuard guard(mode);
    return error_of([] { call_test_op("twice", {ones_f32({2})}); }).message;
  };
  EXPECT_EQ(call_once(), "nothing was raised");
  std::string other;
  std::thread([&] { other = call_once(); }).join();
  EXPECT_THAT(other, HasSubstr("twice: a crosscheck mode works on one thread at a time"));
  mode.finish();
  std::thread([&] { other = call_once(); }).join();
  EXPECT_EQ(other, "nothing was raised");
}

}  // namespace
}  // namespace ersatz
