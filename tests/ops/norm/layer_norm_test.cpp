#include "kernels/norm/layer_norm.h"

#include "kernels/shape/as_strided.h"
#include "tests/ops/norm/norm_operands.h"
#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

using norm_operands::vec;

OP_TEST(LayerNormOut, IsWrittenWhenTheInputHasBeenRead) {
  Tensor base = f32({3}, {1, 3, 9}), mean = f32({0}), rstd = f32({0});
  const Tensor x = ops::as_strided(base, dims({1, 2}), dims({2, 1}), 0);
  Tensor shifted = ops::as_strided(base, dims({1, 2}), dims({2, 1}), 1),
         resized = ops::as_strided(base, dims({0}), dims({1}), 1);
  call_op_all<"aten.native_layer_norm.out">(x, dims({2}), Tensor(), Tensor(), 0.0, shifted, mean, rstd);
  expect(base).values({1, -1, 1});
  call_op_all<"aten.native_layer_norm.out">(x, dims({2}), Tensor(), Tensor(), 0.0, resized, mean, rstd);
  expect(resized).meta("f32[1,2]{2,1}+1");
  expect(base).values({1, 1, -1});
}

}  // namespace
}  // namespace ersatz
