// Ops that join a list of tensors, divide a tensor into a list, or pad tensors to one length. Also small composites
// that TorchScript programs call.
#pragma once

#include "runtime/op/scalar.h"
#include "runtime/op/typed_schema.h"
#include "typed/shape/list_forms.h"

namespace ersatz::op_list_forms {

/// Returns a vector of all elements of all tensors, each in row-major order.
inline constexpr TypedSchema kFlatten{"aten::flatten_dense_tensors(Tensor[] tensors) -> Tensor"};
/// Divides `flat` into views with the sizes of `tensors`. For an empty tensor it returns a new tensor of size [0].
inline constexpr TypedSchema kUnflatten{"aten::unflatten_dense_tensors(Tensor flat, Tensor[] tensors) -> Tensor[]"};
/// Returns the padded sequences as [longest, n, ...], or [n, longest, ...] with batch_first. The result has the dtype
/// of the first sequence.
/// [pad_sequence.C1] `sequences` is not empty, and no sequence is 0-d.
/// [pad_sequence.C2] `padding_side` is "left" or "right".
inline constexpr TypedSchema kPadSequence{
    "aten::pad_sequence(Tensor[] sequences, bool batch_first=False, float padding_value=0., str "
    "padding_side=\"right\") -> Tensor"};
/// Copies each tensor to the CPU. A tensor that is on the CPU already is returned itself.
inline constexpr TypedSchema kToCpu{"aten::_to_cpu(Tensor[] tensors) -> Tensor[]"};
/// Returns the i64 numbers from 0 to like.size(dim) - 1.
inline constexpr TypedSchema kDimArange{"aten::_dim_arange(Tensor like, int dim) -> Tensor"};
/// Converts `self` to the dtype in the op's name (f32 for `_cast_Float`). Returns `self` if it has this dtype.
inline constexpr Schema kCast{"aten::_cast_{}(Tensor self, bool non_blocking=False) -> Tensor"};
/// Both ops convert the dtype if autocast is enabled for self's device. _autocast_to_full_precision converts f16 and
/// bf16 to f32. _autocast_to_reduced_precision converts f32 to the device's `cuda_dtype` or `cpu_dtype`.
inline constexpr Schema kFullPrecision{
    "aten::_autocast_to_full_precision(Tensor(a) self, bool cuda_enabled, bool cpu_enabled) -> Tensor(a)"};
inline constexpr Schema kReducedPrecision{
    "aten::_autocast_to_reduced_precision(Tensor(a) self, bool cuda_enabled, bool cpu_enabled, ScalarType cuda_dtype, "
    "ScalarType cpu_dtype) -> Tensor(a)"};
inline constexpr Schemas kAutocasts{kFullPrecision, kReducedPrecision};
/// Writes the main diagonal of a matrix, or of a tensor with more dims of equal sizes. With `wrap`, the diagonal of a
/// tall matrix begins again after each square block.
/// [fill_diagonal_.C1] self has at least two dims; if it has more, their sizes are equal.
inline constexpr TypedSchema kFillDiagonal{
    "aten::fill_diagonal_(Tensor(a!) self, Scalar fill_value, bool wrap=False) -> Tensor(a!)"};
/// _is_all_true returns a 0-d bool: whether all elements are true. _is_any_true returns whether any element is true.
/// [_is_all_true.C1] [_is_any_true.C1] self is bool.
inline constexpr TypedSchema kTruth{"aten::{}(Tensor self) -> Tensor", "_is_all_true", "_is_any_true"};

}  // namespace ersatz::op_list_forms
