#include "kernels/resize/affine_grid.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

Tensor identity() { return f32({1, 2, 3}, {1, 0, 0, 0, 1, 0}); }

OP_TEST(AffineGridGenerator, TheIdentityGivesEachElementItsOwnPlace) {
  expect(ops::affine_grid_generator(identity(), dims({1, 1, 1, 2}), true)).meta("f32[1,1,2,2]").values({-1, 0, 1, 0});
  expect(ops::affine_grid_generator(identity(), dims({1, 1, 2, 2}), false))
      .values({-0.5, -0.5, 0.5, -0.5, -0.5, 0.5, 0.5, 0.5});
}
OP_TEST(AffineGridGenerator, MapsPlacesInVolumes) {
  const Tensor theta = f32({1, 3, 4}, {0, 0, 1, 0, 0, 1, 0, 0, 2, 0, 0, 3});
  expect(ops::affine_grid_generator(theta, dims({1, 1, 2, 1, 2}), true))
      .meta("f32[1,2,1,2,3]")
      .values({-1, 0, 1, -1, 0, 5, 1, 0, 1, 1, 0, 5});
}
OP_TEST(AffineGridGeneratorBackward, IsTheTransposeOfAProduct) {
  expect(ops::affine_grid_generator_backward(f32({1, 1, 2, 2}, {1, 2, 3, 4}), dims({1, 1, 1, 2}), true))
      .meta("f32[1,2,3]{6,1,2}")
      .values({2, 0, 4, 2, 0, 6});
}

}  // namespace
}  // namespace ersatz
