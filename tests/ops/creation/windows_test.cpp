#include "kernels/creation/windows.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Windows, BartlettIsATriangle) {
  expect(ops::bartlett_window(4)).meta("f32[4]").values({0, 0.5, 1, 0.5});
  expect(ops::bartlett_window(5, false)).meta("f32[5]").values({0, 0.5, 1, 0.5, 0});
}
OP_TEST(Windows, HannAndHammingAreRaisedCosines) {
  expect(ops::hann_window(4, {.dtype = DType::F64})).meta("f64[4]").values({0, 0.5, 1, 0.5});
  expect(ops::hamming_window(5, false)).meta("f32[5]").values({0.08, 0.54, 1, 0.54, 0.08});
  expect(ops::hamming_window(4, true, 0.5, 0.25)).meta("f32[4]").values({0.25, 0.5, 0.75, 0.5});
}
OP_TEST(Windows, BlackmanHasASecondHarmonic) {
  expect(ops::blackman_window(4)).meta("f32[4]").values({0, 0.34, 1, 0.34});
}
OP_TEST(Windows, KaiserIsOneInTheMiddleAndFlatForNoBeta) {
  expect(ops::kaiser_window(3, false, 0.0)).meta("f32[3]").values({1, 1, 1});
  expect(ops::kaiser_window(4, true, 5.0)).meta("f32[4]").values({0.0367108897, 0.5528518, 1, 0.5528518}, 1e-5);
}
OP_TEST(Windows, OfOnePointAreOneAndOfNoneEmpty) {
  expect(ops::hann_window(1, false)).meta("f32[1]").values({1});
  expect(ops::kaiser_window(0)).meta("f32[0]");
}
OP_TEST(Windows, WriteOutOfTheirDtype) {
  const Tensor out = make("f64[2,2]{1,2}");
  expect(run("aten.hann_window.out", {4}, {{"out", out}})).is(out).meta("f64[4]").values({0, 0.5, 1, 0.5});
}

}  // namespace
}  // namespace ersatz
