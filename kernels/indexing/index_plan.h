// IndexPlan describes a read or write at index tensors: the dims of self that each index selects from, and where these
// dims are in the result.
//
// In `self[i0, :, i2]`, index k of the list belongs to dim k, and None keeps a dim. The index tensors broadcast to one
// shape. If the indexed dims are adjacent, the dims of that shape take their position in the result; else they are the
// first dims of the result. A bool (or u8) index is a mask that indexes as many dims of self as it has. It selects the
// positions at which it is true, whose number depends on data. A 0-d mask among other indices indexes no dim of self,
// and its value is ignored.
#pragma once

#include "runtime/op/rule.h"

namespace ersatz {

/// The metadata of each index of the list; null if the dim is kept.
using IndexMetas = InlineVec<const TensorMeta*, 5>;
IndexMetas index_metas(std::span<const Value> indices);

/// Checks [C2] for a list of length `indices`. Called before the single indices are checked.
void require_dims_for(const RuleCall& call, size_t indices, const TensorMeta& self);

struct IndexPlan {
  bool has_mask = false;          ///< the list has a mask, so all other members depend on data and are not set
  DimVec sizes;                   ///< sizes of the result: the sizes of kept dims, with `index_shape` inserted
  DimVec index_shape;             ///< the shape to which the indices broadcast
  size_t front = 0;               ///< number of kept dims before `index_shape`
  InlineVec<int64_t, 5> kept;     ///< dims of self without an index, in order
  InlineVec<int64_t, 5> indexed;  ///< dims of self with an index, in order
};

/// Checks an index list and returns its plan. Kernels replace masks by positions and plan the list again. Constraints:
/// [C1] indices have dtype bool, u8, i32 or i64 (else IndexError)
/// [C2] at most as many dims are indexed as self has (else IndexError), and at least one unless self is empty
/// [C3] a mask has the sizes of the dims that it indexes (else IndexError)
/// [C4] indices broadcast to each other (else IndexError)
/// [C5] an indexed dim has no size 0, unless its index is empty (else IndexError)
/// [device] indices are on the CPU or on self's device
IndexPlan plan_indices(const RuleCall& call, const TensorMeta& self, const IndexMetas& indices);

/// Gives the result the layout that ATen's TensorIterator over self and the indices allocates. REQUIRES: no mask.
void set_picked_layout(const IndexPlan& plan, const TensorMeta& self, const IndexMetas& indices, TensorMeta& out);

}  // namespace ersatz
