#include "kernels/linalg/linear_combination.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(ComputeLinearCombinationOut, OfNothingIsNothing) {
  const Tensor out = make("f32[0]");
  expect(run("aten._compute_linear_combination.out", {make("f32[0]"), make("f32[0,2]")}, {{"out", out}})).is(out);
}
}  // namespace
}  // namespace ersatz
