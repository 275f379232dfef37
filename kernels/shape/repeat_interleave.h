// Each element of a dim several times in a row.
#pragma once

#include <optional>

#include "runtime/op/schema_literal.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_repeat_interleave {

inline constexpr Schema kRepeatInterleaveTensor{
    "aten::repeat_interleave.Tensor(Tensor repeats, *, SymInt? output_size=None) -> Tensor"};
inline constexpr Schema kRepeatInterleaveTensorOut{
    "aten::repeat_interleave.Tensor_out(Tensor repeats, *, SymInt? output_size=None, Tensor(a!) out) -> Tensor(a!)"};
inline constexpr Schema kRepeatInterleaveSelfTensor{
    "aten::repeat_interleave.self_Tensor(Tensor self, Tensor repeats, int? dim=None, *, SymInt? output_size=None) -> "
    "Tensor"};
inline constexpr Schema kRepeatInterleaveSelfInt{
    "aten::repeat_interleave.self_int(Tensor self, SymInt repeats, int? dim=None, *, SymInt? output_size=None) -> "
    "Tensor"};
inline constexpr Schemas kOfRepeats{kRepeatInterleaveTensor, kRepeatInterleaveTensorOut};

}  // namespace ersatz::op_repeat_interleave

namespace ersatz::ops {

/// Index i `repeats[i]` times: what `index_select` takes to repeat slices. Its size depends on values.
/// [repeat_interleave.C1] a vector of integers.
/// Values: none negative; their sum is the op's `output_size` if that is given (runtime errors).
Tensor repeat_interleave(const Tensor& repeats);
/// Slices of `dim` repeated, or elements in row-major order.
/// [repeat_interleave.C2] repeats of one dim at most, one of them or one for each slice.
Tensor repeat_interleave(const Tensor& self, const Tensor& repeats, std::optional<int64_t> dim = std::nullopt,
                         std::optional<SymInt> output_size = std::nullopt);
/// [repeat_interleave.C3] repeats >= 0.
/// [repeat_interleave.C4] an `output_size` that is the dim's, times repeats.
Tensor repeat_interleave(const Tensor& self, SymInt repeats, std::optional<int64_t> dim = std::nullopt,
                         std::optional<SymInt> output_size = std::nullopt);

}  // namespace ersatz::ops
