#include "kernels/fft/stft.h"

#include "kernels/pointwise/pointwise.h"
#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Stft, FramesAreTransformed) {
  // Frames [1, 2], [2, 3], [3, 4] with two frequencies: their sum and their difference.
  expect(run("aten.stft.default", {f32({4}, {1, 2, 3, 4}), 2, 1, Value(), Value(), false, Value(), false}))
      .meta("f32[2,3,2]{2,4,1}")
      .values({3, 0, 5, 0, 7, 0, -1, 0, -1, 0, -1, 0});
}
OP_TEST(Stft, ResultsOfABatchAreTransposed) {
  expect(run("aten.stft.default", {ramp("f32[2,20]"), 8, 3, 4, Value(), false, Value(), true}))
      .meta("c64[2,5,5]{25,1,5}");
}
OP_TEST(Stft, AWindowHasZerosAroundIt) {
  // The frame [1, 2, 3, 4] becomes [0, 20, 30, 0]; with frames that begin where windows do it is [0, 10, 20, 0].
  const Tensor window = f32({2}, {10, 10});
  const Tensor x = f32({4}, {1, 2, 3, 4});
  expect(run("aten.stft.default", {x, 4, 4, 2, window, false, Value(), false}))
      .meta("f32[3,1,2]{2,6,1}")
      .values({50, 0, -30, -20, 10, 0});
  expect(run("aten.stft.default", {x, 4, 4, 2, window, false, Value(), false, true}))
      .meta("f32[3,1,2]{2,6,1}")
      .values({30, 0, -20, -10, 10, 0});
}
OP_TEST(Stft, ACenteredSignalIsReflectedAtItsEnds) {
  expect(run("aten.stft.center", {f32({3}, {1, 2, 3}), 2, 2, Value(), Value(), true, "reflect", false, Value(), false}))
      .values({3, 0, 5, 0, 1, 0, -1, 0});
}
OP_TEST(Istft, GivesTheSignalBack) {
  const Tensor spectra = run("aten.stft.center", {ops::add(ramp("f32[1,16]"), Scalar(1)), 8, 2, Value(), Value(), true,
                                                  "reflect", false, Value(), true});
  expect(run("aten.istft.default", {spectra, 8, 2}))
      .meta("f32[1,16]")
      .values({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}, 1e-4);
}

}  // namespace
}  // namespace ersatz
