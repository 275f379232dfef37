// Counts NaN and Inf among a tensor's elements.
#pragma once

#include <string>

#include "runtime/tensor/tensor.h"

namespace ersatz::tools {

struct SpecialValues {
  int64_t elements = 0;
  int64_t nan = 0, inf = 0;                ///< counts; both parts of a complex number count
  int64_t first_nan = -1, first_inf = -1;  ///< row-major index of the first NaN and the first Inf; -1: none
};

/// Searches all elements of a real tensor, on any device. A tensor whose dtype has no NaN and Inf is not searched.
SpecialValues special_values(const Tensor& real);

/// Returns the position of element `number` (row-major) in a tensor with these sizes: `[0, 3]`.
std::string position_text(std::span<const SymInt> sizes, int64_t number);

}  // namespace ersatz::tools
