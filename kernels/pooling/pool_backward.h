// Gradients of pools: each element of the incoming gradient goes to the input elements of its window.
//
// The result has the sizes and the dtype of `self`, the pool's input. The pool's own rule checks the pool's arguments,
// with its messages and labels. In the constraints, `op` is the op's name:
//
// [op.C1]  `grad_output` has the sizes of the pool's result, with PyTorch's exceptions. For avg_pool3d_backward it may
//          have more images. For adaptive pools on the CPU, sizes before the pooled dims may differ. Volumes may have
//          more planes, which are ignored. Row-major images may have fewer, and the gradients of the others are zeros.
//          max_pool3d_with_indices_backward does not check depth, height and width.
// [op.C2]  `indices` is i64 and has the sizes of `grad_output`.
// [op.C3]  `grad_output` has the dtype of `self`.
// [op.C4]  `grad_output` has dims; for adaptive pools, no dim but the first is empty.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/pooling/pool_backward.h"

namespace ersatz::op_pool_backward {

/// Adds each element to its whole window, divided by the divisor of the average.
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
/// The `out=` form of _adaptive_avg_pool3d_backward, which has another name.
inline constexpr Schema kAdaptiveAverage3dOut{
    "aten::adaptive_avg_pool3d_backward.grad_input(Tensor grad_output, Tensor self, *, Tensor(a!) grad_input) -> "
    "Tensor(a!)"};
/// Adds each element at the index of the window's maximum; `indices` is the second result of the pool.
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
