// NaN and Inf among a tensor's elements.
#pragma once

#include <string>

#include "runtime/tensor/tensor.h"

namespace ersatz::tools {

struct SpecialValues {
  int64_t elements = 0;
  int64_t nan = 0, inf = 0;                ///< how many; of complex numbers: a part is one
  int64_t first_nan = -1, first_inf = -1;  ///< row-major numbers of the first ones
};

/// Looks at every element of a real tensor, on any device; dtypes without NaN and Inf have none.
SpecialValues special_values(const Tensor& real);

/// `[0, 3]`: the position of element `number` of a tensor of these sizes.
std::string position_text(std::span<const SymInt> sizes, int64_t number);

}  // namespace ersatz::tools
