#include "kernels/pooling/fractional_pool.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(FractionalPool, WindowsBeginWhereTheRandomNumbersSay) {
  // a = (5 - 2) / (3 - 1): windows of 2 begin at 0, trunc(1.75 a) - trunc(0.75 a) = 1 and 3.
  const Tensor row = f32({1, 1, 5}, {1, 5, 2, 3, 4});
  const auto [values, indices] =
      ops::fractional_max_pool2d(row, dims({1, 2}), dims({1, 3}), f32({1, 1, 2}, {0.75, 0.5}));
  expect(values).meta("f32[1,1,3]").values({5, 5, 4});
  expect(indices).meta("i64[1,1,3]").values({1, 1, 4});
}
OP_TEST(FractionalPool, EachPlaneHasItsOwnNumbers) {
  const Tensor planes = f32({2, 1, 6}, {1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6});
  // a = (6 - 1) / (3 - 1): the second window begins at 2 for u = 0 and at 3 for u = 0.9.
  const Tensor u = f32({1, 2, 2}, {0, 0, 0.75, 0});
  expect(std::get<0>(ops::fractional_max_pool2d(planes, dims({1, 1}), dims({1, 3}), u))).values({1, 3, 6, 1, 4, 6});
}
OP_TEST(FractionalPool, OfVolumesDepthComesFirst) {
  // Windows of depth 1 begin at 0, trunc(1.75 * 3) - trunc(0.75 * 3) = 3 and 6; rows and columns at the end of theirs.
  const Tensor u = f32({1, 1, 3}, {0.75, 0, 0});
  expect(std::get<0>(ops::fractional_max_pool3d(ramp("f32[1,7,2,2]"), dims({1, 1, 1}), dims({3, 1, 1}), u)))
      .meta("f32[1,3,1,1]")
      .values({3, 15, 27});
}
OP_TEST(FractionalPool, TheLargestElementGetsTheGradient) {
  const Tensor grad = f32({1, 1, 3}, {1, 2, 4}), row = f32({1, 1, 5}, {1, 5, 2, 3, 4});
  expect(ops::fractional_max_pool2d_backward(grad, row, dims({1, 2}), dims({1, 3}), i64({1, 1, 3}, {1, 1, 4})))
      .meta("f32[1,1,5]")
      .values({0, 3, 0, 0, 4});
}

}  // namespace
}  // namespace ersatz
