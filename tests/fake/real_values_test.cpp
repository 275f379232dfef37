// Fakes that carry real tensors (fake/mode/real_values.h): fakes that have one, and calls that run for real.
#include "fake/mode/real_values.h"
#include "fake/mode/fake_mode_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/tensor/generator.h"
#include "runtime/tensor/meta_text.h"
#include "tests/fake/real_ops.h"

namespace ersatz {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Value ints(std::initializer_list<int64_t> v) { return Value::int_list(std::vector<int64_t>(v)); }
Tensor run(std::string_view op, std::initializer_list<Value> args) { return call(op, args)[0].tensor(); }
Tensor floats(std::initializer_list<float> v) { return tensor_of<float>(v, {static_cast<int64_t>(v.size())}); }

class RealValue : public testing::Test {
 protected:
  FakeMode mode{propagating()};
  FakeScope scope{mode};
};

// REAL-01
TEST_F(RealValue, ConvertedTensorsAndFactoryResultsCarryThem) {
  const Tensor original = floats({1, 2});
  for (const Tensor& fake : {mode.from_tensor(original), run("aten.ones.default", {ints({2, 3})})}) {
    EXPECT_TRUE(mode.owns(fake));
    ASSERT_TRUE(real_value(fake));
    EXPECT_FALSE(real_value(fake).is_fake());
    EXPECT_EQ(real_value(fake).meta(), fake.meta());
  }
  EXPECT_FALSE(real_value(mode.from_tensor(original)).is(original));
  EXPECT_THAT(values_of(mode.from_tensor(original)), ElementsAre(1, 2));
}

// REAL-01
TEST(RealValues, AModeThatCarriesThemCachesNothing) {
  FakeOptions options = propagating();
  options.cache = CachePolicy::Always;
  EXPECT_EQ(FakeMode(options).options().cache, CachePolicy::Never);
  options.propagate_real = false;
  EXPECT_EQ(FakeMode(options).options().cache, CachePolicy::Always);
}

// REAL-01: the option is read when the mode is made.
TEST(RealValues, ModesMadeWithoutTheOptionCarryNone) {
  FakeMode plain;
  EXPECT_FALSE(real_value(plain.from_tensor(floats({1}))));
  EXPECT_THAT(error_of([&] { plain.drop_real(); }).message, HasSubstr("made without propagate_real"));
  FakeDefaultsGuard defaults([](FakeDefaults& d) { d.propagate_real = true; });
  EXPECT_TRUE(real_value(FakeMode().from_tensor(floats({1}))));
}

// REAL-02
TEST_F(RealValue, ResultsAreEagersWithTheSameSeed) {
  const auto program = [](const Tensor& x) {
    const Tensor noise = run("aten.rand.default", {ints({2, 3})});
    const Tensor sum = run("aten.add.Tensor", {Value(x), Value(noise), Value(int64_t(2))});
    return run("aten.mm.default", {Value(run("aten.t.default", {Value(sum)})), Value(x)});
  };
  const Tensor x = tensor_of<float>({1, 2, 3, 4, 5, 6}, {2, 3});
  manual_seed(11);
  const Tensor fake = program(mode.from_tensor(x));
  manual_seed(11);
  SuspendModes suspended;
  const Tensor eager = program(x);
  EXPECT_EQ(values_of(fake), values_of(eager));
  EXPECT_EQ(real_value(fake).meta(), eager.meta());
  EXPECT_EQ(fake.meta(), eager.meta());
}

// BEY-18
TEST_F(RealValue, EachOpRunsItsKernelOnceInComposites) {
  const Tensor x = mode.from_tensor(floats({1, 2, 3}));
  const int64_t before = kernel_runs();
  call_real_op("twice", {x});
  EXPECT_EQ(kernel_runs() - before, 1);
  call_real_op("noisy", {x});  // its body calls bump_, noise and twice
  EXPECT_EQ(kernel_runs() - before, 4);
}

// BEY-18
TEST_F(RealValue, DecomposedRandomOpDrawsLikeEager) {
  const auto twice_noisy = [](const Tensor& x) {
    call_real_op("noisy", {x});
    return call_real_op("noisy", {x});
  };
  const Tensor x = floats({1, 2, 3}), y = floats({1, 2, 3});
  const Tensor fake_x = mode.from_tensor(x);
  manual_seed(5);
  const Tensor fake = twice_noisy(fake_x);
  const GeneratorState drawn = default_generator().state();
  manual_seed(5);
  SuspendModes suspended;
  const Tensor eager = twice_noisy(y);
  EXPECT_EQ(drawn, default_generator().state());
  EXPECT_EQ(values_of(fake), values_of(eager));
  EXPECT_EQ(values_of(fake_x), values_of(y));
  EXPECT_THAT(values_of(y), ElementsAre(3, 4, 5));
  EXPECT_EQ(fake_x.version(), y.version());
}

// REAL-07
TEST_F(RealValue, InPlaceOpsUpdateThemThroughViewsAndBases) {
  const Tensor x = mode.from_tensor(tensor_of<float>({1, 2, 3, 4}, {2, 2}));
  const Tensor row = run("aten.select.int", {Value(x), Value(0), Value(1)});
  const Tensor again = run("aten.view.default", {Value(x), ints({4})});
  run("aten.add_.Tensor", {Value(row), Value(10.0), Value(int64_t(1))});
  EXPECT_THAT(values_of(x), ElementsAre(1, 2, 13, 14));
  EXPECT_THAT(values_of(again), ElementsAre(1, 2, 13, 14));
  EXPECT_THAT(values_of(row), ElementsAre(13, 14));
  EXPECT_TRUE(real_value(row).shares_storage(real_value(x)));
}

// REAL-07
TEST_F(RealValue, ResultsInOutArgumentsAreWrittenOnce) {
  const Tensor x = mode.from_tensor(floats({1, 2})), out = mode.from_tensor(floats({0, 0, 0}));
  run("aten.add.out", {Value(x), Value(x), Value(int64_t(1)), Value(out)});
  EXPECT_EQ(to_string(out.meta()), "f32[2]{1}+0@cpu");
  EXPECT_EQ(real_value(out).meta(), out.meta());
  EXPECT_THAT(values_of(out), ElementsAre(2, 4));
}

// REAL-07
TEST_F(RealValue, InPlaceViewOpTurnsRealTensorToo) {
  const Tensor x = mode.from_tensor(tensor_of<float>({1, 2, 3, 4, 5, 6}, {2, 3}));
  call_test_op("flip_", {x});
  EXPECT_EQ(real_value(x).meta(), x.meta());
  EXPECT_THAT(values_of(x), ElementsAre(1, 4, 2, 5, 3, 6));
}

// REAL-07
TEST_F(RealValue, FakeSetToAnotherStorageTakesItsValues) {
  const Tensor x = mode.from_tensor(floats({1, 2})), y = mode.from_tensor(floats({3, 4, 5}));
  run("aten.set_.source_Tensor", {Value(x), Value(y)});
  EXPECT_THAT(values_of(x), ElementsAre(3, 4, 5));
  call_real_op("bump_", {y});
  EXPECT_THAT(values_of(x), ElementsAre(4, 5, 6));
  EXPECT_TRUE(real_value(x).shares_storage(real_value(y)));
  run("aten.set_.default", {Value(x)});
  EXPECT_THAT(values_of(x), IsEmpty());
  EXPECT_EQ(real_value(x).meta(), x.meta());
}

TEST_F(RealValue, FakeLosesItsValueWithItsNewStorage) {
  const Tensor x = mode.from_tensor(floats({1, 2})), y = mode.from_tensor(floats({3, 4}));
  run("aten.set_.source_Tensor", {Value(x), Value(y)});
  run("aten.copy_.default", {Value(y), Value(mode.make(meta_of("f32[2]")))});
  EXPECT_FALSE(real_value(y));
  EXPECT_FALSE(real_value(x));
}

// REAL-09
TEST_F(RealValue, ErrorOfRealRunReachesCaller) {
  const Tensor x = mode.from_tensor(floats({1, -2}));
  const Error e = error_of([&] { call_real_op("half_done_", {x}); });
  EXPECT_TRUE(e.value_failure);
  EXPECT_THAT(e.message, HasSubstr("elements must not be negative, found -2"));
  const Error zero = error_of([&] {
    const Tensor i = mode.from_tensor(tensor_of<int32_t>({1, 0}, {2}));
    call("aten.div.Tensor_mode", std::initializer_list<Value>{Value(i), Value(i), Value("floor")});
  });
  EXPECT_EQ(zero.message,
            error_of([&] {
              SuspendModes suspended;
              const Tensor i = tensor_of<int32_t>({1, 0}, {2});
              call("aten.div.Tensor_mode", std::initializer_list<Value>{Value(i), Value(i), Value("floor")});
            }).message);
}

// REAL-09
TEST_F(RealValue, ErrorDuringAWriteChangesNeitherSide) {
  const Tensor x = mode.from_tensor(floats({1, -2}));
  error_of([&] { call_real_op("half_done_", {x}); });
  EXPECT_THAT(values_of(x), ElementsAre(1, -2));
  EXPECT_EQ(x.version(), 0u);
}

// REAL-11
TEST_F(RealValue, AFakeIsNoRealTensor) {
  const Tensor x = mode.make(meta_of("f32[2]")), y = FakeMode().make(meta_of("f32[2]"));
  EXPECT_EQ(error_of([&] { mode.attach_real(x, y); }).kind, ErrorKind::InternalError);
  EXPECT_EQ(error_of([&] { mode.state().reals->attach(x, y); }).kind, ErrorKind::InternalError);
  EXPECT_FALSE(real_value(x));
}

TEST_F(RealValue, FakeMadeWithoutOneCanBeGivenOne) {
  const Tensor x = mode.make(meta_of("f32[2]"));
  mode.attach_real(x, floats({3, 4}));
  EXPECT_THAT(values_of(call_real_op("twice", {x})), ElementsAre(6, 8));
  EXPECT_THAT(error_of([&] { mode.attach_real(x, floats({3, 4})); }).message, HasSubstr("carries a value already"));
  const Tensor y = mode.make(meta_of("f32[2]"));
  EXPECT_THAT(error_of([&] { mode.attach_real(y, floats({3})); }).message, HasSubstr("f32[2]@cpu and f32[1]@cpu"));
}

// CONV-19
TEST_F(RealValue, ChangingTheOriginalLaterDoesNotShow) {
  const Tensor original = tensor_of<float>({1, 2, 3, 4}, {2, 2});
  const Tensor columns = make_view(original, meta_of("f32[2,2]{1,2}"));
  const Tensor fake = mode.from_tensor(columns);
  {
    SuspendModes suspended;
    call("aten.zero_.default", {Value(original)});
  }
  EXPECT_THAT(values_of(original), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(values_of(fake), ElementsAre(1, 3, 2, 4));
  EXPECT_EQ(to_string(real_value(fake).meta()), "f32[2,2]{1,2}+0@cpu");
}

// CONV-19
TEST_F(RealValue, ChangingTheFakeDoesNotChangeTheOriginal) {
  const Tensor original = floats({1, 2});
  const Tensor fake = mode.from_tensor(original);
  call_real_op("bump_", {fake});
  EXPECT_THAT(values_of(original), ElementsAre(1, 2));
  EXPECT_THAT(values_of(fake), ElementsAre(2, 3));
}

TEST_F(RealValue, DataDependentSizesAndNumbersAreRealOnes) {
  const Tensor x = mode.from_tensor(floats({0, 5, 0, 7}));
  const Tensor found = run("aten.nonzero.default", {Value(x)});
  EXPECT_TRUE(mode.owns(found));
  EXPECT_EQ(to_string(found.meta()), to_string([&] {
              SuspendModes suspended;
              return run("aten.nonzero.default", {Value(floats({0, 5, 0, 7}))});
            }()
                                                   .meta()));
  EXPECT_EQ(real_value(found).data<int64_t>()[1], 3);
  const Tensor second = run("aten.select.int", {Value(x), Value(0), Value(1)});
  EXPECT_EQ(call("aten.item.default", {Value(second)})[0].as_double(), 5);
}

// N3 of fake/mode/constants.h
TEST_F(RealValue, KnownValuesDecideResultsOfOneElement) {
  const auto places = [&](std::initializer_list<int64_t> sizes) {
    return run("aten.nonzero.default", {Value(mode.from_constant(tensor_of<float>({5}, sizes)))});
  };
  EXPECT_TRUE(known_value(places({1})));
  const Tensor three = places({1, 1, 1});
  EXPECT_EQ(three.numel().as_int(), 3);
  EXPECT_TRUE(real_value(three));
  EXPECT_FALSE(known_value(three));
  EXPECT_THAT(mode.real_report().data_uses, IsEmpty());
}

TEST_F(RealValue, OpWithoutRuleIsAnsweredByItsKernel) {
  const Tensor x = mode.from_tensor(ones_f32({2, 3}));
  const Tensor y = call_real_op("ruleless", {x});
  EXPECT_TRUE(mode.owns(y));
  EXPECT_EQ(to_string(y.meta()), "f32[2,3]{1,2}+0@cpu");
  EXPECT_THAT(values_of(y), ElementsAre(5, 5, 5, 5, 5, 5));
  const Tensor z = call_real_op("view_back", {x});
  EXPECT_TRUE(z.shares_storage(x));
  EXPECT_TRUE(real_value(z).shares_storage(real_value(x)));
  ASSERT_EQ(mode.real_report().missing_rules.size(), 2u);
  EXPECT_EQ(mode.real_report().missing_rules[0].op, "realtest.ruleless.default");
}

}  // namespace
}  // namespace ersatz
