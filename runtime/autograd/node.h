// A node of the gradient graph: what a backward run calls, and the edges to the nodes that it hands gradients to.
//
// A node stands for one call. Its inputs are the gradients of the call's results, its outputs those of the call's
// arguments: `next[i]` is where output i goes. Nodes own the nodes behind them and never a result of their own call, so
// a graph has no cycle. A graph may be built on one thread and run on another, by several threads at once.
#pragma once

#include <functional>
#include <string>

#include "runtime/tensor/tensor.h"

namespace ersatz {

class GradNode;

/// A node and the number of the input that a gradient goes to. Empty: the gradient goes nowhere.
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

/// What the gradient of one result must fit: a larger one is summed, one of another dtype is cast.
struct GradientShape {
  DimVec sizes;
  DType dtype = DType::F32;
  Device device;
};

/// Flat; an undefined tensor is a gradient of zeros that nobody made.
using Gradients = InlineVec<Tensor, 2>;

class GradNode : public RefCounted {
 public:
  /// Gets the next sequence number of this thread: of two nodes the newer one runs first.
  GradNode();
  ~GradNode() override;

  /// `MulBackward0`, as PyTorch names it.
  virtual std::string_view node_name() const = 0;
  /// `aten.mul.Tensor`: the operator whose call the node stands for; empty where it is none's.
  virtual std::string_view op_name() const { return {}; }
  /// Appends one gradient per edge of `next`. `gradients` has one tensor per input. `keep`: what was saved is needed
  /// again. Raises what the operators raise, and Runtime errors where a saved tensor was changed or freed.
  virtual void apply(std::span<const Tensor> gradients, bool keep, Gradients& outputs) = 0;
  /// Is the node the place where a leaf's gradients are added up? These run before all others.
  virtual bool accumulates() const { return false; }
  /// Bytes of the storages that the node keeps for backward, each tensor's storage named once per mention.
  virtual void visit_saved(const std::function<void(const Tensor&)>&) const {}

  InlineVec<Edge, 2> next;
  InlineVec<GradientShape, 1> inputs;
  uint64_t sequence;
  Ref<RefCounted> hooks;  ///< NodeHooks (hooks.h), null where nothing is called at the node
  std::string source;     ///< the user's line of the call, if known

 protected:
  struct Leaf {};
  explicit GradNode(Leaf);
};

}  // namespace ersatz
