// Each element of a dim several times in a row.
#pragma once

#include <optional>

#include "runtime/op/typed_schema.h"
#include "typed/shape/repeat_interleave.h"

namespace ersatz::op_repeat_interleave {

inline constexpr Schema kRepeatInterleaveTensor{
    "aten::repeat_interleave.Tensor(Tensor repeats, *, SymInt? output_size=None) -> Tensor"};
inline constexpr Schema kRepeatInterleaveTensorOut{
    "aten::repeat_interleave.Tensor_out(Tensor repeats, *, SymInt? output_size=None, Tensor(a!) out) -> Tensor(a!)"};
/// Slices of `dim` repeated, or elements in row-major order.
/// [repeat_interleave.C2] repeats of one dim at most, one of them or one for each slice.
inline constexpr TypedSchema kRepeatInterleaveSelfTensor{
    "aten::repeat_interleave.self_Tensor(Tensor self, Tensor repeats, int? dim=None, *, SymInt? output_size=None) -> "
    "Tensor"};
/// [repeat_interleave.C3] repeats >= 0.
/// [repeat_interleave.C4] an `output_size` that is the dim's, times repeats.
inline constexpr TypedSchema kRepeatInterleaveSelfInt{
    "aten::repeat_interleave.self_int(Tensor self, SymInt repeats, int? dim=None, *, SymInt? output_size=None) -> "
    "Tensor"};
inline constexpr Schemas kOfRepeats{kRepeatInterleaveTensor, kRepeatInterleaveTensorOut};

}  // namespace ersatz::op_repeat_interleave

namespace ersatz::ops {

/// Index i `repeats[i]` times: what `index_select` takes to repeat slices. Its size depends on values.
/// [repeat_interleave.C1] a vector of integers.
/// Values: none negative; their sum is the op's `output_size` if that is given (runtime errors).
Tensor repeat_interleave(const Tensor& repeats);

}  // namespace ersatz::ops
