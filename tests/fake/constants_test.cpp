// Known values of fakes (fake/mode/constants.h): calls that keep them, and calls that make them unknown.
#include "fake/mode/constants.h"

#include "fake/mode/fake_mode.h"
#include "fake/mode/fake_mode_state.h"
#include "tests/fake/test_ops.h"

namespace ersatz {
namespace {

class Constant : public testing::Test {
 protected:
  static Tensor literal(std::initializer_list<float> values, std::initializer_list<int64_t> sizes) {
    return call("aten.lift_fresh.default", {Value(tensor_of<float>(values, sizes))})[0].tensor();
  }
  static Tensor literal(float value) { return literal({value}, {}); }
  static Tensor run(std::string_view op, std::initializer_list<Value> args) { return call(op, args)[0].tensor(); }
  static double item(const Tensor& t) { return call("aten.item.default", {Value(t)})[0].as_double(); }
  static Tensor add_(const Tensor& x, Value other) {
    return run("aten.add_.Tensor", {Value(x), std::move(other), Value(int64_t(1))});
  }
  static Tensor rand(std::initializer_list<int64_t> sizes) {
    return run("aten.rand.default", {Value::int_list(std::vector<int64_t>(sizes))});
  }
  static bool known(const Tensor& t) { return static_cast<bool>(known_value(t)); }
  /// Expects that reading `t` raises, unless it carries a real tensor (fake/mode/real_values.h).
  void expect_unreadable(const Tensor& t) const {
    if (mode.options().propagate_real) {
      EXPECT_EQ(item(t), real_value(t).item_double());
    } else {
      EXPECT_EQ(error_of([&] { item(t); }).kind, ErrorKind::DataDependentOutput);
    }
  }

