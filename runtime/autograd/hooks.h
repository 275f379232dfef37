// Functions of the user that a backward run calls: on gradients of tensors, around nodes, behind the leaves.
//
// At each node a run calls, in this order: the hooks of the tensors that the node made, in order of registration; the
// node's pre-hooks; the node; for a leaf the hooks behind the accumulation; the node's hooks. `retain_grad` keeps a
// gradient as the hooks of its tensor left it. A tensor's hook belongs to the node that the tensor has when the hook is
// registered: after a write into the tensor, older hooks see the gradient of what was there before the write.
//
// Hooks run with gradients recorded if the run has `create_graph`. A hook that throws ends the run; the graph can be
// run again unless nodes that came before freed what they had saved. Hooks that are added or removed during a run count
// from the next node on. A run that stops at named tensors (`grad(outputs, inputs)`) calls no hook of nodes beyond.
#pragma once

#include <mutex>
#include <optional>

#include "runtime/autograd/autograd_meta.h"

namespace ersatz {

/// Sees the gradient of its tensor (undefined: no gradient came) and may return another of its dtype, device and sizes.
/// An undefined answer leaves the gradient.
using TensorHook = std::function<Tensor(const Tensor& gradient)>;
/// Sees the gradients of the results of the node's call and may return others, as many, of the same kind.
using NodePreHook = std::function<std::optional<std::vector<Tensor>>(std::span<const Tensor> gradients)>;
/// Sees what the node returns, one gradient per edge of `next`, beside the gradients that it got. It may return others.
using NodeHook = std::function<std::optional<std::vector<Tensor>>(std::span<const Tensor> returned,
                                                                  std::span<const Tensor> gradients)>;
/// Sees a leaf whose `.grad` has just got a gradient.
using LeafHook = std::function<void(const Tensor& leaf)>;

/// What is called at one node. Any thread may add and remove hooks while another runs the graph.
class NodeHooks final : public RefCounted {
 public:
  uint64_t add(uint32_t input, TensorHook hook);
  uint64_t add(NodePreHook hook);
  uint64_t add(NodeHook hook);
  uint64_t add(LeafHook hook);
  void remove(uint64_t id);
  /// Makes runs leave the gradient of a tensor, the result number `input`.
  void leave(uint32_t input, const Tensor& t);
  void stop_leaving(const TensorImpl* t);

  // What a run calls, in this order. Runtime errors where a hook answers what cannot stand for what it was given.
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

/// Null: nothing is called at the node.
inline NodeHooks* hooks_of(const GradNode& node) { return static_cast<NodeHooks*>(node.hooks.get()); }
NodeHooks& need_hooks(GradNode& node);

/// Takes a hook off again. It does not keep the graph alive, and it may outlive it.
class HookHandle {
 public:
  HookHandle() = default;
  HookHandle(Ref<NodeHooks> hooks, uint64_t id) : hooks_(hooks), id_(id) {}
  /// Does nothing where the hook is off already.
  void remove();

 private:
  WeakRef<NodeHooks> hooks_;
  uint64_t id_ = 0;
};

/// Runtime error for a tensor that requires no gradient. A leaf keeps its hooks, whatever graphs it is used in.
HookHandle register_hook(const Tensor& t, TensorHook hook);
HookHandle register_prehook(GradNode& node, NodePreHook hook);
HookHandle register_hook(GradNode& node, NodeHook hook);
/// Runtime error for a tensor that is no leaf or requires no gradient.
HookHandle register_post_accumulate_grad_hook(const Tensor& leaf, LeafHook hook);

}  // namespace ersatz
