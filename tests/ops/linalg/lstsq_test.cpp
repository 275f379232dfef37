#include "kernels/linalg/lstsq.h"

#include "kernels/linalg/matmul.h"
#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

auto fit(const Tensor& a, const Tensor& b, const char* driver) { return ops::linalg_lstsq(a, b, std::nullopt, driver); }

// With an infinity in the matrix, LAPACK's routines would not return, so the kernel does not call them.
TEST(LinalgLstsq, OfAnInfinityKnowsNoSingularValue) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
  const Tensor a = f64({3, 3}, {inf, 1, 4, 2, 2, 4, 1, 0, 1}), b = f64({3}, {1, 2, 3});
  const auto found = fit(a, b, "gelss");
  expect(found.singular_values).values({nan, nan, nan});
  expect(found.rank).values({0});
  EXPECT_THROW(fit(a, b, "gelsd"), Error);
  const Tensor unknown = f64({1, 1}, {nan});
  for (const char* driver : {"gelss", "gelsd"}) EXPECT_THROW(fit(unknown, f64({1}, {1}), driver), Error);
}

// If b broadcasts the matrix, PyTorch computes rank and singular values once, and stores them in memory of that size.
TEST(LinalgLstsq, ResultsOfABroadcastMatrixHaveExactMemory) {
  const Tensor a = f64({1, 2, 1}, {1, 2}), b = f64({2, 2, 1}, {1, 2, 3, 4});
  const auto found = fit(a, b, "gelsd");
  expect(found.rank).values({1});
  EXPECT_EQ(found.rank.storage()->nbytes().as_int(), 8);
  EXPECT_EQ(found.singular_values.storage()->nbytes().as_int(), 8);
}
}  // namespace
}  // namespace ersatz
