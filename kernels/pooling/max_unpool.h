// max_unpool2d and max_unpool3d write elements to the indices that a max pool returned.
//
// The result has the sizes of `self`, except that the trailing sizes are `output_size`. Each element of `self` is
// written to its index in the row-major points of its plane. All other elements are zero. If several elements have one
// index, the last one is kept, or on CUDA any of them. On the CPU, a result of images has the memory format
// suggest_memory_format(self). Other results are row-major. Constraints:
//
// [max_unpool2d.C1] [max_unpool3d.C1] `output_size`, and for volumes `stride` and `padding`, has one number for each
//                                     pooled dim. Sizes are not negative, and strides are positive. `stride` and
//                                     `padding` have no other effect.
// [max_unpool2d.C2] [max_unpool3d.C2] `self` has the pooled dims, channels and optionally a batch. Only the first dim
//                                     may be empty.
// [max_unpool2d.C3] [max_unpool3d.C3] `indices` is i64 and has the sizes of `self`.
// [max_unpool3d.layout] an `out` argument that is not resized is row-major.
// The kernel raises for an index outside of its plane.
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
