// searchsorted, bucketize: return the indices at which numbers would be inserted into ascending sequences.
//
// Constraints
// [searchsorted.C1] sequences have at least one dim. If they have several dims, all sizes except the last equal those
// of the numbers.
// [searchsorted.C2] if the number is a Scalar, there is only one sequence.
// [searchsorted.C3] `side` is "left" or "right", and not "left" if `right` is true.
// [searchsorted.C4] a sorter is i64 and has the sizes of the sequences. The kernel checks that its elements are
// indices.
// [searchsorted.C5] with `out_int32`, positions fit i32.
// [bucketize.C1] boundaries has one dim.
// [bucketize.C5] with `out_int32`, positions fit i32.
//
// Numbers and sequences are compared in their common dtype. Bool and complex are supported only if there are no
// numbers. The result is i64 (i32 with `out_int32`) and row-major. With `right`, it is the index after equal elements.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/sorting/searchsorted.h"

namespace ersatz::op_searchsorted {

inline constexpr TypedSchema kSearchsortedTensor{
    "aten::searchsorted.Tensor(Tensor sorted_sequence, Tensor self, *, bool out_int32=False, bool right=False, str? "
    "side=None, Tensor? sorter=None) -> Tensor"};
inline constexpr Schema kSearchsortedScalar{
    "aten::searchsorted.Scalar(Tensor sorted_sequence, Scalar self, *, bool out_int32=False, bool right=False, str? "
    "side=None, Tensor? sorter=None) -> Tensor"};
inline constexpr TypedSchema kBucketizeTensor{
    "aten::bucketize.Tensor(Tensor self, Tensor boundaries, *, bool out_int32=False, bool right=False) -> Tensor"};
inline constexpr Schema kBucketizeScalar{
    "aten::bucketize.Scalar(Scalar self, Tensor boundaries, *, bool out_int32=False, bool right=False) -> Tensor"};
inline constexpr Schemas kBucketize{kBucketizeTensor, kBucketizeScalar};
inline constexpr Schemas kSearchsorted{kSearchsortedTensor, kSearchsortedScalar};

}  // namespace ersatz::op_searchsorted
