#include "kernels/pooling/pool_backward.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(PoolBackward, AnAveragesGradientIsSharedByItsWindow) {
  const Tensor x = f32({1, 2, 4}, {0, 0, 0, 0, 0, 0, 0, 0}), g = f32({1, 1, 2}, {4, 8});
  expect(run("aten.avg_pool2d_backward.default", {g, x, ints({2, 2}), ints({}), ints({0}), false, true, Value()}))
      .meta("f32[1,2,4]")
      .values({1, 1, 2, 2, 1, 1, 2, 2});
}
OP_TEST(PoolBackward, OverlappingWindowsAddUp) {
  const Tensor x = f32({1, 1, 3}, {0, 0, 0}), g = f32({1, 1, 2}, {2, 4});
  expect(run("aten.avg_pool2d_backward.default", {g, x, ints({1, 2}), ints({1}), ints({0}), false, true, Value()}))
      .values({1, 3, 2});
}
OP_TEST(PoolBackward, AnAdaptiveAveragesGradientIsSharedByItsReach) {
  expect(run("aten._adaptive_avg_pool2d_backward.default", {f32({1, 1, 2}, {2, 4}), f32({1, 1, 3}, {0, 0, 0})}))
      .meta("f32[1,1,3]")
      .values({1, 3, 2});
}
OP_TEST(PoolBackward, TheLargestElementGetsTheGradient) {
  const Tensor x = f32({1, 2, 2}, {1, 5, 2, 3}), g = f32({1, 1, 1}, {7}), at = i64({1, 1, 1}, {1});
  expect(run("aten.max_pool2d_with_indices_backward.default",
             {g, x, ints({2}), ints({}), ints({0}), ints({1}), false, at}))
      .values({0, 7, 0, 0});
}
OP_TEST(PoolBackward, AVolumesGradientMayHaveAnyDepthButNoOtherBatch) {
  const Tensor x = f32({1, 1, 2, 2, 2}, {0, 0, 0, 0, 0, 0, 0, 0});
  const auto backward = [&](const Tensor& g, const Tensor& at) {
    return run("aten.max_pool3d_with_indices_backward.default",
               {g, x, ints({2}), ints({}), ints({0}), ints({1}), false, at});
  };
  expect(backward(f32({1, 1, 2, 1, 1}, {7, 5}), i64({1, 1, 2, 1, 1}, {1, 2}))).values({0, 7, 5, 0, 0, 0, 0, 0});
  expect_error(
      [&] {
        backward(f32({2, 1, 1, 1, 1}), i64({2, 1, 1, 1, 1}, {0, 0}));
      },
      "max_pool3d_with_indices_backward.C1", "[1, 1, 1, 1, 1]");
}
// OPS-35
OP_TEST(PoolBackward, AnAdaptiveAveragesGradientIsChannelsLastWhereItsInputIs) {
  expect(run("aten._adaptive_avg_pool2d_backward.default", {ramp("f32[2,3,1,1]"), ramp("f32[2,3,4,4]{48,1,12,3}")}))
      .meta("f32[2,3,4,4]{48,1,12,3}");
}
OP_TEST(PoolBackward, ImagesOfAdaptivePoolsWithoutAGradientGetZeros) {
  expect(run("aten._adaptive_avg_pool2d_backward.default", {f32({1, 1, 1, 1}, {6}), ramp("f32[1,2,1,2]")}))
      .meta("f32[1,2,1,2]")
      .values({3, 3, 0, 0});
  expect(run("aten.adaptive_max_pool2d_backward.default",
             {f32({1, 1, 1, 1}, {6}), ramp("f32[2,1,1,2]"), i64({1, 1, 1, 1}, {1})}))
      .values({0, 6, 0, 0});
  expect_refused(
      [] {
        run("aten._adaptive_avg_pool2d_backward.default", {ramp("f32[1,2,1,2]{4,1,4,2}"), ramp("f32[2,2,1,2]")});
      },
      ErrorFamily::Runtime, "_adaptive_avg_pool2d_backward.C1");
}
OP_TEST(PoolBackward, VolumesOfAdaptivePoolsPassOverPlanesBehindTheirs) {
  expect(run("aten._adaptive_avg_pool3d_backward.default", {f32({3, 1, 1, 1, 1}, {6, 8, 9}), ramp("f32[1,2,1,1,2]")}))
      .meta("f32[1,2,1,1,2]")
      .values({3, 3, 4, 4});
  expect(run("aten.adaptive_max_pool3d_backward.default",
             {f32({2, 1, 1, 1, 1}, {6, 8}), ramp("f32[1,1,1,1,2]"), i64({2, 1, 1, 1, 1}, {1, 0})}))
      .values({0, 6});
  expect_refused(
      [] {
        run("aten._adaptive_avg_pool3d_backward.default", {ramp("f32[1,1,1,1,1]"), ramp("f32[1,2,1,1,2]")});
      },
      ErrorFamily::Runtime, "_adaptive_avg_pool3d_backward.C1");
}
OP_TEST(PoolBackward, OfAdaptiveAveragesOfVolumesIsWrittenToAnArgument) {
  const Tensor grad = f32({1, 1, 1, 1}, {6}), self = ramp("f32[1,1,2,3]"), out = make("f32[0]");
  expect(run("aten.adaptive_avg_pool3d_backward.grad_input", {grad, self}, {{"grad_input", out}}))
      .is(out)
      .meta("f32[1,1,2,3]")
      .values({1, 1, 1, 1, 1, 1});
}
OP_TEST(PoolBackward, OfAveragedVolumesNeedsTheImagesOfSelf) {
  const auto backward = [](const Tensor& grad) {
    return run("aten.avg_pool3d_backward.default",
               {grad, ramp("f32[2,1,1,1,2]"), ints({1, 1, 2}), ints({}), ints({0}), false, true, Value()});
  };
  expect(backward(f32({3, 1, 1, 1, 1}, {2, 4, 8}))).meta("f32[2,1,1,1,2]").values({1, 1, 2, 2});
  expect_refused([&] { backward(ramp("f32[1,1,1,1,1]")); }, ErrorFamily::Runtime, "avg_pool3d_backward.C1");
}

}  // namespace
}  // namespace ersatz
