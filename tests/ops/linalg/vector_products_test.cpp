#include "kernels/linalg/vector_products.h"
#include "kernels/shape/conjugate.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Vdot, OfALazyConjugateIsOne) {
  const Tensor x = make("c64[2]", {1, 2}), y = make("c64[2]", {3, 4});
  EXPECT_TRUE(ops::vdot(x, ops::conj(y)).meta().conj);
  EXPECT_FALSE(ops::vdot(ops::conj(x), ops::conj(y)).meta().conj);
  EXPECT_TRUE(ops::dot(ops::conj(x), ops::conj(y)).meta().conj);
  expect(ops::dot(ops::conj(x), ops::conj(y))).values({11});
}
}  // namespace
}  // namespace ersatz
