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

class NodeHooks;  // runtime/autograd/node_hooks.h

/// Removes a hook. A handle does not keep the graph alive, and it may outlive the graph.
class HookHandle {
 public:
  HookHandle() = default;
  HookHandle(const Ref<NodeHooks>& hooks, uint64_t id);
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
