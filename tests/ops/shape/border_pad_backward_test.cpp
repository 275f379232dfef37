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
OP_TEST(BorderPadBackward, PassesOverImagesBehindTheInputs) {
  const Tensor grad = f32({2, 1, 3}, {1, 2, 4, 8, 8, 8}), in = f32({1, 1, 1}, {0});
  expect(call_op<"aten.replication_pad1d_backward.default">(grad, in, dims({1, 1}))).meta("f32[1,1,1]").values({7});
  expect_refused(
      [] {
        call_op<"aten.replication_pad1d_backward.default">(ramp("f32[1,1,3]"), ramp("f32[2,1,1]"), dims({1, 1}));
      },
      ErrorFamily::Runtime, "replication_pad1d_backward.C5");
}
OP_TEST(BorderPadBackward, MayHaveNoChannelsButOfReplicatedImages) {
  expect(call_op<"aten.replication_pad1d_backward.default">(ramp("f32[0,6]"), ramp("f32[0,3]"), dims({1, 2})))
      .meta("f32[0,3]");
  expect(
      call_op<"aten.reflection_pad2d_backward.default">(ramp("f32[2,0,4,5]"), ramp("f32[2,0,2,3]"), dims({1, 1, 1, 1})))
      .meta("f32[2,0,2,3]");
  expect_refused(
      [] {
        call_op<"aten.replication_pad2d_backward.default">(ramp("f32[2,0,4,5]"), ramp("f32[2,0,2,3]"),
                                                           dims({1, 1, 1, 1}));
      },
      ErrorFamily::Runtime, "replication_pad2d_backward.C2");
}

}  // namespace
}  // namespace ersatz
