#include "kernels/pointwise/fake_quantize.h"

#include <cmath>

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(FakeQuantize, RoundsToMultiplesOfTheScaleWithinLimits) {
  const Tensor x = f32({7}, {0, 0.26, -3, 100, NAN, INFINITY, -INFINITY});
  expect(run("aten.fake_quantize_per_tensor_affine.default", {x, 0.1, 3, -10, 20}))
      .meta("f32[7]")
      .values({0, 0.3, -1.3, 1.7, -1.3, 1.7, -1.3}, 1e-6);
}
OP_TEST(FakeQuantize, TakesTensors) {
  const Tensor x = make("f16[2]", {0.25, 0.375}), scale = f32({}, {0.1}), zero = i64({1}, {3});
  expect(run("aten.fake_quantize_per_tensor_affine.tensor_qparams", {x, scale, zero, -10, 20}))
      .meta("f16[2]")
      .values({0.2, 0.4});
}

}  // namespace
}  // namespace ersatz
