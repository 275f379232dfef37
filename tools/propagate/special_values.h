// NaN and Inf among a tensor's elements.
#pragma once

#include <string>

#include "runtime/tensor/tensor.h"

namespace ersatz::tools {

struct SpecialValues {
  int64_t elements = 0;
  int64_t nan = 0, inf = 0;                ///< counts; each part of a complex number counts
  int64_t first_nan = -1, first_inf = -1;  ///< row-major index of the first; -1: none
};

/// Searches every element of a real tensor on any device. Dtypes without NaN and Inf have none.
SpecialValues special_values(const Tensor& real);

/// The position of element `number` in a tensor with these sizes: `[0, 3]`.
std::string position_text(std::span<const SymInt> sizes, int64_t number);

}  // namespace ersatz::tools
