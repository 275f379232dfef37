// Programs propagated under a mode: the records of all values, and the mode of the results.
#include "tracer/run/propagate.h"
#include "fake/mode/fake_mode_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/object/fake_copy.h"
#include "include/ersatz/ops.h"
#include "runtime/op/dispatch.h"
#include "runtime/sym/sym_expr.h"
#include "tests/tracer/traced_lines.h"

namespace ersatz {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<Value> mlp(std::span<const Value> x) {
  const Tensor h = ops::relu(ops::linear(x[4].tensor(), x[0].tensor(), x[1].tensor()));
  return {Value(ops::linear(h, x[2].tensor(), x[3].tensor()))};
}
Tensor empty(DimVec sizes) { return make_real_tensor(TensorMeta(DType::F32, std::move(sizes))); }
/// Returns inputs for Linear(4, 3), ReLU, Linear(3, 2): the weights and the input.
std::vector<Value> mlp_inputs(const FakeMode& mode) {
  std::vector<Value> inputs;
  for (const DimVec& sizes : {DimVec{3, 4}, DimVec{3}, DimVec{2, 3}, DimVec{2}})
    inputs.emplace_back(mode.from_tensor(empty(sizes)));
  inputs.emplace_back(empty({5, 4}));
  return inputs;
}

// PROP-01
TEST(Propagate, EveryNodeHasValueAndFakesAreResults) {
  const FakeMode mode;
  const std::vector<Value> inputs = mlp_inputs(mode);
  Program p = trace(mlp, inputs);
  for (GraphValue& v : p.main().values) v.record = kNone;
  const Propagated made = propagate(p, mode, inputs);
  EXPECT_TRUE(mode.owns(made.outputs[0].tensor()));
  EXPECT_EQ(to_string(made.outputs[0].tensor().meta()), "f32[5,2]{2,1}+0@cpu");
  for (const GraphValue& v : p.main().values) EXPECT_NE(p.meta(v), nullptr) << p.name(v.name);
}

// PROP-02
TEST(Propagate, FakesOfAnotherModeAreRefused) {
  const FakeMode mode;
  const std::vector<Value> inputs = mlp_inputs(mode);
  Program p = trace(mlp, inputs);
  const FakeMode other;
  try {
    propagate(p, other, inputs);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::InvalidArgument);
    EXPECT_THAT(e.message, HasSubstr("input arg0 is a fake of another mode"));
    EXPECT_THAT(e.message, HasSubstr("the other one\n"));
  }
  EXPECT_NE(p.meta(p.main().values.back()), nullptr) << "a refused run leaves the records";
}

// PROP-03
TEST(Propagate, AbsentInputsPassThrough) {
  const auto f = [](std::span<const Value> x) {
    Tensor y = x[0].tensor();
    if (!x[1].is_none()) y = ops::add(y, x[1].tensor());
    return std::vector<Value>{Value(ops::mul(y, x[2].tensor()))};
  };
  FakeOptions options;
  options.allow_non_fake_inputs = true;
  options.fallback = FallbackPolicy::Refuse;
  const FakeMode mode(options);
  const std::vector<Value> inputs{Value(floats({1, 2})), Value(), Value(floats({3, 4}))};
  Program p = trace(f, inputs);
  EXPECT_EQ(to_string(propagate(p, mode, inputs).outputs[0].tensor().meta()), "f32[2]{1}+0@cpu");
}

// PROP-05
TEST(Propagate, WithoutAModeAFreshOneIsUsed) {
  Program p = trace([](std::span<const Value> x) { return std::vector<Value>{Value(ops::relu(x[0].tensor()))}; },
                    std::vector<Value>{Value(floats({1, 2}))});
  const Value inputs[] = {Value(floats({1, 2, 3}))};
  const Propagated made = propagate(p, std::nullopt, inputs);
  EXPECT_TRUE(made.mode.owns(made.outputs[0].tensor()));
  EXPECT_EQ(to_string(*p.meta(p.main().values[1])), "f32[3]{1}+0@cpu");
}

// TRACE-34, SYM-13
TEST(Propagate, ANodeSaysWhereItsSymbolsAre) {
  const auto f = [](std::span<const Value> x) { return std::vector<Value>{call("aten.nonzero.default", {x[0]})[0]}; };
  for (const TraceMode mode : {TraceMode::Fake, TraceMode::Symbolic}) {
    const Value inputs[] = {Value(floats({1, 0, 2}))};
    const Program p = trace(f, inputs, in_mode(mode));
    EXPECT_THAT(nodes_of(p), ElementsAre("%nonzero = aten.nonzero.default(%arg0)"));
    EXPECT_TRUE(p.meta(p.main().values[1])->sizes[0].is_symbolic());
    const auto bindings = recorded_bindings(p, p.main(), 0);
    ASSERT_EQ(bindings.size(), 1u);
    EXPECT_EQ(to_string(bindings[0]), "u0: result 0, size(0)");
  }
}

// SYM-12, PROP-04
TEST(Propagate, AnotherRunHasNewSymbolsEqualToOld) {
  const auto f = [](std::span<const Value> x) { return std::vector<Value>{call("aten.nonzero.default", {x[0]})[0]}; };
  FakeOptions options;
  options.shape_env = std::make_shared<ShapeEnv>();
  options.static_shapes = true;
  const FakeMode mode(options);
  const std::vector<Value> inputs{Value(mode.from_tensor(floats({1, 0, 2})))};
  Program p = trace(f, inputs);
  const SymInt first = recorded_bindings(p, p.main(), 0)[0].symbol;
  const uint64_t epoch = mode.state().epoch();
  propagate(p, mode, inputs);
  EXPECT_GT(mode.state().epoch(), epoch);
  const SymInt second = recorded_bindings(p, p.main(), 0)[0].symbol;
  EXPECT_FALSE(first.is_identical(second));
  EXPECT_EQ(options.shape_env->statically({SymCompare::Eq, first, second}), true);
}

}  // namespace
}  // namespace ersatz
