// Gradients of operators that select elements. The gradient is a tensor of zeros with the input's sizes, to which grad
// is added at the selected positions. These operators are composites in PyTorch too.
//
// [trace_backward.C1] `sizes` has two elements.
// [embedding_backward.C1] [gather_backward.C1] sparse gradients are not supported.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/indexing/selected_backward.h"

namespace ersatz::op_selected_backward {

inline constexpr TypedSchema kTrace{"aten::trace_backward(Tensor grad, SymInt[] sizes) -> Tensor"};
inline constexpr TypedSchema kGather{
    "aten::gather_backward(Tensor grad, Tensor self, int dim, Tensor index, bool sparse_grad) -> Tensor"};
inline constexpr TypedSchema kIndexSelect{
    "aten::index_select_backward(Tensor grad, SymInt[] self_sizes, int dim, Tensor index) -> Tensor"};
inline constexpr TypedSchema kMaskedSelect{
    "aten::masked_select_backward(Tensor grad, Tensor input, Tensor mask) -> Tensor"};
/// The gradient of `cummax` and `cummin`.
inline constexpr TypedSchema kCumulative{
    "aten::cummaxmin_backward(Tensor grad, Tensor input, Tensor indices, int dim) -> Tensor"};
/// The gradient of reductions that select one element of each row: `max.dim`, `median.dim`, ...
inline constexpr TypedSchema kReduction{
    "aten::value_selecting_reduction_backward(Tensor grad, int dim, Tensor indices, SymInt[] sizes, bool keepdim) -> "
    "Tensor"};
inline constexpr TypedSchema kEmbedding{
    "aten::embedding_backward(Tensor grad, Tensor indices, SymInt num_weights, SymInt padding_idx, bool "
    "scale_grad_by_freq, bool sparse) -> Tensor"};

}  // namespace ersatz::op_selected_backward
