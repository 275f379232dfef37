// Derivatives: the rows of derivatives.def, and the functions that the rows' formulas call.
#pragma once

#include "runtime/op/registry.h"

namespace ersatz {

/// Sets `OpEntry::derivative` from `kernels/*/derivatives.def`, and gives autograd the operators that its engine calls.
/// REQUIRES: all operators are registered.
void add_derivatives(Registry& registry);

namespace derivatives {
/// Returns the gradient of a tensor with metadata `base`, given the gradient of its as_strided view with `sizes`,
/// `strides` and `offset`. An element that is several times in the view gets the sum of their gradients. If elements of
/// `base` share memory, the sum is divided among them.
Tensor as_strided_gradient(const Tensor& gradient, const TensorMeta& base, std::span<const SymInt> sizes,
                           std::span<const SymInt> strides, SymInt offset);
/// Register the functions that formulas may call, one `add_` function for each family of operators.
void add_functions();
void add_conv_functions();
void add_distance_functions();
void add_fft_functions();
void add_indexing_functions();
void add_linalg_functions();
void add_loss_functions();
void add_norm_functions();
void add_pointwise_functions();
void add_pooling_functions();
void add_reduction_functions();
void add_reflector_functions();
void add_resize_functions();
void add_scan_functions();
void add_shape_functions();
void add_spectral_functions();
void add_vector_norm_functions();
}  // namespace derivatives

}  // namespace ersatz
