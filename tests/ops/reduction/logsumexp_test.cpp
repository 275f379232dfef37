#include "kernels/reduction/logsumexp.h"

#include <cmath>

#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

TEST(LogsumexpOnCpu, DoesNotOverflow) {
  const Tensor t = tensor_of<double>({1000, 1000}, {2});
  EXPECT_NEAR(values_of(ops::logsumexp(t, dims({0})))[0], 1000 + std::log(2.0), 1e-9);
  expect(ops::logsumexp(tensor_of<float>({-INFINITY, -INFINITY}, {2}), dims({0}))).values({-INFINITY});
  expect(ops::logsumexp(tensor_of<float>({1, INFINITY}, {2}), dims({0}))).values({INFINITY});
}

}  // namespace
}  // namespace ersatz
