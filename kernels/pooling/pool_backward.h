// Gradients of pools: each element of the incoming gradient is added to input elements of its window.
//
// The result has the sizes and the dtype of `self`, the pool's input. The rule of the forward operator checks the
// pool's arguments, and raises its own errors. In the constraints, `op` is the op's name:
//
// [op.C1]  `grad_output` has the sizes of the pool's result, except where PyTorch does not check them:
//          avg_pool3d_backward accepts more images. Adaptive pools on the CPU accept other sizes before the pooled
//          dims. For volumes there may be more planes, which are ignored. For row-major images there may be fewer
//          planes, and the gradients of the missing planes are zeros.
//          max_pool3d_with_indices_backward does not check depth, height and width.
// [op.C2]  `indices` is i64 and has the sizes of `grad_output`.
// [op.C3]  `grad_output` has the dtype of `self`.
// [op.C4]  `grad_output` has dims. For adaptive pools, only its first dim may be empty.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/pooling/pool_backward.h"

namespace ersatz::op_pool_backward {

/// Adds each element of grad_output, divided by the divisor of the average, to all elements of its window.
inline constexpr TypedSchema kAverage2d{
    "aten::avg_pool2d_backward(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] stride, int[2] padding, "
    "bool ceil_mode, bool count_include_pad, int? divisor_override) -> Tensor"};
inline constexpr TypedSchema kAverage3d{
    "aten::avg_pool3d_backward(Tensor grad_output, Tensor self, int[3] kernel_size, int[3] stride, int[3] padding, "
    "bool ceil_mode, bool count_include_pad, int? divisor_override) -> Tensor"};
inline constexpr TypedSchema kAdaptiveAverage2d{
    "aten::_adaptive_avg_pool2d_backward(Tensor grad_output, Tensor self) -> Tensor"};
inline constexpr TypedSchema kAdaptiveAverage3d{
    "aten::_adaptive_avg_pool3d_backward(Tensor grad_output, Tensor self) -> Tensor"};
/// The `out=` overload of _adaptive_avg_pool3d_backward has this name in ATen, without the leading underscore.
inline constexpr Schema kAdaptiveAverage3dOut{
    "aten::adaptive_avg_pool3d_backward.grad_input(Tensor grad_output, Tensor self, *, Tensor(a!) grad_input) -> "
    "Tensor(a!)"};
/// Adds each element of grad_output at the index of its window's maximum. `indices` is the second result of the pool.
inline constexpr TypedSchema kMax2d{
    "aten::max_pool2d_with_indices_backward(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] stride, int[2] "
    "padding, int[2] dilation, bool ceil_mode, Tensor indices) -> Tensor"};
inline constexpr TypedSchema kMax3d{
    "aten::max_pool3d_with_indices_backward(Tensor grad_output, Tensor self, int[3] kernel_size, int[3] stride, int[3] "
    "padding, int[3] dilation, bool ceil_mode, Tensor indices) -> Tensor"};
inline constexpr TypedSchema kAdaptiveMax2d{
    "aten::adaptive_max_pool2d_backward(Tensor grad_output, Tensor self, Tensor indices) -> Tensor"};
inline constexpr TypedSchema kAdaptiveMax3d{
    "aten::adaptive_max_pool3d_backward(Tensor grad_output, Tensor self, Tensor indices) -> Tensor"};

inline constexpr Schemas kEach{kAverage2d, kAverage3d, kAdaptiveAverage2d, kAdaptiveAverage3d,
                               kMax2d,     kMax3d,     kAdaptiveMax2d,     kAdaptiveMax3d};
inline constexpr Schemas kAverages{kAverage2d, kAverage3d};

}  // namespace ersatz::op_pool_backward
