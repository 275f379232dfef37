#include "kernels/resize/upsample_backward.h"

#include "kernels/resize/upsample.h"
#include "tests/ops/slopes.h"

namespace ersatz {
namespace {

TEST(UpsampleBackwards, AreTheSlopesOfTheInterpolation) {
  for (const bool corners : {false, true}) {
    const Tensor x = ramp("f64[1,2,3,4]"), g = ramp("f64[1,2,5,2]");
    const DimVec size = dims({5, 2});
    const auto gradient = [&](const char* op) { return run(op, {g, ints({5, 2}), ints({1, 2, 3, 4}), corners}); };
    expect_slopes(gradient("aten.upsample_bilinear2d_backward.default"), x, g,
                  [&] { return ops::upsample_linear(x, size, corners); });
    expect_slopes(gradient("aten.upsample_bicubic2d_backward.default"), x, g,
                  [&] { return ops::upsample_bicubic2d(x, size, corners); });
    expect_slopes(gradient("aten._upsample_bilinear2d_aa_backward.default"), x, g, [&] {
      return run("aten._upsample_bilinear2d_aa.default", {x, ints({5, 2}), corners});
    });
  }
}
OP_TEST(UpsampleAntialiasedBackward, CubicIsRowMajorAndLanczosFollowsGradient) {
  const Tensor g = ramp("f32[1,2,2,1]{4,1,2,2}");
  expect(run("aten._upsample_bicubic2d_aa_backward.default", {g, ints({2, 1}), ints({1, 2, 3, 2}), false}))
      .meta("f32[1,2,3,2]");
  expect(run("aten._upsample_lanczos2d_aa_backward.default", {g, ints({2, 1}), ints({1, 2, 3, 2}), false}))
      .meta("f32[1,2,3,2]{12,1,4,2}");
}

}  // namespace
}  // namespace ersatz
