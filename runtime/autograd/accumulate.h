// Where the gradients of a leaf end: how `.grad` is laid out and whether it is taken over, added to or replaced.
#pragma once

#include "runtime/autograd/autograd_meta.h"

namespace ersatz {

/// What happens to a gradient that arrives at a leaf. Goes by metadata alone: real and fake tensors share it.
enum class Accumulation : uint8_t {
  Take,     ///< the arriving tensor becomes `.grad`
  Copy,     ///< `.grad` is a copy with the strides of `first_gradient_strides`
  AddInto,  ///< it is added into the `.grad` that is there, whatever its layout
  AddApart  ///< `.grad` becomes a new sum
};

/// The strides of a leaf's first gradient: the leaf's own where no two of its elements share memory and it has no gaps,
/// else row-major ones. Source: PyTorch 2.15, 829 recorded pairs of layouts.
DimVec first_gradient_strides(const TensorMeta& leaf);

/// `sole`: the engine has the only reference to the arriving gradient. `create`: create_graph was asked for.
Accumulation accumulation(const TensorMeta& leaf, const TensorMeta& arriving, bool has_gradient, bool sole,
                          bool create);

/// The node that adds gradients up in the leaf's `.grad`.
Ref<GradNode> make_accumulator(const Tensor& leaf);
/// The leaf of an accumulator. REQUIRES: node.accumulates().
const Tensor& leaf_of(const GradNode& node);

}  // namespace ersatz
