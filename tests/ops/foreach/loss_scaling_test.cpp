#include <cmath>

#include "tests/ops/foreach/tensor_lists.h"

namespace ersatz {
namespace {

OP_TEST(LossScaling, MultipliesAndMarksInfinities) {
  const Tensor x = f32({2}, {1, 2}), y = f64({1}, {INFINITY}), found = f32({1}, {0}), by = f32({}, {0.5});
  constexpr std::string_view op = "aten._amp_foreach_non_finite_check_and_unscale_.default";
  EXPECT_TRUE(call(op, {tensors({x}), found, by}).empty());
  expect(x).values({0.5, 1});
  expect(found).values({0});
  call(op, {tensors({y, x}), found, by});
  expect(x).values({0.25, 0.5});
  expect(found).values({1});
}
OP_TEST(LossScaling, OfCopiesLeavesTheArguments) {
  const Tensor x = f32({1}, {NAN}), found = f32({}, {0});
  const Values results =
      call("aten._amp_foreach_non_finite_check_and_unscale.default", {tensors({x}), found, f32({1}, {2})});
  expect(results[0].as_list()[0].tensor()).meta("f32[1]").not_view_of(x);
  expect(results[1].tensor()).meta("f32[]").values({1});
  expect(found).values({0});
}

}  // namespace
}  // namespace ersatz
