// max_unpool2d, max_unpool3d: elements written to the indices that a max pool returned.
//
// The result has the sizes of `self`, with `output_size` in place of the trailing ones. Each element of `self` is
// written to its index in the row-major points of its plane; all others are zero. Among elements with equal indices the
// last one is kept, on CUDA any. On the CPU a result of images has the memory format that the strides of `self`
// suggest; other results are row-major. Constraints:
//
// [max_unpool2d.C1] [max_unpool3d.C1] `output_size` (for volumes also `stride` and `padding`) has one number for each
//                                     pooled dim. Sizes are not negative, strides are positive. `stride` and `padding`
//                                     are only checked.
// [max_unpool2d.C2] [max_unpool3d.C2] `self` has the pooled dims, channels and optionally a batch; only the first may
//                                     be empty.
// [max_unpool2d.C3] [max_unpool3d.C3] `indices` is i64 and has the sizes of `self`.
// [max_unpool3d.layout] A written result that is not resized is row-major.
// The kernel raises for an index outside its plane.
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
