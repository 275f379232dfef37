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
// PyTorch 2.15.
OP_TEST(GluJvp, IsTheMoveOfTheResult) {
  expect(run("aten.glu_jvp.default",
             {f32({3}, {1, 2, 3}), f32({6}, {1, 2, 3, 0.5, -0.5, 1}), f32({6}, {1, -1, 2, 0.5, 1, 2}), 0}))
      .meta("f32[3]")
      .values({0.8112297058105469, 0.8673778772354126, 3.075765609741211}, 1e-6);
}
OP_TEST(GluJvp, IsOfTheSizesThatItsHalvesBroadcastTo) {
  expect(run("aten.glu_jvp.default", {ramp("f32[2,1]"), ramp("f32[2,6]"), ramp("f32[1,6]"), 1})).meta("f32[2,1]");
}

}  // namespace
}  // namespace ersatz
