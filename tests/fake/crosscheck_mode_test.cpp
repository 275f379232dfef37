#include "fake/crosscheck_mode.h"

#include "tests/fake/checked.h"

namespace ersatz {
namespace {

TEST(CrosscheckMode, TheCallerGetsTheRealResult) {
  CrosscheckMode mode;
  ModeGuard guard(mode);
  const Tensor y = call_test_op("twice", {ones_f32({2})});
  EXPECT_FALSE(y.is_fake());
  EXPECT_EQ(y.data<float>()[0], 2.0f);
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
  EXPECT_TRUE(mode.finish().findings.empty());
}

TEST(CrosscheckMode, SharingAccumulatesOnBothSides) {
  CrosscheckMode mode;
  ModeGuard guard(mode);
  const Tensor x = call_test_op("twice", {ones_f32({4})});
  const Tensor outside = make_view(x, meta_of("f32[2]{1}+1"));  // made without an op
  EXPECT_EQ(call(test_op("distance"), std::vector<Value>{x, outside})[0], Value(4));
  call_test_op("tail", {outside, Value(1)});
  EXPECT_TRUE(mode.finish().findings.empty());
}

TEST(CrosscheckMode, NoTensorIsKeptAlive) {
  CrosscheckMode mode;
  ModeGuard guard(mode);
  Tensor y = call_test_op("twice", {ones_f32({2})});
  const WeakRef<TensorImpl> weak(y.ref());
  y = Tensor();
  EXPECT_TRUE(weak.expired());
}

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

}  // namespace
}  // namespace ersatz
