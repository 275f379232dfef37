// Values of a real tensor against expected ones, element by element, within a tolerance.
#pragma once

#include <optional>
#include <string>

#include "fake/crosscheck/tolerance.h"
#include "runtime/tensor/tensor.h"

namespace ersatz {

struct ValueDifference {
  int64_t differing = 0;  ///< elements outside the tolerance
  int64_t elements = 0;
  double largest = 0;          ///< largest absolute difference among them (infinite where one side is not finite)
  std::vector<int64_t> index;  ///< of the first one
  std::string actual, expected;
};

/// With its lazy bits (conj, neg) worked out, so that bytes are values.
Tensor plain(const Tensor& t);

/// Empty if all elements agree, lazy bits worked out; NaN equals NaN, infinities equal themselves. Tensors on the CPU,
/// any strides, the same dtype and sizes (REQUIRES).
std::optional<ValueDifference> compare_values(const Tensor& actual, const Tensor& expected, Tolerance tolerance);

/// The largest distance of an element from the reference's, as a multiple of what the tolerance allows there: infinite
/// where one is not finite and they differ. Tensors on the CPU of the same sizes (REQUIRES), any dtypes.
double largest_error(const Tensor& t, const Tensor& reference, Tolerance tolerance);

/// `3 of 8 elements differ by up to 0.5, the first at [0, 2]: -0.1`.
std::string to_string(const ValueDifference& d);

}  // namespace ersatz
