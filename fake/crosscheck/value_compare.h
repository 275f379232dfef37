// Compares the values of a real tensor with expected values, element by element, within a tolerance.
#pragma once

#include <optional>
#include <string>

#include "fake/crosscheck/tolerance.h"
#include "runtime/tensor/tensor.h"

namespace ersatz {

struct ValueDifference {
  int64_t differing = 0;  ///< elements outside the tolerance
  int64_t elements = 0;
  double largest = 0;          ///< the largest absolute difference of these elements; infinite if one of the two values
                               ///< is not finite
  std::vector<int64_t> index;  ///< index of the first differing element
  std::string actual, expected;
};

/// Returns a tensor with the values of `t` and without lazy bits (conj, neg), so that its bytes are its values.
Tensor plain(const Tensor& t);

/// Returns the difference, or nullopt if all elements agree after lazy bits are resolved. NaN equals NaN, and an
/// infinity equals itself. REQUIRES: tensors on the CPU with equal dtype and sizes; any strides.
std::optional<ValueDifference> compare_values(const Tensor& actual, const Tensor& expected, Tolerance tolerance);

/// Returns the largest difference of an element from `reference`, divided by the difference that `tolerance` allows. It
/// is infinite if a value that differs is not finite. REQUIRES: tensors on the CPU with equal sizes; any dtypes.
double largest_error(const Tensor& t, const Tensor& reference, Tolerance tolerance);

/// Returns `3 of 8 elements differ by up to 0.5, the first at [0, 2]: -0.1`.
std::string to_string(const ValueDifference& d);

}  // namespace ersatz
