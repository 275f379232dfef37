#include "kernels/reduction/vector_norm.h"

#include <cmath>
#include <complex>

#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

TEST(VectorNorm, KnowsEveryOrder) {
  const Tensor t = tensor_of<double>({3, 0, -4}, {3});
  expect(ops::linalg_vector_norm(t, 2)).meta("f64[]{}+0@cpu").values({5});
  expect(ops::linalg_vector_norm(t, 1)).values({7});
  expect(ops::linalg_vector_norm(t, 0)).values({2});
  expect(ops::linalg_vector_norm(t, INFINITY)).values({4});
  expect(ops::linalg_vector_norm(t, -INFINITY)).values({0});
  EXPECT_NEAR(values_of(ops::linalg_vector_norm(t, 3))[0], std::cbrt(27.0 + 64.0), 1e-12);
}

}  // namespace
}  // namespace ersatz
