// Expected values follow from the published update rules.
#include "tests/ops/foreach/tensor_lists.h"

namespace ersatz {
namespace {

struct Named {
  std::string name;
  Value value;
};
Values call_named(std::string_view op, std::initializer_list<Value> lists, std::initializer_list<Named> named) {
  std::vector<std::pair<std::string, Value>> keywords;
  for (const Named& n : named) keywords.emplace_back(n.name, n.value);
  return call(op_named(op), std::span<const Value>(lists.begin(), lists.size()), keywords);
}

/// Parameters 1, gradients 0.5 and a state of zeros.
struct Parameters {
  Tensor p = f64({2}, {1, 1}), g = f64({2}, {0.5, -0.5}), first = f64({2}, {0, 0}), second = f64({2}, {0, 0}),
         step = f32({}, {1});
  Values adam(std::string_view op, double decay, Value found_inf = Value(), Value grad_scale = Value()) const {
    return call_named(op,
                      {tensors({p}), tensors({g}), tensors({first}), tensors({second}), tensors({}), tensors({step})},
                      {{"lr", 0.1},
                       {"beta1", 0.9},
                       {"beta2", 0.99},
                       {"weight_decay", decay},
                       {"eps", 0.0},
                       {"amsgrad", false},
                       {"maximize", false},
                       {"grad_scale", grad_scale},
                       {"found_inf", found_inf}});
  }
};

OP_TEST(FusedAdam, StepsByTheRateAtFirst) {
  const Parameters x;
  EXPECT_TRUE(x.adam("aten._fused_adam_.default", 0).empty());
  expect(x.p).meta("f64[2]").values({0.9, 1.1}, 1e-7);
  expect(x.first).values({0.05, -0.05});
  expect(x.second).values({0.0025, 0.0025});
}
OP_TEST(FusedAdam, AddsTheDecayToTheGradientAndAdamwToTheStep) {
  const Parameters x, y;
  x.adam("aten._fused_adam_.default", 0.5);
  expect(x.first).values({0.1, 0});
  y.adam("aten._fused_adamw_.default", 0.5);
  expect(y.first).values({0.05, -0.05});
  expect(y.p).values({0.85, 1.05}, 1e-7);
}
OP_TEST(FusedAdam, LeavesEverythingWhereAnInfinityWasFound) {
  const Parameters x;
  x.adam("aten._fused_adam_.default", 0, f32({}, {1}), f32({}, {2}));
  expect(x.p).values({1, 1});
  expect(x.g).values({0.5, -0.5});
  expect(x.first).values({0, 0});
}
OP_TEST(FusedAdam, WritesScaledGradients) {
  const Parameters x;
  x.adam("aten._fused_adam_.default", 0, f32({}, {0}), f32({1}, {2}));
  expect(x.g).values({0.25, -0.25});
  expect(x.first).values({0.025, -0.025});
}
OP_TEST(FusedAdam, OfCopiesReturnsThemAndLeavesTheArguments) {
  const Parameters x;
  const Values results = x.adam("aten._fused_adam.default", 0);
  ASSERT_EQ(results.size(), 5U);
  expect(results[0].as_list()[0].tensor()).meta("f64[2]").values({0.9, 1.1}, 1e-7);
  expect(results[2].as_list()[0].tensor()).values({0.05, -0.05});
  EXPECT_TRUE(results[4].as_list().empty());
  expect(x.p).values({1, 1});
}
OP_TEST(FusedSgd, KeepsMomentum) {
  const Tensor p = f32({1}, {1}), g = f32({1}, {0.5}), buffer = f32({1}, {2});
  call_named("aten._fused_sgd_.default", {tensors({p}), tensors({g}), tensors({buffer})},
             {{"weight_decay", 0.0},
              {"momentum", 0.5},
              {"lr", 0.1},
              {"dampening", 0.0},
              {"nesterov", false},
              {"maximize", false},
              {"is_first_step", false}});
  expect(buffer).values({1.5});
  expect(p).values({0.85});
}
OP_TEST(FusedSgd, WritesOutAndNothingElse) {
  const Tensor p = f32({1}, {1}), g = f32({1}, {0.5}), out = make("f32[0]");
  call_named("aten._fused_sgd.tensor_lr_out", {tensors({p}), tensors({g}), tensors({})},
             {{"weight_decay", 0.0},
              {"momentum", 0.0},
              {"lr", f32({}, {0.1})},
              {"dampening", 0.0},
              {"nesterov", false},
              {"maximize", true},
              {"is_first_step", true},
              {"out", tensors({out})}});
  expect(out).meta("f32[1]").values({1.05});
  expect(p).values({1});
}
OP_TEST(FusedSgd, RefusesBuffersWithoutMomentum) {
  const Tensor p = f32({1}, {1});
  const auto step = [&] {
    call_named("aten._fused_sgd_.default", {tensors({p}), tensors({p}), tensors({p})},
               {{"weight_decay", 0.0},
                {"momentum", 0.0},
                {"lr", 0.1},
                {"dampening", 0.0},
                {"nesterov", false},
                {"maximize", true},
                {"is_first_step", true}});
  };
  expect_refused(step, ErrorFamily::Runtime, "_fused_sgd_.C1");
}
OP_TEST(FusedAdagrad, DividesByTheRootOfAllSquares) {
  const Tensor p = f64({1}, {1}), g = f64({1}, {3}), sum = f64({1}, {16}), step = f32({}, {3});
  call_named("aten._fused_adagrad_.default", {tensors({p}), tensors({g}), tensors({sum}), tensors({step})},
             {{"lr", 0.1}, {"lr_decay", 0.5}, {"weight_decay", 0.0}, {"eps", 0.0}, {"maximize", false}});
  expect(sum).values({25});
  expect(p).values({1 - 0.05 * 3 / 5});
  expect(step).values({3});
}

}  // namespace
}  // namespace ersatz
