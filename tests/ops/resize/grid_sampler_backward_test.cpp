#include "kernels/resize/grid_sampler_backward.h"

#include "kernels/resize/grid_sampler.h"
#include "tests/ops/slopes.h"

namespace ersatz {
namespace {

TEST(GridSamplerBackwards, AreTheSlopesOfTheSampling) {
  const Tensor x = ramp("f64[2,2,3,4]"), g = ramp("f64[2,2,2,3]"), grid = ramp("f64[2,2,3,2]");
  double* places = grid.data<double>();
  for (int i = 0; i < 24; ++i)
    places[i] = std::sin(1.7 * i + 0.3) * 1.6;  // positions between elements, some of them outside
  for (const int64_t mode : {0, 1, 2}) {
    for (const int64_t padding : {0, 1, 2}) {
      for (const bool align : {false, true}) {
        SCOPED_TRACE(fmt::format("mode {}, padding {}, align {}", mode, padding, align));
        const auto sampled = [&] { return ops::grid_sampler_2d(x, grid, mode, padding, align); };
        const auto [of_x, of_grid] = ops::grid_sampler_2d_backward(g, x, grid, mode, padding, align, {true, true});
        expect_slopes(of_x, x, g, sampled);
        expect_slopes(of_grid, grid, g, sampled);
      }
    }
  }
}
TEST(GridSamplerBackwards, AreTheSlopesOfTheSamplingOfVolumes) {
  const Tensor x = ramp("f64[1,2,3,2,4]"), g = ramp("f64[1,2,1,2,2]"), grid = ramp("f64[1,1,2,2,3]");
  double* places = grid.data<double>();
  for (int i = 0; i < 12; ++i) places[i] = std::sin(1.3 * i + 0.4) * 1.4;
  const auto sampled = [&] { return ops::grid_sampler_3d(x, grid, 0, 2, false); };
  const auto [of_x, of_grid] = ops::grid_sampler_3d_backward(g, x, grid, 0, 2, false, {true, true});
  expect_slopes(of_x, x, g, sampled);
  expect_slopes(of_grid, grid, g, sampled);
}
OP_TEST(GridSampler2dBackward, LeavesOutInputWhereItIsNotAsked) {
  const auto [image, grid] = ops::grid_sampler_2d_backward(ramp("f32[1,1,2,2]"), ramp("f32[1,1,3,3]{9,1,1,3}"),
                                                           ramp("f32[1,2,2,2]"), 0, 0, false, {false, true});
  EXPECT_FALSE(image);
  expect(grid).meta("f32[1,2,2,2]");
}

}  // namespace
}  // namespace ersatz
