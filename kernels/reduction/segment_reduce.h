// Reductions of segments: runs of elements along one dim, named by their lengths or by their offsets.
//
// `lengths` is [outer dims of data..., segments], `offsets` has one more in its last dim: where each segment begins,
// and at last where all end. Their outer dims need not be data's: rows are taken in row-major order. `axis` is their
// last dim. `reduce` is one of sum, mean, prod, max, min, amax, amin; a reduction begins with `initial` where that is
// given, else with its neutral element, and a mean of nothing is NaN. Constraints, where `op` is the op's name:
//
// [op.C1]  lengths or offsets are given; where both are, offsets count.
// [segment_reduce.C2]  indices are not.
// [op.C3]  reduce is one of these names.
// [segment_reduce.C4]  axis is the last dim of lengths or offsets, which have a row for each outer index of data;
//     offsets are not empty.
// [_segment_reduce_backward.C4]  data and output have the last dim of lengths or offsets (index error), of which there
//     is a row for each outer index of output.
// [op.C5]  initial is real; grad and output have data's dtype.
// [segment_reduce.C6]  there are lengths, unless `unsafe`.
// [segment_reduce.value]  The segments lie within data; lengths, unless `unsafe`, add up to the size of its dim, those
//     of further rows too.
// [_segment_reduce_backward.value]  The elements of each segment are data's, its results are grad's and output's.
#pragma once

#include "runtime/op/scalar.h"
#include "runtime/op/typed_schema.h"
#include "typed/reduction/segment_reduce.h"

namespace ersatz::op_segment_reduce {

inline constexpr TypedSchema kSegmentReduce{
    "aten::segment_reduce(Tensor data, str reduce, *, Tensor? lengths=None, Tensor? indices=None, Tensor? "
    "offsets=None, "
    "int axis=0, bool unsafe=False, Scalar? initial=None) -> Tensor"};
/// The gradient of data: of several extremes of a segment each gets an equal part. `axis` is that of lengths or
/// offsets, whatever is given. The outer and inner sizes are those of output: where data has others, or a segment ends
/// behind its row, the elements are those that follow in memory, row-major; what no segment holds has a gradient of
/// zero, of what several hold the last counts, on CUDA any.
inline constexpr TypedSchema kSegmentReduceBackward{
    "aten::_segment_reduce_backward(Tensor grad, Tensor output, Tensor data, str reduce, *, Tensor? lengths=None, "
    "Tensor? "
    "offsets=None, int axis=0, Scalar? initial=None) -> Tensor"};

enum class SegmentReduction : uint8_t { Sum, Mean, Prod, Max, Min };
std::optional<SegmentReduction> segment_reduction(std::string_view name);

}  // namespace ersatz::op_segment_reduce
