// How a gradient that arrives at a leaf becomes its `.grad`: taken over, copied or added.
#pragma once

#include "runtime/autograd/autograd_meta.h"

namespace ersatz {

/// How a gradient that arrives at a leaf enters `.grad`. Metadata alone decide, so real and fake tensors share this.
enum class Accumulation : uint8_t {
  Take,     ///< the arriving tensor becomes `.grad`
  Copy,     ///< `.grad` is a copy with the strides of `first_gradient_strides`
  AddInto,  ///< added in place to the existing `.grad`, whatever its strides
  AddApart  ///< `.grad` becomes a new tensor, the sum
};

/// Returns the strides of a leaf's first gradient: the leaf's own if the leaf is non-overlapping and dense, else
/// contiguous ones. Source: PyTorch 2.15, 829 recorded pairs of layouts.
DimVec first_gradient_strides(const TensorMeta& leaf);

/// Returns what happens to the gradient `arriving`. `sole`: the engine has its only reference. `create`: the run has
/// create_graph.
Accumulation accumulation(const TensorMeta& leaf, const TensorMeta& arriving, bool has_gradient, bool sole,
                          bool create);

/// Returns the AccumulateGrad node of `leaf`, which adds gradients to its `.grad`.
Ref<GradNode> make_accumulator(const Tensor& leaf);
/// Returns the leaf of an AccumulateGrad node. REQUIRES: node.accumulates().
const Tensor& leaf_of(const GradNode& node);

}  // namespace ersatz
