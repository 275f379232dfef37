#include "kernels/resize/grid_sampler.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

/// A row of the image 1, 3 read at x, in the middle of its height.
Tensor at(double x, int64_t mode, int64_t padding, bool align) {
  return ops::grid_sampler_2d(f32({1, 1, 1, 2}, {1, 3}), f32({1, 1, 1, 2}, {x, 0}), mode, padding, align);
}

OP_TEST(GridSampler2d, InterpolatesBetweenMiddles) {
  expect(at(0, 0, 0, true)).meta("f32[1,1,1,1]").values({2});
  expect(at(-0.5, 0, 0, true)).values({1.5});
  expect(at(-0.5, 0, 0, false)).values({1});
}
OP_TEST(GridSampler2d, ReadsZerosTheBorderOrTheMirrorOutside) {
  expect(at(3, 0, 0, true)).values({0});
  expect(at(3, 0, 1, true)).values({3});
  expect(at(3, 0, 2, true)).values({1});
}
OP_TEST(GridSampler2d, TakesTheNearest) { expect(at(0.3, 1, 0, true)).values({3}); }
OP_TEST(GridSampler2d, IsRowMajor) {
  expect(ops::grid_sampler_2d(ramp("f32[2,3,4,5]{60,1,15,3}"), f32({2, 6, 7, 2}), 2, 0, false)).meta("f32[2,3,6,7]");
}
OP_TEST(GridSampler3d, InterpolatesThroughSlices) {
  // Two slices of one element, 1 and 3.
  const Tensor volume = f32({1, 1, 2, 1, 1}, {1, 3});
  expect(ops::grid_sampler_3d(volume, f32({1, 1, 1, 1, 3}, {0, 0, 0}), 0, 0, true)).meta("f32[1,1,1,1,1]").values({2});
  expect(ops::grid_sampler_3d(volume, f32({1, 1, 1, 1, 3}, {0, 0, 1}), 1, 0, true)).values({3});
}
OP_TEST(GridSampler, TakesImagesAndVolumes) {
  expect(run("aten.grid_sampler.default", {ramp("f32[1,1,2,2,2]"), ramp("f32[1,1,1,1,3]"), 0, 0, false}))
      .meta("f32[1,1,1,1,1]");
}

}  // namespace
}  // namespace ersatz
