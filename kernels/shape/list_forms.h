// Ops that join a list of tensors into one, divide one into a list, or pad tensors to one length. Also small composites
// of TorchScript programs.
#pragma once

#include "runtime/op/scalar.h"
#include "runtime/op/typed_schema.h"
#include "typed/shape/list_forms.h"

namespace ersatz::op_list_forms {

/// Returns a vector of all elements, tensor by tensor in row-major order.
inline constexpr TypedSchema kFlatten{"aten::flatten_dense_tensors(Tensor[] tensors) -> Tensor"};
/// Divides `flat` into tensors with the sizes of `tensors`; an empty tensor gets its own memory.
inline constexpr TypedSchema kUnflatten{"aten::unflatten_dense_tensors(Tensor flat, Tensor[] tensors) -> Tensor[]"};
/// Returns [longest, n, ...], or [n, longest, ...] with batch_first, in the first sequence's dtype.
/// [pad_sequence.C1] there is at least one sequence, and each has a dim.
/// [pad_sequence.C2] `padding_side` is left or right.
inline constexpr TypedSchema kPadSequence{
    "aten::pad_sequence(Tensor[] sequences, bool batch_first=False, float padding_value=0., str "
    "padding_side=\"right\") -> Tensor"};
/// Copies each tensor to the CPU.
inline constexpr TypedSchema kToCpu{"aten::_to_cpu(Tensor[] tensors) -> Tensor[]"};
/// arange over the size of dim `dim` of `like`.
inline constexpr TypedSchema kDimArange{"aten::_dim_arange(Tensor like, int dim) -> Tensor"};
/// Returns `self` or converts it: `_cast_Float` to f32.
inline constexpr Schema kCast{"aten::_cast_{}(Tensor self, bool non_blocking=False) -> Tensor"};
/// The first converts f16 and bf16 to f32 if autocast is enabled on the device. The second converts f32 to the device's
/// autocast dtype.
inline constexpr Schema kFullPrecision{
    "aten::_autocast_to_full_precision(Tensor(a) self, bool cuda_enabled, bool cpu_enabled) -> Tensor(a)"};
inline constexpr Schema kReducedPrecision{
    "aten::_autocast_to_reduced_precision(Tensor(a) self, bool cuda_enabled, bool cpu_enabled, ScalarType cuda_dtype, "
    "ScalarType cpu_dtype) -> Tensor(a)"};
inline constexpr Schemas kAutocasts{kFullPrecision, kReducedPrecision};
/// Writes the diagonal of a matrix, or of a tensor with equal sizes. With `wrap`, the diagonal starts again below the
/// square part of a tall matrix.
/// [fill_diagonal_.C1] self has at least two dims; if it has more, their sizes are equal.
inline constexpr TypedSchema kFillDiagonal{
    "aten::fill_diagonal_(Tensor(a!) self, Scalar fill_value, bool wrap=False) -> Tensor(a!)"};
/// Whether every element, or some element, is true. The result is 0-d.
/// [_is_all_true.C1] [_is_any_true.C1] self is bool.
inline constexpr TypedSchema kTruth{"aten::{}(Tensor self) -> Tensor", "_is_all_true", "_is_any_true"};

}  // namespace ersatz::op_list_forms
