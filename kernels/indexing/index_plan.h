// Indexing with tensors: which dims of a tensor are picked by which index, and where the picked dims go.
//
// `self[i0, :, i2]`: index k of the list belongs to dim k; None keeps a dim. The indices broadcast to one shape, which
// takes the place of the indexed dims: where they stood if they are adjacent, else in front. A bool (or u8) index is a
// mask over as many dims as it has, and means the positions where it is true: how many there are depends on values. A
// mask without dims among other indices stands for no dim, and its value is not looked at.
#pragma once

#include "runtime/op/rule.h"

namespace ersatz {

/// The metadata of each index; null where a dim is kept.
using IndexMetas = InlineVec<const TensorMeta*, 5>;
IndexMetas index_metas(std::span<const Value> indices);

/// [C2] of a list of as many indices, before each is looked at.
void require_dims_for(const RuleCall& call, size_t indices, const TensorMeta& self);

struct IndexPlan {
  bool has_mask = false;          ///< the rest is not filled in: it depends on values
  DimVec sizes;                   ///< of the picked elements: kept dims with the indices' common shape put in
  DimVec index_shape;             ///< what the indices broadcast to
  size_t front = 0;               ///< how many kept dims stand before it
  InlineVec<int64_t, 5> kept;     ///< dims of self that no index names, in order
  InlineVec<int64_t, 5> indexed;  ///< dims of self that one names, in order
};

/// Validates an index list and says what it picks. Masks become positions in the kernel, and such a list is planned
/// again. Refuses with
/// [C1] indices of dtype bool, u8, i32 or i64 (index error)
/// [C2] no more indexed dims than self has (index error), and one at least unless self is empty
/// [C3] a mask with the sizes of the dims that it stands for (index error)
/// [C4] indices that broadcast (index error)
/// [C5] an index into a dim of size 0 (index error)
/// [device] indices on the CPU or on self's device
IndexPlan plan_indices(const RuleCall& call, const TensorMeta& self, const IndexMetas& indices);

/// The layout of what the plan picks, as ATen's iterator over self and the indices allocates it. REQUIRES: no mask.
void set_picked_layout(const IndexPlan& plan, const TensorMeta& self, const IndexMetas& indices, TensorMeta& out);

}  // namespace ersatz
