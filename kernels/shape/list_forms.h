// Lists of tensors as one, and one as a list: flattened and joined, cut again, or padded to one length; and small
// composites that TorchScript programs hold.
#pragma once

#include "runtime/op/scalar.h"
#include "runtime/op/typed_schema.h"
#include "typed/shape/list_forms.h"

namespace ersatz::op_list_forms {

/// All elements, one tensor after the other, in row-major order.
inline constexpr TypedSchema kFlatten{"aten::flatten_dense_tensors(Tensor[] tensors) -> Tensor"};
/// The pieces of `flat`, shaped as `tensors`; an empty tensor has memory of its own.
inline constexpr TypedSchema kUnflatten{"aten::unflatten_dense_tensors(Tensor flat, Tensor[] tensors) -> Tensor[]"};
/// [longest, n, ...], with batch_first [n, longest, ...]; of the first sequence's dtype.
/// [pad_sequence.C1] a sequence at least, each with a dim.
/// [pad_sequence.C2] `padding_side` is left or right.
inline constexpr TypedSchema kPadSequence{
    "aten::pad_sequence(Tensor[] sequences, bool batch_first=False, float padding_value=0., str "
    "padding_side=\"right\") -> Tensor"};
/// Each on the CPU.
inline constexpr TypedSchema kToCpu{"aten::_to_cpu(Tensor[] tensors) -> Tensor[]"};
/// 0 to size - 1 of a dim of `like`.
inline constexpr TypedSchema kDimArange{"aten::_dim_arange(Tensor like, int dim) -> Tensor"};
/// `self` itself, or converted: `_cast_Float` to f32.
inline constexpr Schema kCast{"aten::_cast_{}(Tensor self, bool non_blocking=False) -> Tensor"};
/// f16 and bf16 to f32 where autocast is enabled on the device; f32 to the device's dtype.
inline constexpr Schema kFullPrecision{
    "aten::_autocast_to_full_precision(Tensor(a) self, bool cuda_enabled, bool cpu_enabled) -> Tensor(a)"};
inline constexpr Schema kReducedPrecision{
    "aten::_autocast_to_reduced_precision(Tensor(a) self, bool cuda_enabled, bool cpu_enabled, ScalarType cuda_dtype, "
    "ScalarType cpu_dtype) -> Tensor(a)"};
inline constexpr Schemas kAutocasts{kFullPrecision, kReducedPrecision};
/// Writes the diagonal of a matrix, or of a cube of any rank; with `wrap` it begins anew below a tall matrix.
/// [fill_diagonal_.C1] two dims at least, of one size where there are more.
inline constexpr TypedSchema kFillDiagonal{
    "aten::fill_diagonal_(Tensor(a!) self, Scalar fill_value, bool wrap=False) -> Tensor(a!)"};
/// Is every element, or any one, true? 0-d.
/// [_is_all_true.C1] [_is_any_true.C1] bools.
inline constexpr TypedSchema kTruth{"aten::{}(Tensor self) -> Tensor", "_is_all_true", "_is_any_true"};

}  // namespace ersatz::op_list_forms
