#include "kernels/reduction/logcumsumexp.h"

#include <cmath>

#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

OP_TEST(Logcumsumexp, AddsExponentials) {
  const double log2 = 0.6931471805599453;
  expect(ops::logcumsumexp(f32({3}, {0, 0, -INFINITY}), 0)).meta("f32[3]").values({0, log2, log2}, 1e-6);
  expect(ops::logcumsumexp(f32({3}, {-INFINITY, 1000, NAN}), 0)).values({-INFINITY, 1000, NAN});
}

OP_TEST(Logcumsumexp, AddsExponentialsOfComplexNumbers) {
  const Tensor t = make_complex("c128[3]", {0, {0, 1.5707963267948966}, 0});  // exponentials 1, i, 1: sums 1, 1+i, 2+i
  expect(ops::logcumsumexp(t, 0))
      .meta("c128[3]")
      .complex_values({0, {0.34657359028, 0.785398163397}, {0.804718956217, 0.463647609001}}, 1e-11);
}

}  // namespace
}  // namespace ersatz
