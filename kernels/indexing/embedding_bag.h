// embedding_bag: computes sums, means or maxima of the rows of each bag, and their gradients.
//
// `indices` are rows of the table, and `offsets` are the positions in `indices` at which the bags begin. With
// include_last_offset, the last offset is the end of the last bag. Modes are 0 sum, 1 mean, 2 max. Indices equal to
// padding_idx are skipped, and the result for an empty bag is zeros. Integer results have the dtype that indices and
// offsets promote to, i32 or i64.
//
// Results on the CPU. output is [bags, features]. offset2bag is the bag of each index; it is empty for sums that use
// ATen's fast path (weight is not f64, features are adjacent, no padding_idx, sample weights are adjacent). bag_size is
// zeros for a sum (`_embedding_bag_forward_only`: one for each offset), else the number of indices that are not
// skipped. max_indices is [bags, features] and has the row of each maximum, 0 for empty bags; in other modes it equals
// bag_size.
// Results on CUDA. offset2bag has one element for each index. In all modes, bag_size has one element for each offset,
// which is 0 for a last offset that begins no bag. max_indices is empty except in mode max, and -1 for empty bags.
// Constraints. In labels, `op` is the op's name:
//
// [op.C1]  weight has two dims, indices and offsets have one (for 0-d tensors, else IndexError).
// [op.C2]  Indices and offsets promote to i32 or i64, weight is a float.
// [op.C3]  mode is 0, 1 or 2; per_sample_weights require the sum, have weight's dtype and an element for each index.
// [op.C4]  include_last_offset requires at least one offset.
// [embedding_bag.C5]  padding_idx is a row, counted from the end if negative.
// [_embedding_bag_backward.C6] [_embedding_bag_per_sample_weights_backward.C6]  Index tensors are row-major, and
//     results of the forward op have at least the elements that are read; `sparse` gradients are not supported.
// [_embedding_bag.C7] [_embedding_bag_forward_only.C7]  On the CPU, indices and offsets do not have stride 0 from
//     `expand`, unless their dtype is converted: ATen reads their memory as adjacent elements.
// [op.value]  The first offset is 0, and no offset exceeds the number of indices or, on CUDA, the next offset; each
//             index that is read is a row.
//
// An index belongs to the bag of the last offset, after sorting, that is not greater than the index's position. On the
// CPU's fast path, a bag has the indices from its offset to the next offset, or to the end. It is empty if the next
// offset is less.
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
/// `_embedding_bag_backward` without offsets. For a sum or mean, offset2bag is the bag of each index and has the dtype
/// of indices. Index tensors need not be row-major.
/// [_embedding_bag_dense_backward.C2] indices, offset2bag and bag_size have one dtype.
/// [_embedding_bag_dense_backward.C3] mode is 0, 1 or 2.
/// [_embedding_bag_dense_backward.C6] offset2bag has one element for each index, and maximum_indices has two dims (else
/// IndexError).
inline constexpr TypedSchema kDenseBackward{
    "aten::_embedding_bag_dense_backward(Tensor grad, Tensor indices, Tensor offset2bag, Tensor bag_size, Tensor "
    "maximum_indices, SymInt num_weights, bool scale_grad_by_freq, int mode, Tensor? per_sample_weights, int "
    "padding_idx=-1) -> Tensor"};
inline constexpr TypedSchema kWeightsBackward{
    "aten::_embedding_bag_per_sample_weights_backward(Tensor grad, Tensor weight, Tensor indices, Tensor offsets, "
    "Tensor "
    "offset2bag, int mode, int padding_idx=-1) -> Tensor"};

enum BagMode : int64_t { kBagSum = 0, kBagMean = 1, kBagMax = 2 };

/// Does ATen's CPU kernel use its fast path, which computes a sum or mean bag by bag? `samples` are the sample weights,
/// or null.
inline bool goes_bag_by_bag(const TensorMeta& weight, const TensorMeta* samples, int64_t mode, int64_t padding) {
  return mode != kBagMax && weight.dtype != DType::F64 && size_eq(weight.strides[1], 1) && padding < 0 &&
         (!samples || size_eq(samples->strides[0], 1));
}

}  // namespace ersatz::op_embedding_bag
