// A node of the gradient graph. A backward run calls the node, and the node's edges lead to the nodes that get its
// gradients.
//
// A node belongs to one operator call. Its inputs are the gradients of the call's results; its outputs are the
// gradients of the call's arguments, and output i goes to `next[i]`. A node owns the nodes that its edges lead to, but
// no result of its own call, so a graph has no cycle. One thread builds a graph; several threads may then run it at
// once.
#pragma once

#include <functional>
#include <string>

#include "runtime/tensor/tensor.h"

namespace ersatz {

class GradNode;

/// A node and the index of its input that a gradient goes to. A gradient on an empty Edge is dropped.
class Edge {
 public:
  Edge() = default;
  Edge(Ref<GradNode> node, uint32_t input);
  Edge(const Edge& o);
  Edge(Edge&& o) noexcept : node_(std::exchange(o.node_, nullptr)), input_(o.input_) {}
  Edge& operator=(Edge o) noexcept {
    std::swap(node_, o.node_);
    std::swap(input_, o.input_);
    return *this;
  }
  /// Frees the nodes that lose their last edge. It does not recurse, whatever the depth of the graph.
  ~Edge() {
    if (node_) release(node_);
  }
  explicit operator bool() const { return node_ != nullptr; }
  GradNode* node() const { return node_; }
  uint32_t input() const { return input_; }

 private:
  static void release(GradNode* node) noexcept;
  GradNode* node_ = nullptr;
  uint32_t input_ = 0;
};

/// The metadata that the gradient of one result must have. The engine sums a gradient of larger sizes and casts one of
/// another dtype.
struct GradientShape {
  DimVec sizes;
  DType dtype = DType::F32;
  Device device;
};

/// A list of gradients. An undefined tensor represents a gradient of zeros, without memory.
using Gradients = InlineVec<Tensor, 2>;

class GradNode : public RefCounted {
 public:
  /// Gives the node the next sequence number of this thread. The ready node with the largest number runs first.
  GradNode();
  ~GradNode() override;

  /// Returns PyTorch's name of the node: `MulBackward0`.
  virtual std::string_view node_name() const = 0;
  /// Returns the operator whose call made the node, `aten.mul.Tensor`; empty if no operator did.
  virtual std::string_view op_name() const { return {}; }
  /// Appends one gradient per edge of `next` to `outputs`. `gradients` has one tensor per input. `keep`: saved tensors
  /// are kept for another run. Raises the errors of operators, and a Runtime error if a saved tensor was changed or
  /// freed.
  virtual void apply(std::span<const Tensor> gradients, bool keep, Gradients& outputs) = 0;
  /// Returns whether this is the AccumulateGrad node of a leaf. A ready AccumulateGrad node runs before other ready
  /// nodes.
  virtual bool accumulates() const { return false; }
  /// Calls the function with each tensor that the node saves for backward. If a tensor is saved twice, the function
  /// gets it twice.
  virtual void visit_saved(const std::function<void(const Tensor&)>&) const {}

  InlineVec<Edge, 2> next;
  InlineVec<GradientShape, 1> inputs;
  uint64_t sequence;
  Ref<RefCounted> hooks;  ///< NodeHooks (hooks.h); null if the node has no hooks
  std::string source;     ///< the user's source line of the forward call; empty if unknown

 protected:
  struct Leaf {};
  explicit GradNode(Leaf);
};

}  // namespace ersatz
