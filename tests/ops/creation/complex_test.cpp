#include "kernels/creation/complex.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Complex, Refuses) {
  const Tensor a = f32({2}, {1, 2}), b = f64({2}, {1, 2}), c = i64({2}, {1, 2});
  expect_refused([&] { ops::complex(a, b); }, ErrorFamily::Runtime, "complex.C2");
  expect_refused([&] { ops::complex(a, f32({3}, {1, 2, 3})); }, ErrorFamily::Runtime, "complex.C1");
  EXPECT_THROW(ops::polar(c, c), Error);
}
}  // namespace
}  // namespace ersatz
