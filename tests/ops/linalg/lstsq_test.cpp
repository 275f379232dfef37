#include "kernels/linalg/lstsq.h"

#include "kernels/linalg/matmul.h"
#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

auto fit(const Tensor& a, const Tensor& b, const char* driver) { return ops::linalg_lstsq(a, b, std::nullopt, driver); }

// LAPACK's routines would not return.
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
}  // namespace
}  // namespace ersatz
