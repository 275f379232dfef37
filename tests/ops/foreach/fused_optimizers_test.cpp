// Expected values are from the published update rules.
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

/// Parameters of ones, gradients of 0.5 and -0.5, and a state of zeros.
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
}  // namespace
}  // namespace ersatz
