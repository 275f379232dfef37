// A node of the gradient graph: a backward run calls it, and its edges lead to the nodes that get its gradients.
//
// A node belongs to one call. Its inputs are the gradients of the call's results, its outputs the gradients of the
// call's arguments: output i goes to `next[i]`. Nodes own the nodes that their edges lead to, and never own a result of
// their own call, so a graph has no cycle. A graph may be built on one thread and run on another, by several threads at
// once.
#pragma once

#include <functional>
#include <string>

#include "runtime/tensor/tensor.h"

namespace ersatz {

class GradNode;

/// A node, and the index of its input that a gradient goes to. A gradient on an empty edge is dropped.
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
  /// Frees a graph of any depth without recursion.
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

/// Metadata that the gradient of one result must have. A gradient of larger sizes is summed, one of another dtype is
/// cast.
struct GradientShape {
  DimVec sizes;
  DType dtype = DType::F32;
  Device device;
};

/// A flat list. An undefined tensor is a gradient of zeros that was never allocated.
using Gradients = InlineVec<Tensor, 2>;

class GradNode : public RefCounted {
 public:
  /// Takes the next sequence number of this thread: of two ready nodes the newer runs first.
  GradNode();
  ~GradNode() override;

  /// `MulBackward0`, as PyTorch names it.
  virtual std::string_view node_name() const = 0;
  /// `aten.mul.Tensor`: the operator whose call made the node; empty if no operator did.
  virtual std::string_view op_name() const { return {}; }
  /// Appends one gradient per edge of `next` to `outputs`. `gradients` has one tensor per input. `keep`: saved tensors
  /// stay for another run. Raises errors of operators, and a Runtime error if a saved tensor was changed or freed.
  virtual void apply(std::span<const Tensor> gradients, bool keep, Gradients& outputs) = 0;
  /// Is this the AccumulateGrad node of a leaf? These run before all others.
  virtual bool accumulates() const { return false; }
  /// Calls the function with each tensor that the node keeps for backward. A tensor that is saved twice is passed
  /// twice.
  virtual void visit_saved(const std::function<void(const Tensor&)>&) const {}

  InlineVec<Edge, 2> next;
  InlineVec<GradientShape, 1> inputs;
  uint64_t sequence;
  Ref<RefCounted> hooks;  ///< NodeHooks (hooks.h); null if the node has no hooks
  std::string source;     ///< the user's line of the call, if known

 protected:
  struct Leaf {};
  explicit GradNode(Leaf);
};

}  // namespace ersatz
