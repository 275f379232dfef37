// repeat_interleave: repeats each slice of a dim.
#pragma once

#include <optional>

#include "runtime/op/typed_schema.h"
#include "typed/shape/repeat_interleave.h"

namespace ersatz::op_repeat_interleave {

inline constexpr Schema kRepeatInterleaveTensor{
    "aten::repeat_interleave.Tensor(Tensor repeats, *, SymInt? output_size=None) -> Tensor"};
inline constexpr Schema kRepeatInterleaveTensorOut{
    "aten::repeat_interleave.Tensor_out(Tensor repeats, *, SymInt? output_size=None, Tensor(a!) out) -> Tensor(a!)"};
/// Repeats each slice of dim `dim`. Without `dim`, repeats each element, in row-major order, and returns a vector.
/// [repeat_interleave.C2] repeats has at most one dim. It has one element, or one element for each slice.
inline constexpr TypedSchema kRepeatInterleaveSelfTensor{
    "aten::repeat_interleave.self_Tensor(Tensor self, Tensor repeats, int? dim=None, *, SymInt? output_size=None) -> "
    "Tensor"};
/// [repeat_interleave.C3] repeats is not negative.
/// [repeat_interleave.C4] `output_size`, if given, is the dim's size times repeats.
inline constexpr TypedSchema kRepeatInterleaveSelfInt{
    "aten::repeat_interleave.self_int(Tensor self, SymInt repeats, int? dim=None, *, SymInt? output_size=None) -> "
    "Tensor"};
inline constexpr Schemas kOfRepeats{kRepeatInterleaveTensor, kRepeatInterleaveTensorOut};

}  // namespace ersatz::op_repeat_interleave

namespace ersatz::ops {

/// Returns a vector in which index i occurs `repeats[i]` times. index_select with this vector repeats slices. The size
/// of the vector depends on values.
/// [repeat_interleave.C1] repeats is a vector of integers.
/// Values: no repeat is negative; `output_size`, if given, is the sum of the repeats (RuntimeError).
Tensor repeat_interleave(const Tensor& repeats);

}  // namespace ersatz::ops
