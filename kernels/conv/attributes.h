// `Attributes`: stride, padding and the other attributes of a convolution. Composite operators pass them to
// `convolution`.
#pragma once

#include "kernels/conv/convolution.h"

namespace ersatz::op_convolution {

/// Each list has one number for each spatial dim, or one number for all spatial dims.
struct Attributes {
  DimVec stride, padding, dilation, output_padding;
  bool transposed = false;
  SymInt groups = 1;
};

/// Calls the operator `convolution`; `bias` may be undefined.
inline Tensor convolve(const Tensor& input, const Tensor& weight, const Tensor& bias, const Attributes& a) {
  return ops::convolution(input, weight, bias, a.stride, a.padding, a.dilation, a.transposed, a.output_padding,
                          a.groups);
}

}  // namespace ersatz::op_convolution
