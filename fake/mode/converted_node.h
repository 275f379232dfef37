// The node of a tensor that was converted and is no leaf: it stands for the calls that made what it was converted from.
#pragma once

#include "runtime/autograd/node.h"

namespace ersatz {

/// A gradient goes nowhere from here, since these calls were made on no fakes. The name is that of the node which
/// PyTorch's converted tensors have.
class ConvertedNode final : public GradNode {
 public:
  explicit ConvertedNode(const TensorMeta& meta) { inputs.push_back({meta.sizes, meta.dtype, meta.device}); }
  std::string_view node_name() const override { return "CloneBackward0"; }
  void apply(std::span<const Tensor>, bool, Gradients&) override {}
};

}  // namespace ersatz
