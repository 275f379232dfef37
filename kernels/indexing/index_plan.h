// The plan of indexing with tensors: the dims that each index selects from, and the position of the selected dims in
// the result.
//
// `self[i0, :, i2]`: index k of the list belongs to dim k; None keeps a dim. The indices broadcast to one shape. The
// dims of this shape replace the indexed dims if those are adjacent; else they are the first dims of the result.
// A bool (or u8) index is a mask over as many dims as it has. It selects the positions at which it is true, whose
// number depends on data. A 0-d mask among other indices uses no dim of self, and its value is ignored.
#pragma once

#include "runtime/op/rule.h"

namespace ersatz {

/// The metadata of each index; null if the dim is kept.
using IndexMetas = InlineVec<const TensorMeta*, 5>;
IndexMetas index_metas(std::span<const Value> indices);

/// [C2] for a list of `indices` indices, before each index is checked.
void require_dims_for(const RuleCall& call, size_t indices, const TensorMeta& self);

struct IndexPlan {
  bool has_mask = false;          ///< the other members are not set, because they depend on data
  DimVec sizes;                   ///< sizes of the result: kept dims with `index_shape` inserted
  DimVec index_shape;             ///< the broadcast shape of the indices
  size_t front = 0;               ///< number of kept dims before `index_shape`
  InlineVec<int64_t, 5> kept;     ///< dims of self without an index, in order
  InlineVec<int64_t, 5> indexed;  ///< dims of self with an index, in order
};

/// Validates an index list and plans the selection. Kernels convert masks to positions and plan the list again.
/// Refuses with
/// [C1] indices of dtype bool, u8, i32 or i64 (index error)
/// [C2] at most as many indexed dims as self has (index error), and at least one unless self is empty
/// [C3] masks with the sizes of the dims that they replace (index error)
/// [C4] indices that broadcast (index error)
/// [C5] no index into a dim of size 0 (index error)
/// [device] indices on the CPU or on self's device
IndexPlan plan_indices(const RuleCall& call, const TensorMeta& self, const IndexMetas& indices);

/// Sets the layout of the result as ATen's iterator over self and the indices allocates it. REQUIRES: no mask.
void set_picked_layout(const IndexPlan& plan, const TensorMeta& self, const IndexMetas& indices, TensorMeta& out);

}  // namespace ersatz
