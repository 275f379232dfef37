// What a max pool kept, put back where it came from: max_unpool2d, max_unpool3d.
//
// The result has the sizes of `self` but for the trailing ones, which are `output_size`; each element of `self` stands
// at its index into the row-major points of its plane, all others are zero. Of elements with one index the last stands,
// on CUDA any. On the CPU images have the memory format that `self` suggests; else the result is row-major.
// Constraints:
//
// [max_unpool2d.C1] [max_unpool3d.C1] `output_size` (of volumes also `stride` and `padding`) has one number for each
//                   dim that was pooled; sizes are not negative, strides positive. `stride` and `padding` are
//                   checked only.
// [max_unpool2d.C2] [max_unpool3d.C2] `self` has these dims, channels and, maybe, a batch; only the first may be empty.
// [max_unpool2d.C3] [max_unpool3d.C3] `indices`, i64, has the sizes of `self`.
// [max_unpool3d.layout] A written result that is not resized is row-major.
// An index outside its plane is an error of the kernel.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/pooling/max_unpool.h"

namespace ersatz::op_max_unpool {

inline constexpr TypedSchema kMaxUnpool2d{
    "aten::max_unpool2d(Tensor self, Tensor indices, SymInt[2] output_size) -> Tensor"};
inline constexpr TypedSchema kMaxUnpool3d{
    "aten::max_unpool3d(Tensor self, Tensor indices, SymInt[3] output_size, int[3] stride, int[3] padding) -> Tensor"};
inline constexpr Schemas kEach{kMaxUnpool2d, kMaxUnpool3d};

}  // namespace ersatz::op_max_unpool