  FakeMode mode;
  FakeScope scope{mode};
};

// CONST-01
TEST_F(Constant, FakeLiteralOfOneElementHasItsValue) {
  const Tensor x = literal(4);
  EXPECT_TRUE(mode.owns(x));
  EXPECT_EQ(item(x), 4);
  EXPECT_EQ(x.item_double(), 4);
}

// CONST-02
TEST_F(Constant, InPlaceOpOnKnownValuesUpdatesThem) {
  const Tensor x = literal(4);
  const Tensor z = run("aten.alias.default", {Value(x)});
  const Tensor y = add_(x, Value(int64_t(1)));
  EXPECT_TRUE(y.is(x));
  EXPECT_EQ(item(x), 5);
  EXPECT_EQ(item(y), 5);
  EXPECT_EQ(item(z), 5);
  EXPECT_EQ(x.version(), 1u);
}

// CONST-03
TEST_F(Constant, ViewSharesFakeStorageAndValuesStorage) {
  const Tensor x = literal({4}, {1});
  const Tensor y = run("aten.slice.Tensor", {Value(x), Value(int64_t(0))});
  EXPECT_TRUE(y.shares_storage(x));
  ASSERT_TRUE(known(y));
  EXPECT_TRUE(known_value(y).shares_storage(known_value(x)));
  add_(y, Value(2.0));
  EXPECT_EQ(item(x), 6);
}

// CONST-04
TEST_F(Constant, WritingWhatIsNotKnownTakesTheValue) {
  const Tensor x = literal({4}, {1});
  add_(x, Value(rand({1})));
  EXPECT_FALSE(known(x));
  expect_unreadable(x);
}

// CONST-05
TEST_F(Constant, InPlaceChangeOfMetadataTakesValue) {
  const Tensor x = literal({1}, {1});
  run("aten.resize_.default", {Value(x), Value::int_list(std::vector<int64_t>{2})});
  EXPECT_EQ(x.size(0).as_int(), 2);
  EXPECT_FALSE(known(x));
}

// CONST-06
TEST_F(Constant, WritingViewDropsKnownValuesOfLivingAliases) {
  const Tensor x = literal({4}, {1});
  const Tensor y = run("aten.slice.Tensor", {Value(x), Value(int64_t(0))});
  run("aten.view.default", {Value(x), Value::int_list(std::vector<int64_t>{1, 1})});  // the result is freed at once
  ASSERT_TRUE(known(y));
  add_(y, Value(rand({1})));
  EXPECT_FALSE(known(x));
  EXPECT_FALSE(known(y));
  EXPECT_EQ(mode.state().constants.storages(), 0u);
}

// CONST-07
TEST_F(Constant, TooLargeAliasTakesTheValueWhenWritten) {
  const Tensor x = literal({4}, {1});
  const Tensor y = run("aten.expand.default", {Value(x), Value::int_list(std::vector<int64_t>{4})});
  EXPECT_FALSE(known(y));
  const Tensor first = run("aten.select.int", {Value(y), Value(int64_t(0)), Value(int64_t(0))});
  run("aten.fill_.Scalar", {Value(first), Value(1.0)});
  EXPECT_FALSE(known(x));
}

// CONST-08, DEV-06
TEST_F(Constant, OpOnNumbersHasKnownResultOnCpu) {
  const Tensor q =
      run("aten.div.Tensor_mode", {Value(int64_t(4)), Value(int64_t(4)), Value(std::string_view("trunc"))});
  EXPECT_TRUE(mode.owns(q));
  EXPECT_EQ(to_string(q.meta()), "i64[]{}+0@cpu");
  EXPECT_EQ(item(q), 1);
}

// CONST-09
TEST_F(Constant, LiteralOfTwoElementsHasNoKnownValue) {
  const Tensor shape = literal({2, 3}, {2});
  EXPECT_FALSE(known(shape));
  const Tensor first = run("aten.select.int", {Value(shape), Value(int64_t(0)), Value(int64_t(0))});
  expect_unreadable(first);
}

// CONST-10
TEST_F(Constant, OpsOnKnownValuesAloneAreComputed) {
  const Tensor x = literal(3), y = literal(5);
  EXPECT_EQ(item(run("aten.mul.Tensor", {Value(x), Value(y)})), 15);
  EXPECT_FALSE(known(run("aten.mul.Tensor", {Value(x), Value(rand({}))})));
  EXPECT_FALSE(known(run("aten.rand_like.default", {Value(x)})));
  EXPECT_FALSE(known(
      run("aten.cat.default", {Value::list(std::vector<Value>{Value(literal({1}, {1})), Value(literal({2}, {1}))})})));
}

// CONST-10
TEST_F(Constant, EveryPartOfAKnownValueIsKnown) {
  const Tensor x = literal({3}, {1, 1});
  const Values parts = call("aten.unbind.int", {Value(x)});
  ASSERT_EQ(parts[0].as_list().size(), 1u);
  EXPECT_EQ(item(parts[0].as_list()[0].tensor()), 3);
}

// CONST-11
TEST_F(Constant, OnlyWrittenArgumentsLoseTheirValue) {
  const Tensor x = literal({4}, {1}), y = rand({1});
  add_(y, Value(x));
  EXPECT_TRUE(known(x));
  add_(x, Value(y));
  EXPECT_FALSE(known(x));
}

// CONST-12
TEST_F(Constant, SmallLiteralKeepsACopyOfItsSource) {
  const Tensor source = tensor_of<float>({4}, {1});
  const Tensor x = call("aten.lift_fresh.default", {Value(source)})[0].tensor();
  source.data<float>()[0] = 9;
  EXPECT_EQ(item(x), 4);
  const Tensor again = call("aten.lift_fresh.default", {Value(source)})[0].tensor();
  EXPECT_EQ(item(again), 9);
  EXPECT_EQ(item(x), 4);
  EXPECT_FALSE(known(literal({1, 2}, {2})));
}

// CONV-15
TEST_F(Constant, OnlyOneElementCpuNonParameterBecomesConstant) {
  const Tensor x = tensor_of<float>({7}, {1});
  EXPECT_EQ(item(mode.from_constant(x)), 7);
  EXPECT_EQ(mode.state().constants.storages(), 0u);  // the fake has been freed
  const Tensor kept = mode.from_constant(x);
  EXPECT_EQ(mode.state().constants.storages(), 1u);
  EXPECT_EQ(error_of([&] { mode.from_constant(tensor_of<float>({1, 2}, {2})); }).kind, ErrorKind::InvalidArgument);
  EXPECT_EQ(error_of([&] { mode.from_constant(make_real_tensor(meta_of("f32[1]@meta"))); }).kind,
            ErrorKind::InvalidArgument);
  const Tensor parameter = tensor_of<float>({7}, {1});
  parameter.impl()->extra = make_ref<TensorExtra>();
  parameter.impl()->extra->is_parameter = true;
  EXPECT_EQ(error_of([&] { mode.from_constant(parameter); }).kind, ErrorKind::InvalidArgument);
}

// MODE-16: known values need no flag: they are computed also while the mode runs another op's body.
TEST_F(Constant, PartsOfACompositeWorkKnownValuesOut) {
  const Tensor x = literal({3}, {1});
  EXPECT_EQ(item(call_test_op("four", {x})), 12);
}

TEST_F(Constant, ErrorOnValuesIsRealOnesError) {
  const auto integer = [](int64_t v) {
    return call("aten.lift_fresh.default", {Value(tensor_of<int64_t>({v}, {}))})[0].tensor();
  };
  const Tensor one = integer(1), zero = integer(0);
  const Error e = error_of([&] {
    run("aten.div.Tensor_mode", {Value(one), Value(zero), Value(std::string_view("trunc"))});
  });
  EXPECT_TRUE(e.value_failure);
}

TEST_F(Constant, AFallbackThatWritesTakesTheValue) {
  const Tensor x = literal({4}, {1});
  const Tensor y = rand({1});
  call(test_op("store"), std::vector<Value>{y, x});
  EXPECT_FALSE(known(x));
}

}  // namespace
}  // namespace ersatz
