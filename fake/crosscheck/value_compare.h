// Values of a real tensor against expected ones, element by element, within the dtype's tolerance.
#pragma once

#include <optional>
#include <string>

#include "runtime/tensor/tensor.h"

namespace ersatz {

/// |actual - expected| <= absolute + relative * |expected|. Integers and bools are compared exactly.
struct Tolerance {
  double relative = 0;
  double absolute = 0;
};
/// What sums in another order may differ by: f64 1e-7, f32 and complex64 1.3e-6 relative, f16 1e-3, bf16 1.6e-2.
Tolerance tolerance_of(DType t);
/// The same for values that were written down beside a call of another system (docs/call-records.md).
Tolerance record_tolerance_of(DType t);
/// The same for the end of a program, where the differences of many ops have added up.
Tolerance program_tolerance_of(DType t);

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
