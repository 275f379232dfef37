// Compares gradients with central differences.
#pragma once

#include <cmath>
#include <functional>

#include "kernels/pointwise/pointwise.h"
#include "kernels/reduction/sum.h"
#include "tests/ops/op_calls.h"
#include "tests/ops/op_values.h"

namespace ersatz {

/// Expects that `gradient` is the slope of sum(grad * f()) along each element of `at`, an f64 tensor that f reads.
inline void expect_slopes(const Tensor& gradient, const Tensor& at, const Tensor& grad,
                          const std::function<Tensor()>& f) {
  const std::vector<double> got = values_of(gradient);
  double* x = at.data<double>();
  const auto loss = [&] { return values_of(ops::sum(ops::mul(grad, f())))[0]; };
  ASSERT_EQ(got.size(), static_cast<size_t>(at.numel().as_int()));
  for (size_t i = 0; i < got.size(); ++i) {
    const double here = x[i];
    x[i] = here + 1e-5;
    const double above = loss();
    x[i] = here - 1e-5;
    const double below = loss();
    x[i] = here;
    EXPECT_NEAR(got[i], (above - below) / 2e-5, 1e-5 * (1 + std::abs(got[i]))) << i;
  }
}
}  // namespace ersatz
