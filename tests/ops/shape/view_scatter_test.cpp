#include "kernels/shape/view_scatter.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(ViewScatter, OutMayBeSelf) {
  Tensor x = ramp("f32[3]");
  Tensor src = make("f32[2]", {7, 8});
  expect(run("aten.slice_scatter.out", {x, src, 0, 0, 2, 1}, {{"out", x}})).is(x).values({7, 8, 2});
}
}  // namespace
}  // namespace ersatz
