// Reductions of segments. A segment is a run of elements along one dim, given by lengths or by offsets.
//
// `lengths` is [outer dims of data..., segments]. `offsets` has one more number in its last dim: the begin of each
// segment, and the end of the last one. Their outer dims may differ from data's: rows are read in row-major order.
// `axis` is their last dim. `reduce` is one of sum, mean, prod, max, min, amax, amin. A reduction starts with
// `initial`; the default is its neutral element. The mean of an empty segment is NaN. In the constraints, `op` is the
// op's name:
//
// [op.C1]  lengths or offsets are given. If both are given, offsets are used.
// [segment_reduce.C2]  `indices` is None.
// [op.C3]  `reduce` is one of the names above.
// [segment_reduce.C4]  axis is the last dim of lengths or offsets. These have a row for each outer index of data, and
//                      offsets are not empty.
// [_segment_reduce_backward.C4]  data and output have a dim `axis` (IndexError). Lengths or offsets have a row for each
//                                outer index of output.
// [op.C5]  initial is real; grad and output have data's dtype.
// [segment_reduce.C6]  lengths are not empty, unless `unsafe`.
// [segment_reduce.value]  All segments are within data. Unless `unsafe`, the lengths of every row add up to the size of
//                         data's dim; this includes rows that data does not have.
// [_segment_reduce_backward.value]  The elements of each segment are in data, and its results in grad and output.
#pragma once

#include "runtime/op/scalar.h"
#include "runtime/op/typed_schema.h"
#include "typed/reduction/segment_reduce.h"

namespace ersatz::op_segment_reduce {

inline constexpr TypedSchema kSegmentReduce{
    "aten::segment_reduce(Tensor data, str reduce, *, Tensor? lengths=None, Tensor? indices=None, Tensor? "
    "offsets=None, "
    "int axis=0, bool unsafe=False, Scalar? initial=None) -> Tensor"};
/// Returns the gradient of data. If several elements of a segment equal its extreme, each gets an equal part. An
/// element in no segment gets 0. An element in several segments gets the gradient of the last one (on CUDA, of any
/// one). `axis` is ignored: PyTorch uses the last dim of lengths or offsets. The sizes of all other dims are read from
/// output. If data's sizes differ, or a segment ends after its row, the segment's elements are the next ones of data in
/// row-major order.
inline constexpr TypedSchema kSegmentReduceBackward{
    "aten::_segment_reduce_backward(Tensor grad, Tensor output, Tensor data, str reduce, *, Tensor? lengths=None, "
    "Tensor? "
    "offsets=None, int axis=0, Scalar? initial=None) -> Tensor"};

enum class SegmentReduction : uint8_t { Sum, Mean, Prod, Max, Min };
std::optional<SegmentReduction> segment_reduction(std::string_view name);

}  // namespace ersatz::op_segment_reduce
