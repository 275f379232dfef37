// Functions of the user that a backward run calls: on gradients of tensors, before and after nodes, and after a leaf's
// accumulation.
//
// At each node a run calls first the hooks of the tensors that the node made, in order of registration. Then come the
// node's pre-hooks, the node, a leaf's post-accumulate-grad hooks, and the node's hooks. `retain_grad` stores the
// gradient that the hooks of its tensor return. A tensor's hook belongs to the node that the tensor has when the hook
// is registered. After a write into the tensor, older hooks get the gradient of the old value.
//
// Hooks run with gradients recorded if the run has `create_graph`. A hook that throws ends the run. The graph can be
// run again unless nodes that ran before have freed their saved tensors. Hooks that are added or removed during a run
// take effect at the next node, or earlier. `grad(outputs, inputs)` calls no hook of nodes beyond `inputs`.
#pragma once

#include <mutex>
#include <optional>

#include "runtime/autograd/autograd_meta.h"

namespace ersatz {

/// Gets the gradient of its tensor, undefined if none arrived. May return a replacement of the same dtype, device and
/// sizes. An undefined result keeps the gradient.
using TensorHook = std::function<Tensor(const Tensor& gradient)>;
/// Gets the gradients of the results of the node's call. May return replacements, one for each, of the same dtypes,
/// devices and sizes.
using NodePreHook = std::function<std::optional<std::vector<Tensor>>(std::span<const Tensor> gradients)>;
/// Gets the gradients that the node returned, one per edge of `next`, and the gradients that it got. May return
/// replacements for `returned`.
using NodeHook = std::function<std::optional<std::vector<Tensor>>(std::span<const Tensor> returned,
                                                                  std::span<const Tensor> gradients)>;
/// Gets a leaf whose `.grad` a run has just changed.
using LeafHook = std::function<void(const Tensor& leaf)>;

/// The hooks of one node. Any thread may add and remove hooks while another runs the graph.
class NodeHooks final : public RefCounted {
 public:
  uint64_t add(uint32_t input, TensorHook hook);
  uint64_t add(NodePreHook hook);
  uint64_t add(NodeHook hook);
  uint64_t add(LeafHook hook);
  void remove(uint64_t id);
  /// Makes runs store the gradient of `t` in its `.grad` (retain_grad). `t` is result number `input` of the node's
  /// call.
  void leave(uint32_t input, const Tensor& t);
  void stop_leaving(const TensorImpl* t);

  // A run calls these in this order. They raise a Runtime error if a hook returns another number of gradients than it
  // got, or a gradient of another dtype, device or size.
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

/// Removes a hook. A handle does not keep the graph alive, and it may outlive the graph.
class HookHandle {
 public:
  HookHandle() = default;
  HookHandle(Ref<NodeHooks> hooks, uint64_t id) : hooks_(hooks), id_(id) {}
  /// Does nothing if the hook was removed already.
  void remove();

 private:
  WeakRef<NodeHooks> hooks_;
  uint64_t id_ = 0;
};

/// Raises a Runtime error if `t` requires no gradient. A leaf keeps its hooks in all graphs that use it.
HookHandle register_hook(const Tensor& t, TensorHook hook);
HookHandle register_prehook(GradNode& node, NodePreHook hook);
HookHandle register_hook(GradNode& node, NodeHook hook);
/// Raises a Runtime error if `leaf` is no leaf or requires no gradient.
HookHandle register_post_accumulate_grad_hook(const Tensor& leaf, LeafHook hook);

}  // namespace ersatz
