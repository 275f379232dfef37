// The hooks of a node of the gradient graph, in the order in which a backward run calls them (hooks.h).
#pragma once

#include <mutex>

#include "runtime/autograd/hooks.h"

namespace ersatz {

/// The hooks of one node. Any thread may add and remove hooks while another thread runs the graph.
class NodeHooks final : public RefCounted {
 public:
  uint64_t add(uint32_t input, TensorHook hook);
  uint64_t add(NodePreHook hook);
  uint64_t add(NodeHook hook);
  uint64_t add(LeafHook hook);
  void remove(uint64_t id);
  /// Implements retain_grad(t): makes runs store the gradient of `t` in its `.grad`. `input` is the index of `t` among
  /// the results of the node's call.
  void leave(uint32_t input, const Tensor& t);
  void stop_leaving(const TensorImpl* t);

  // A backward run calls these functions in this order. They raise a Runtime error if a hook returns another number of
  // gradients than it got, or a gradient of another dtype, device or size.
  void run_tensor_hooks(const GradNode& node, std::span<Tensor> gradients) const;
  void leave_retained(std::span<const Tensor> gradients) const;
  void run_prehooks(const GradNode& node, Gradients& gradients) const;
  void run_leaf_hooks(const Tensor& leaf) const;
  void run_hooks(const GradNode& node, Gradients& returned, std::span<const Tensor> gradients) const;

 private:
  template <class F>
  struct Hook {
    uint64_t id;
    F call;
    uint32_t input = 0;
  };
  template <class F>
  uint64_t append(std::vector<Hook<F>>& list, F hook, uint32_t input = 0);
  template <class T>
  T snapshot(const T& list) const {
    const std::lock_guard lock(mutex_);
    return list;
  }

  mutable std::mutex mutex_;
  uint64_t last_ = 0;
  std::vector<Hook<TensorHook>> on_tensors_;
  std::vector<Hook<NodePreHook>> before_;
  std::vector<Hook<NodeHook>> behind_;
  std::vector<Hook<LeafHook>> behind_leaf_;
  std::vector<std::pair<uint32_t, WeakRef<TensorImpl>>> retained_;
};

/// Returns the hooks of `node`; null if it has none.
inline NodeHooks* hooks_of(const GradNode& node) { return static_cast<NodeHooks*>(node.hooks.get()); }
NodeHooks& need_hooks(GradNode& node);

}  // namespace ersatz
