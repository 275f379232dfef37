#include "fake/mode/fake_mode.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/mode/fake_mode_state.h"
#include "runtime/tensor/meta_text.h"
#include "tests/fake/test_ops.h"

namespace ersatz {
namespace {

using testing::HasSubstr;

Value size(std::initializer_list<int64_t> items) { return Value::int_list(std::vector<int64_t>(items)); }

// MODE-01, MODE-02
TEST(FakeMode, OpInAScopeReturnsALastingFake) {
  FakeMode mode;
  Tensor y;
  {
    FakeScope scope(mode);
    y = call_test_op("make", {size({4, 4})});
  }
  EXPECT_TRUE(mode.owns(y));
  EXPECT_EQ(to_string(y.meta()), "f32[4,4]{4,1}+0@cpu");
  EXPECT_TRUE(mode.owns(call_test_op("twice", {y})));
}

// MODE-02
TEST(FakeMode, OutsideAScopeTheFirstFakesModeAnswers) {
  FakeMode a, b;
  const Tensor x = a.make(meta_of("f32[2]"));
  EXPECT_TRUE(a.owns(call_test_op("twice", {x})));
  FakeScope scope(b);
  EXPECT_THAT(error_of([&] { call_test_op("twice", {x}); }).message, HasSubstr("Mixing fake modes NYI"));
}

TEST(FakeMode, AfterTheScopeCallsRunForRealAgain) {
  { FakeScope scope{FakeMode()}; }
  EXPECT_FALSE(call_test_op("twice", {ones_f32({2})}).is_fake());
}

// MODE-03
TEST(FakeMode, EnteringTheActiveModeAgainChangesNothing) {
  FakeMode mode;
  {
    FakeScope outer(mode);
    { FakeScope inner(mode); }
    EXPECT_EQ(active_mode(ModeOrder::Fake), &mode.state());
    EXPECT_TRUE(call_test_op("make", {size({2})}).is_fake());
  }
  EXPECT_EQ(active_mode(ModeOrder::Fake), nullptr);
  EXPECT_FALSE(call_test_op("make", {size({2})}).is_fake());
}

// MODE-04
TEST(FakeMode, InnerOfTwoModesOwnsNewTensors) {
  FakeMode a, b;
  FakeScope outer(a);
  {
    FakeScope inner(b);
    EXPECT_TRUE(b.owns(call_test_op("make", {size({2})})));
  }
  EXPECT_TRUE(a.owns(call_test_op("make", {size({2})})));
}

// MODE-04: leaving the outer mode restores real execution.
TEST(FakeMode, AfterOuterOfTwoScopesFactoriesAreReal) {
  FakeMode a, b;
  {
    FakeScope outer(a);
    FakeScope inner(b);
  }
  EXPECT_EQ(active_mode(ModeOrder::Fake), nullptr);
  EXPECT_FALSE(call_test_op("make", {size({2})}).is_fake());
}

// MODE-05
TEST(FakeMode, ExceptionThroughNestedScopesRestoresTheModes) {
  FakeMode a, b;
  bool thrown = false;
  try {
    FakeScope outer(a);
    FakeScope inner(b);
    call_test_op("twice", {ones_f32({3})});
  } catch (const Error&) {
    thrown = true;
  }
  EXPECT_TRUE(thrown);
  EXPECT_EQ(active_mode(ModeOrder::Fake), nullptr);
  EXPECT_FALSE(call_test_op("twice", {ones_f32({2})}).is_fake());
  EXPECT_FALSE(call_test_op("make", {size({2})}).is_fake());
}

// MODE-05: after an exception, the mode of the scope that is still open is active again.
TEST(FakeMode, ExceptionThroughInnerScopesRestoresTheOuterMode) {
  FakeMode outermost, a, b;
  FakeScope outer(outermost);
  const auto through_two_scopes = [&] {
    FakeScope first(a);
    FakeScope second(b);
    call_test_op("twice", {ones_f32({3})});
  };
  EXPECT_THAT(error_of(through_two_scopes).message, HasSubstr("Please convert all Tensors"));
  EXPECT_EQ(active_mode(ModeOrder::Fake), &outermost.state());
  EXPECT_TRUE(outermost.owns(call_test_op("make", {size({2})})));
}

TEST(FakeMode, CudaFakesNeedNoDriver) {
  FakeMode mode;
  FakeScope scope(mode);
  const std::vector<Value> positional{size({2, 3})};
  const std::vector<std::pair<std::string, Value>> keywords{{"device", Value(cuda(1))}};
  const Tensor x = call(test_op("make"), positional, keywords)[0].tensor();
  EXPECT_EQ(to_string(call_test_op("twice", {x}).meta()), "f32[2,3]{3,1}+0@cuda:1");
  EXPECT_EQ(to_string(x), "FakeTensor(f32[2,3]@cuda:1)");
}

TEST(FakeMode, ShapesFarBeyondMemoryCostNothing) {
  FakeMode mode;
  Tensor x = mode.make(meta_of("f32[1000000,1000000]"));
  for (int i = 0; i < 100; ++i) x = call_test_op("twice", {x});
  EXPECT_EQ(x.numel().as_int(), 1000000000000);
}

TEST(FakeMode, AZeroDimCpuTensorJoinsCudaOnes) {
  FakeMode mode;
  const Tensor x = mode.make(meta_of("f32[]")), y = mode.make(meta_of("f32[]@cuda:0"));
  EXPECT_EQ(call_test_op("add", {x, y}).device(), cuda(0));
  EXPECT_EQ(call_test_op("add", {y, x}).device(), cuda(0));
}

TEST(FakeMode, TwoDevicesAreRefused) {
  FakeMode mode;
  const Tensor x = mode.make(meta_of("f32[2]")), y = mode.make(meta_of("f32[2]@cuda:0"));
  const Error e = error_of([&] { call_test_op("add", {x, y}); });
  EXPECT_EQ(e.kind, ErrorKind::DeviceMismatch);
  EXPECT_THAT(e.message, HasSubstr("two different devices cpu, cuda:0"));
}

// MODE-09
TEST(FakeMode, RealArgumentIsRefusedAndRemedyNamed) {
  FakeMode mode;
  FakeScope scope(mode);
  const Error e = error_of([] { call_test_op("twice", {ones_f32({4})}); });
  EXPECT_EQ(e.kind, ErrorKind::InvalidArgument);
  EXPECT_THAT(e.message, HasSubstr("Please convert all Tensors"));
  EXPECT_THAT(e.message, HasSubstr("allow_non_fake_inputs"));
  EXPECT_THAT(e.message, HasSubstr("Found in faketest.twice.default(f32[4]"));
}

// DISP-05
TEST(FakeMode, RealArgumentIsReportedBeforeWrongShape) {
  FakeMode mode;
  FakeScope scope(mode);
  const Tensor fake = mode.make(meta_of("f32[3]"));
  EXPECT_THAT(error_of([&] {
                call_test_op("add", {fake, ones_f32({4})});
              }).message,
              HasSubstr("Please convert all Tensors"));
}

// DISP-05: an argument of another mode, and an in-place view op on a real tensor, are refused before a wrong shape.
TEST(FakeMode, ForeignFakeIsReportedBeforeWrongShape) {
  FakeMode mode, other;
  FakeScope scope(mode);
  const Tensor fake = mode.make(meta_of("f32[3]")), foreign = other.make(meta_of("f32[4]"));
  EXPECT_THAT(error_of([&] { call_test_op("add", {fake, foreign}); }).message, HasSubstr("Mixing fake modes NYI"));
  const Tensor real = ones_f32({2, 3, 4});
  EXPECT_THAT(error_of([&] { call("aten.t_.default", {Value(real)}); }).message,  // t_ takes two dims at most
              HasSubstr("Can't call metadata mutating ops"));
}

// MODE-10
TEST(FakeMode, RealArgumentIsConvertedWhereModeAllowsIt) {
  FakeOptions options;
  options.allow_non_fake_inputs = true;
  FakeMode mode(options);
  FakeScope scope(mode);
  const Tensor real = ones_f32({4});
  EXPECT_TRUE(mode.owns(call_test_op("add", {real, real})));
  const Tensor fake = mode.from_tensor(real);
  call_test_op("twice", {real});
  EXPECT_TRUE(mode.from_tensor(real).is(fake));
  EXPECT_EQ(mode.tensor_memo_size(), 1u);
}

// MODE-11
TEST(FakeMode, FakesOfTwoModesDoNotMix) {
  FakeMode a, b;
  const Tensor x = a.make(meta_of("f32[2]")), y = b.make(meta_of("f32[2]"));
  FakeScope scope(b);
  const Error e = error_of([&] { call_test_op("add", {x, y}); });
  EXPECT_EQ(e.kind, ErrorKind::InvalidArgument);
  EXPECT_THAT(e.message, HasSubstr("Mixing fake modes NYI"));
}

// MODE-11
TEST(FakeMode, FakeOfAnotherModeIsConvertedIfAllowed) {
  FakeOptions options;
  options.allow_non_fake_inputs = true;
  FakeMode a, b(options);
  const Tensor x = a.make(meta_of("f32[2]")), y = b.make(meta_of("f32[2]"));
  FakeScope scope(b);
  EXPECT_TRUE(b.owns(call_test_op("add", {x, y})));
  EXPECT_TRUE(a.owns(x));
  EXPECT_EQ(b.tensor_memo_size(), 0u);  // the fake of x has no owner and was freed
}

// MODE-12
TEST(FakeMode, InPlaceViewOpOnRealTensorIsRefused) {
  FakeOptions options;
  options.allow_non_fake_inputs = true;
  FakeMode mode(options);
  FakeScope scope(mode);
  const Tensor real = ones_f32({2, 3});
  EXPECT_THAT(error_of([&] { call_test_op("flip_", {real}); }).message,
              HasSubstr("Can't call metadata mutating ops on non-Fake Tensor inputs. Found in"));
  EXPECT_EQ(to_string(real.meta()), "f32[2,3]{3,1}+0@cpu");
}

// MODE-12: the in-place view ops of the library.
TEST(FakeMode, UnsqueezeResizeAndTransposeRefuseARealTensor) {
  for (const bool allowed : {false, true}) {
    FakeOptions options;
    options.allow_non_fake_inputs = allowed;
    FakeMode mode(options);
    FakeScope scope(mode);
    const Tensor real = ones_f32({2, 3});
    const std::pair<const char*, std::vector<Value>> calls[] = {{"aten.unsqueeze_.default", {real, 0}},
                                                                {"aten.resize_.default", {real, size({6})}},
                                                                {"aten.t_.default", {real}}};
    for (const auto& [op, args] : calls) {
      const Error e = error_of([&] { call(op_named(op), args); });
      EXPECT_EQ(e.kind, ErrorKind::InvalidArgument) << op;
      EXPECT_THAT(e.message, HasSubstr("Can't call metadata mutating ops on non-Fake Tensor inputs. Found in")) << op;
    }
    EXPECT_EQ(to_string(real.meta()), "f32[2,3]{3,1}+0@cpu");
  }
}

TEST(FakeMode, InPlaceViewOpChangesFakeItself) {
  FakeMode mode;
  const Tensor x = mode.make(meta_of("f32[2,3]"));
  EXPECT_TRUE(call_test_op("flip_", {x}).is(x));
  EXPECT_EQ(to_string(x.meta()), "f32[3,2]{1,3}+0@cpu");
  EXPECT_EQ(x.version(), 1u);
}

// MODE-13
TEST(FakeMode, MetaFakesCanBeForbidden) {
  FakeOptions options;
  options.allow_meta = false;
  FakeMode strict(options), free;
  const Tensor x = free.make(meta_of("f32[4]@meta"));
  EXPECT_EQ(call_test_op("twice", {x}).device(), kMeta);
  const Tensor y = strict.make(meta_of("f32[4]@meta"));
  EXPECT_THAT(error_of([&] { call_test_op("twice", {y}); }).message, HasSubstr("allow_meta"));
}

// MODE-13: a factory on the meta device.
TEST(FakeMode, FactoryMakesMetaFakesWhereTheyAreAllowed) {
  const std::vector<std::pair<std::string, Value>> on_meta{{"device", Value(kMeta)}};
  const auto make = [&] {
    return to_string(call(op_named("aten.rand.default"), std::vector<Value>{size({4})}, on_meta)[0].tensor().meta());
  };
  FakeOptions options;
  options.allow_meta = false;
  {
    FakeScope scope{FakeMode()};
    EXPECT_EQ(make(), "f32[4]{1}+0@meta");
  }
  FakeScope scope{FakeMode(options)};
  EXPECT_THAT(error_of(make).message, HasSubstr("allow_meta"));
}

TEST(FakeMode, AskingForAValueRaisesDataDependentOutput) {
  FakeMode mode;
  const Tensor x = mode.make(meta_of("f32[1]"));
  EXPECT_EQ(error_of([&] { call(test_op("read"), std::vector<Value>{x}); }).kind, ErrorKind::DataDependentOutput);
  EXPECT_EQ(error_of([&] { x.item_double(); }).kind, ErrorKind::DataDependentOutput);
}

TEST(FakeMode, DataDependentSizeRaisesDynamicOutputShape) {
  FakeOptions options;
  options.fallback = FallbackPolicy::Zeros;
  FakeMode mode(options);
  const Tensor x = mode.make(meta_of("f32[2]"));
  EXPECT_EQ(error_of([&] { call_test_op("pick", {x}); }).kind, ErrorKind::DynamicOutputShape);
  EXPECT_TRUE(mode.fallbacks().empty());
}

// DISP-07
TEST(FakeMode, CompositeOpAnswersMetadataOfRealOne) {
  FakeMode mode;
  const Tensor real = make_real_tensor(meta_of("f32[2,6]{1,2}"));
  const Value shape = size({3, 4});
  const auto reshaped = [&](const Tensor& x) {
    return to_string(call("aten.reshape.default", {Value(x), shape})[0].tensor().meta());
  };
  EXPECT_EQ(reshaped(mode.from_tensor(real)), "f32[3,4]{4,1}+0@cpu");
  EXPECT_EQ(reshaped(real), "f32[3,4]{4,1}+0@cpu");
}

// MODE-17, DISP-07
TEST(FakeMode, CompositeOpRunsItsPartsInMode) {
  FakeMode mode;
  EXPECT_TRUE(mode.owns(call_test_op("four", {mode.make(meta_of("f32[5]"))})));
  FakeScope scope(mode);
  EXPECT_THAT(error_of([] { call_test_op("four", {ones_f32({2})}); }).message, HasSubstr("Please convert all Tensors"));
}

TEST(FakeMode, WritingOpWithoutRuleMovesTheVersionOnly) {
  FakeMode mode;
  const Tensor x = mode.make(meta_of("f32[2]")), to = mode.make(meta_of("f32[2]"));
  EXPECT_TRUE(call(test_op("store"), std::vector<Value>{x, to}).empty());
  EXPECT_EQ(to.version(), 1u);
  EXPECT_EQ(x.version(), 0u);
}

// BEY-38
TEST(FakeMode, FakeKeepsItsModeAliveNotTheReverse) {
  auto state = make_ref<FakeModeState>(FakeOptions());
  WeakRef<FakeModeState> weak_state(state);
  Tensor x = FakeMode(state).make(meta_of("f32[2]"));
  WeakRef<TensorImpl> weak_x(x.ref());
  state = nullptr;
  EXPECT_FALSE(weak_state.expired());
  EXPECT_TRUE(mode_of(x)->owns(x));
  x = Tensor();
  EXPECT_TRUE(weak_x.expired());
  EXPECT_TRUE(weak_state.expired());
}

// MODE-14
TEST(FakeMode, WithModesSuspendedCallsAreReal) {
  FakeMode mode;
  FakeScope scope(mode);
  {
    SuspendModes suspended;
    EXPECT_FALSE(call_test_op("twice", {ones_f32({2})}).is_fake());
    EXPECT_FALSE(call_test_op("make", {size({2})}).is_fake());
    EXPECT_EQ(active_mode(ModeOrder::Fake), nullptr);
  }
  EXPECT_EQ(active_mode(ModeOrder::Fake), &mode.state());
}

// MODE-14: the mode is active again after an exception.
TEST(FakeMode, AfterErrorSuspendedModeIsActiveAgain) {
  FakeMode mode;
  FakeScope scope(mode);
  const auto fails = [] {
    SuspendModes suspended;
    call_test_op("add", {ones_f32({2}), ones_f32({3})});
  };
  EXPECT_EQ(error_of(fails).label, "add.C1");
  EXPECT_EQ(active_mode(ModeOrder::Fake), &mode.state());
}

}  // namespace
}  // namespace ersatz
