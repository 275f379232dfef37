// Derivatives: the rows of each family, and the functions that rows name where text cannot say it.
#pragma once

#include "runtime/op/registry.h"

namespace ersatz {

/// Gives the entries their rows (`kernels/*/derivatives.def`) and the engine its operators. REQUIRES: all operators are
/// registered.
void add_derivatives(Registry& registry);

namespace derivatives {
/// The gradient of a tensor of metadata `base` of which elements were viewed by these sizes, strides and offset.
/// Elements that are shown several times get the sum. `base` may itself have elements that share memory: each gets its
/// part.
Tensor as_strided_gradient(const Tensor& gradient, const TensorMeta& base, std::span<const SymInt> sizes,
                           std::span<const SymInt> strides, SymInt offset);
/// Makes the functions of this room known to formulas, family by family.
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
