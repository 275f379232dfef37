// Functions of the user that a backward run calls: with the gradients of tensors, before and after nodes, and after a
// leaf's `.grad` changed.
//
// At each node, a backward run first calls the hooks of the tensors that the node's call returned, in order of
// registration. Then it calls the node's pre-hooks, the node, a leaf's post-accumulate-grad hooks, and the node's
// hooks. After retain_grad(), `.grad` gets the gradient that the tensor's hooks return. A tensor's hook belongs to the
// node that the tensor has at registration. After an in-place write, older hooks therefore get the gradient of the old
// value.
//
// If the run has `create_graph`, calls in hooks are recorded. A hook that throws ends the run. The graph can then be
// run again, unless nodes that ran before have freed their saved tensors. Hooks that are added or removed during a run
// take effect at the next node or earlier. `grad(outputs, inputs)` calls no hook of nodes beyond `inputs`.
#pragma once

#include <optional>

#include "runtime/autograd/autograd_meta.h"

namespace ersatz {

/// Gets the gradient of its tensor, which is undefined if none arrived. It may return a replacement of the same dtype,
/// device and sizes. If it returns an undefined tensor, the gradient stays.
using TensorHook = std::function<Tensor(const Tensor& gradient)>;
/// Gets the gradients of the results of the node's call. It may return one replacement for each, of the same dtypes,
/// devices and sizes.
using NodePreHook = std::function<std::optional<std::vector<Tensor>>(std::span<const Tensor> gradients)>;
/// Gets the gradients that the node returned, one per edge of `next`, and the gradients that the node received. It may
/// return replacements for `returned`.
using NodeHook = std::function<std::optional<std::vector<Tensor>>(std::span<const Tensor> returned,
                                                                  std::span<const Tensor> gradients)>;
/// A function that gets a leaf after a backward run has changed the leaf's `.grad`.
using LeafHook = std::function<void(const Tensor& leaf)>;

class NodeHooks;  // runtime/autograd/node_hooks.h

/// A handle to remove a hook. It does not keep the graph alive, and it may outlive the graph.
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

/// Registers a hook on the gradient of `t`. Raises a Runtime error if `t` requires no gradient. The hooks of a leaf
/// apply in all graphs that use the leaf.
HookHandle register_hook(const Tensor& t, TensorHook hook);
HookHandle register_prehook(GradNode& node, NodePreHook hook);
HookHandle register_hook(GradNode& node, NodeHook hook);
/// Registers a hook that runs after a gradient was added to the `.grad` of `leaf`. Raises a Runtime error if `leaf` is
/// no leaf or requires no gradient.
HookHandle register_post_accumulate_grad_hook(const Tensor& leaf, LeafHook hook);

}  // namespace ersatz
