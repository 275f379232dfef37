#include "kernels/attention/safe_softmax.h"

#include <cmath>

#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

OP_TEST(SafeSoftmax, OfARowOfMinusInfinityIsZero) {
  expect(ops::_safe_softmax(f32({2, 2}, {-INFINITY, -INFINITY, 0, -INFINITY}), 1)).values({0, 0, 1, 0});
  expect(ops::_safe_softmax(f32({2, 2}, {-INFINITY, 0, -INFINITY, 0}), 0)).values({0, 0.5, 0, 0.5});
}

}  // namespace
}  // namespace ersatz
