#include "kernels/reduction/cumprod_backward.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

// PyTorch 2.15, for rows without a zero, with one and with two.
OP_TEST(CumprodBackward, IsTheSumOfTheSlopesOfAllProductsThatAnElementIsIn) {
  const Tensor x = f32({3, 3}, {2, 3, 4, 1, 0, 5, 0, 0, 2}), g = f32({3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  expect(ops::cumprod_backward(g, x, 1, f32({3, 3}, {2, 6, 24, 1, 0, 0, 0, 0, 0})))
      .meta("f32[3,3]")
      .values({43, 28, 18, 4, 35, 0, 7, 0, 0});
  expect(ops::cumprod_backward(g, x, 0, f32({3, 3}, {2, 3, 4, 2, 0, 20, 0, 0, 40})))
      .values({5, 2, 123, 8, 15, 96, 14, 0, 180});
}
OP_TEST(CumprodBackward, IsRowMajor) {
  expect(ops::cumprod_backward(ramp("f32[2,3]{1,2}"), ramp("f32[2,3]{1,2}"), 1, ramp("f32[2,3]{1,2}")))
      .meta("f32[2,3]");
}

}  // namespace
}  // namespace ersatz
