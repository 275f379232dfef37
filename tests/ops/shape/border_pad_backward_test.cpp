#include "kernels/shape/border_pad_backward.h"

#include "runtime/op/dispatch.h"
#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

TEST(BorderPadBackwardOnCpu, AddsUpWhatStoodThereTwice) {
  const Tensor grad = tensor_of<float>({1, 2, 4, 8, 16}, {1, 5}), in = tensor_of<float>({0, 0, 0}, {1, 3});
  expect(call_op<"aten.reflection_pad1d_backward.default">(grad, in, dims({1, 1})))
      .meta("f32[1,3]{3,1}+0@cpu")
      .values({2, 21, 8});
  expect(call_op<"aten.replication_pad1d_backward.default">(grad, in, dims({1, 1}))).values({3, 4, 24});
}

}  // namespace
}  // namespace ersatz
