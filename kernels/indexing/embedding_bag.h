// Rows of a table summed, averaged or maximised bag by bag, and the gradients of that.
//
// `indices` name rows, `offsets` where each bag begins among them; with include_last_offset the last offset is where
// all end and no bag. Modes are 0 sum, 1 mean, 2 max; what padding_idx names counts for nothing, and an empty bag
// gives zeros. Indices and offsets are integers that are i32 or i64 together, as results are.
//
// Results on the CPU: output [bags, features]; offset2bag, the bag of each index, which is empty where the sum goes the
// fast way (not f64, features adjacent, no padding_idx, adjacent weights); bag_size, zeros of a sum
// (`_embedding_bag_forward_only`: for each offset), else how many indices count; and max_indices, the row of each
// maximum [bags, features], 0 of empty bags, of other modes bag_size again. On CUDA offset2bag has each index, bag_size
// each offset, counted in all modes (that of a last offset, which is no bag, is 0), and max_indices is empty but for
// the maximum, -1 of empty bags. Constraints, where `op` is the op's name:
//
// [op.C1]  weight has two dims, indices and offsets have one (index errors without dims).
// [op.C2]  Indices and offsets promote to i32 or i64, weight is a float.
// [op.C3]  mode is 0, 1 or 2; per_sample_weights go with the sum, and fit: weight's dtype, an element for each index.
// [op.C4]  With include_last_offset there is an offset.
// [embedding_bag.C5]  padding_idx is a row, counted from the end if negative.
// [_embedding_bag_backward.C6] [_embedding_bag_per_sample_weights_backward.C6]  Index tensors are row-major, what is
//     read of those that the forward op gave is there (of more elements the first count); `sparse` gradients are not
//     supported.
// [_embedding_bag.C7] [_embedding_bag_forward_only.C7]  On the CPU indices and offsets are no expanded tensors, unless
//     they are converted: ATen reads as many elements from the first on as there are.
// [op.value]  The first offset is 0, none exceeds the indices or, on CUDA, the next one; each index that is read is a
//     row.
//
// Which bag an index is in: that of the last of the offsets, sorted, that is not behind it. On the CPU sums and means
// that go the fast way take the indices from a bag's offset to the next one, to the end for the last; a bag whose
// offset is behind the next one has none.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/indexing/embedding_bag.h"

namespace ersatz::op_embedding_bag {

inline constexpr TypedSchema kForward{
    "aten::_embedding_bag(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, int mode=0, "
    "bool "
    "sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False, int padding_idx=-1) -> (Tensor, "
    "Tensor, Tensor, Tensor)"};
inline constexpr TypedSchema kForwardOnly{
    "aten::_embedding_bag_forward_only(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, "
    "int "
    "mode=0, bool sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False, int padding_idx=-1) "
    "-> "
    "(Tensor, Tensor, Tensor, Tensor)"};
inline constexpr Schemas kForwards{kForward, kForwardOnly};
inline constexpr TypedSchema kBag{
    "aten::embedding_bag(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, int mode=0, "
    "bool "
    "sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False) -> (Tensor, Tensor, Tensor, "
    "Tensor)"};
inline constexpr Schema kBagPadding{
    "aten::embedding_bag.padding_idx(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq, int mode, "
    "bool sparse, Tensor? per_sample_weights, bool include_last_offset, int? padding_idx) -> (Tensor, Tensor, Tensor, "
    "Tensor)"};

inline constexpr TypedSchema kBackward{
    "aten::_embedding_bag_backward(Tensor grad, Tensor indices, Tensor offsets, Tensor offset2bag, Tensor bag_size, "
    "Tensor maximum_indices, SymInt num_weights, bool scale_grad_by_freq, int mode, bool sparse, Tensor? "
    "per_sample_weights, int padding_idx=-1) -> Tensor"};
/// The same without offsets: of a sum or a mean offset2bag, of the dtype of indices, says all. Index tensors need not
/// be row-major.
/// [_embedding_bag_dense_backward.C2] indices, offset2bag and bag_size have one dtype.
/// [_embedding_bag_dense_backward.C3] mode is 0, 1 or 2.
/// [_embedding_bag_dense_backward.C6] offset2bag has an element for each index, maximum_indices two dims (index
///     errors).
inline constexpr TypedSchema kDenseBackward{
    "aten::_embedding_bag_dense_backward(Tensor grad, Tensor indices, Tensor offset2bag, Tensor bag_size, Tensor "
    "maximum_indices, SymInt num_weights, bool scale_grad_by_freq, int mode, Tensor? per_sample_weights, int "
    "padding_idx=-1) -> Tensor"};
inline constexpr TypedSchema kWeightsBackward{
    "aten::_embedding_bag_per_sample_weights_backward(Tensor grad, Tensor weight, Tensor indices, Tensor offsets, "
    "Tensor "
    "offset2bag, int mode, int padding_idx=-1) -> Tensor"};

enum BagMode : int64_t { kBagSum = 0, kBagMean = 1, kBagMax = 2 };

/// Does ATen's CPU kernel form a sum or a mean bag by bag, the fast way? `samples` may be null.
inline bool goes_bag_by_bag(const TensorMeta& weight, const TensorMeta* samples, int64_t mode, int64_t padding) {
  return mode != kBagMax && weight.dtype != DType::F64 && size_eq(weight.strides[1], 1) && padding < 0 &&
         (!samples || size_eq(samples->strides[0], 1));
}

}  // namespace ersatz::op_embedding_bag
