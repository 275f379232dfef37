// embedding_bag: sums, means or maxima of the rows of each bag, and their gradients.
//
// `indices` are rows of the table, `offsets` the positions at which each bag begins. With include_last_offset the last
// offset is the end of all bags. Modes are 0 sum, 1 mean, 2 max. Indices equal to padding_idx are skipped; an empty bag
// gives zeros. Indices and offsets promote to i32 or i64, the dtype of the integer results.
//
// Results on the CPU: output [bags, features]. offset2bag, the bag of each index, is empty for sums that use ATen's
// fast path (not f64, features adjacent, no padding_idx, adjacent weights).
// bag_size is zeros for a sum (`_embedding_bag_forward_only`: one for each offset), else the number of indices that
// count. max_indices [bags, features] has the row of each maximum, 0 for empty bags; in other modes it equals bag_size.
// Results on CUDA: offset2bag has an element for each index. bag_size has one for each offset in all modes, and 0 for a
// last offset that begins no bag. max_indices is empty except for the maximum, and -1 for empty bags.
// Constraints, where `op` is the op's name:
//
// [op.C1]  weight has two dims, indices and offsets have one (index errors without dims).
// [op.C2]  Indices and offsets promote to i32 or i64, weight is a float.
// [op.C3]  mode is 0, 1 or 2; per_sample_weights require the sum, have weight's dtype and an element for each index.
// [op.C4]  include_last_offset requires at least one offset.
// [embedding_bag.C5]  padding_idx is a row, counted from the end if negative.
// [_embedding_bag_backward.C6] [_embedding_bag_per_sample_weights_backward.C6]  Index tensors are row-major, and
//     results of the forward op have at least the elements that are read; `sparse` gradients are not supported.
// [_embedding_bag.C7] [_embedding_bag_forward_only.C7]  On the CPU indices and offsets are not expanded, unless they
//     are converted: ATen reads as many adjacent elements as they have.
// [op.value]  The first offset is 0, and no offset exceeds the number of indices or, on CUDA, the next offset; each
//             index that is read is a row.
//
// An index belongs to the bag of the last of the sorted offsets that is not after it. On the CPU's fast path a bag has
// the indices from its offset to the next one, or to the end. It is empty if its offset is after the next one.
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
/// `_embedding_bag_backward` without offsets: for a sum or mean, offset2bag gives each index's bag. It has the dtype of
/// indices. Index tensors need not be row-major.
/// [_embedding_bag_dense_backward.C2] indices, offset2bag and bag_size have one dtype.
/// [_embedding_bag_dense_backward.C3] mode is 0, 1 or 2.
/// [_embedding_bag_dense_backward.C6] offset2bag has an element for each index, maximum_indices has two dims (index
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

/// Does ATen's CPU kernel use its fast path, which computes a sum or mean bag by bag? `samples` may be null.
inline bool goes_bag_by_bag(const TensorMeta& weight, const TensorMeta* samples, int64_t mode, int64_t padding) {
  return mode != kBagMax && weight.dtype != DType::F64 && size_eq(weight.strides[1], 1) && padding < 0 &&
         (!samples || size_eq(samples->strides[0], 1));
}

}  // namespace ersatz::op_embedding_bag
