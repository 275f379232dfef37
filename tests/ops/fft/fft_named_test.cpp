#include "kernels/fft/fft_named.h"

#include "kernels/shape/conjugate.h"
#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(FftNamed, GoesThereAndBack) {
  const Tensor x = f32({4}, {1, 2, 3, 4});
  expect(ops::fft_fft(x)).meta("c64[4]").complex_values({{10, 0}, {-2, 2}, {-2, 0}, {-2, -2}});
  expect(ops::resolve_conj(ops::fft_ifft(ops::fft_fft(x)))).complex_values({{1, 0}, {2, 0}, {3, 0}, {4, 0}}, 1e-5);
  expect(ops::fft_irfft(ops::fft_rfft(x))).meta("f32[4]").values({1, 2, 3, 4}, 1e-5);
}
OP_TEST(FftNamed, AnInverseOfRealNumbersIsAConjugateView) {
  expect(ops::fft_ifft(f32({4}, {1, 2, 3, 4}))).meta("c64[4] conj");
  expect(ops::fft_ihfft(f32({4}, {1, 2, 3, 4}))).meta("c64[3] conj");
}
OP_TEST(FftNamed, CutsAndPads) {
  expect(ops::fft_fft(f32({3}, {1, 2, 3}), SymInt(2))).meta("c64[2]").complex_values({{3, 0}, {-1, 0}});
  expect(ops::fft_fft(f32({1}, {1}), SymInt(2))).complex_values({{1, 0}, {1, 0}});
}
OP_TEST(FftNamed, PromotesIntegers) { expect(ops::fft_rfft(i64({2}, {1, 2}))).meta("c64[2]"); }
OP_TEST(FftNamed, Normalizes) {
  expect(ops::fft_fft(f32({4}, {1, 1, 1, 1}), {}, -1, "ortho")).complex_values({{2, 0}, {0, 0}, {0, 0}, {0, 0}});
  expect(ops::fft_fft(f32({2}, {1, 1}), {}, -1, "forward")).complex_values({{1, 0}, {0, 0}});
}
OP_TEST(FftNamed, ShiftsFrequencies) {
  expect(ops::fft_fftshift(f32({5}, {0, 1, 2, 3, 4}))).values({3, 4, 0, 1, 2});
  expect(ops::fft_ifftshift(f32({5}, {3, 4, 0, 1, 2}))).values({0, 1, 2, 3, 4});
}
OP_TEST(FftNamed, Refuses) {
  const Tensor x = ramp("f32[4]"), z = make("c64[4]");
  expect_refused([&] { ops::fft_fft(x, {}, -1, "none"); }, ErrorFamily::Runtime, "fft_fft.C1");
  expect_refused([&] { ops::fft_fft(x, SymInt(0)); }, ErrorFamily::Runtime, "fft_fft.C2");
  expect_refused([&] { ops::fft_rfft(z); }, ErrorFamily::Type, "fft_rfft.C3");
}

}  // namespace
}  // namespace ersatz
