#include "kernels/pointwise/glu.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Glu, IsOneHalfTimesTheSigmoidOfTheOther) {
  expect(ops::glu(f32({1, 4}, {1, 2, 0, 1.0986122886681098}))).meta("f32[1,2]").values({0.5, 1.5});
}
OP_TEST(Glu, LiesAsItsInput) { expect(ops::glu(ramp("f32[3,4]{1,3}"))).meta("f32[3,2]{1,3}"); }
OP_TEST(GluBackward, IsTheSlope) {
  const Tensor x = f64({4, 2}, {0.5, -1, 2, 0, 1, 0.25, -2, 3}), g = f64({2, 2}, {1, 2, -1, 0.5});
  expect(ops::glu_backward(g, x, 0))
      .meta("f64[4,2]")
      .values({0.7310585786300049, 1.1243530017715961, -0.11920292202211755, 0.4762870634112167, 0.09830596662074093,
               -0.4922681654751967, -0.209987170807013, 0});
}

}  // namespace
}  // namespace ersatz
