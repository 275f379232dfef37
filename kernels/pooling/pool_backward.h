// Gradients of pools: each element of the incoming gradient goes to the elements that its window saw.
//
// The result has the sizes and the dtype of `self`, the pool's input. The arguments that a pool takes are checked by
// the pool's own rule, in its words and with its labels. Constraints, where `op` is the op's name:
//
// [op.C1]  `grad_output` has the sizes of the pool's result. As in PyTorch, that of avg_pool3d_backward may have more
//          images, those of adaptive pools on the CPU may differ before the pooled dims: of volumes there may be more
//          planes, which do not count, of row-major images fewer, the gradients of the others being zeros; and
//          max_pool3d_with_indices_backward does not look at depth, height and width.
// [op.C2]  `indices`, i64, has the sizes of `grad_output`.
// [op.C3]  `grad_output` has the dtype of `self`.
// [op.C4]  `grad_output` has dims; an adaptive pool's has no empty one but the first.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/pooling/pool_backward.h"

namespace ersatz::op_pool_backward {

/// The element goes to the whole window, divided by what the average was divided by.
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
/// Of another name than what it writes apart.
inline constexpr Schema kAdaptiveAverage3dOut{
    "aten::adaptive_avg_pool3d_backward.grad_input(Tensor grad_output, Tensor self, *, Tensor(a!) grad_input) -> "
    "Tensor(a!)"};
/// The element goes to where `indices`, the pool's second result, says that the largest was.
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
