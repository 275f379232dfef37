#include "kernels/fft/fft_freq.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(FftFreq, GoesFromZeroToTheMiddleAndFromThereUpFromTheMostNegative) {
  expect(ops::fft_fftfreq(5, 0.25)).meta("f32[5]").values({0, 0.8f, 1.6f, -1.6f, -0.8f});
  expect(ops::fft_fftfreq(4, 0.25)).values({0, 1, -2, -1});
}
OP_TEST(FftRfftFreq, EndsAtTheMiddle) {
  expect(ops::fft_rfftfreq(5, 0.25)).meta("f32[3]").values({0, 0.8f, 1.6f});
  expect(ops::fft_rfftfreq(4, 0.25)).values({0, 1, 2});
}
OP_TEST(FftRfftFreq, HasOneElementOfNoSamplesAndNoneOfLess) {
  expect(ops::fft_rfftfreq(-1)).meta("f32[1]");
  expect(ops::fft_rfftfreq(-3)).meta("f32[0]");
}

}  // namespace
}  // namespace ersatz
