#include "runtime/autograd/hooks.h"

#include <algorithm>

#include "runtime/autograd/gradient_ops.h"
#include "runtime/autograd/node_hooks.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {

namespace {

/// Raises a Runtime error if `answer`, the gradient that a hook returned in place of `given`, has another dtype, device
/// or size.
void require_same_kind(const GradNode& node, const Tensor& given, const Tensor& answer) {
  if (!answer) return;
  if (!given) {
    fail_argument("a hook at {} can't replace a None gradient with a non-None value: it answered {}", node.node_name(),
                  answer.meta());
  }
  if (given.dtype() != answer.dtype() || given.device() != answer.device()) {
    fail_argument("a hook at {} has changed the type of value (was {} got {})", node.node_name(), given.meta(),
                  answer.meta());
  }
  if (!same_sizes(given.sizes(), answer.sizes())) {
    fail_argument("a hook at {} has changed the size of value (was {} got {})", node.node_name(), given.meta(),
                  answer.meta());
  }
}

/// Replaces `gradients` by the list that a hook returned, if it returned one.
void replace(const GradNode& node, Gradients& gradients, std::optional<std::vector<Tensor>> answer) {
  if (!answer) return;
  if (answer->size() != gradients.size()) {
    fail_argument("a hook at {} has returned an incorrect number of values (got {}, but expected {})", node.node_name(),
                  answer->size(), gradients.size());
  }
  for (size_t i = 0; i < gradients.size(); ++i) {
    require_same_kind(node, gradients[i], (*answer)[i]);
    gradients[i] = std::move((*answer)[i]);
  }
}

}  // namespace

template <class F>
uint64_t NodeHooks::append(std::vector<Hook<F>>& list, F hook, uint32_t input) {
  const std::lock_guard lock(mutex_);
  list.push_back({++last_, std::move(hook), input});
  return last_;
}

uint64_t NodeHooks::add(uint32_t input, TensorHook hook) { return append(on_tensors_, std::move(hook), input); }
uint64_t NodeHooks::add(NodePreHook hook) { return append(before_, std::move(hook)); }
uint64_t NodeHooks::add(NodeHook hook) { return append(behind_, std::move(hook)); }
uint64_t NodeHooks::add(LeafHook hook) { return append(behind_leaf_, std::move(hook)); }

void NodeHooks::remove(uint64_t id) {
  const auto is_it = [&](const auto& hook) { return hook.id == id; };
  const std::lock_guard lock(mutex_);
  std::erase_if(on_tensors_, is_it);
  std::erase_if(before_, is_it);
  std::erase_if(behind_, is_it);
  std::erase_if(behind_leaf_, is_it);
}

void NodeHooks::leave(uint32_t input, const Tensor& t) {
  const std::lock_guard lock(mutex_);
  retained_.emplace_back(input, WeakRef<TensorImpl>(t.ref()));
}

void NodeHooks::stop_leaving(const TensorImpl* t) {
  const std::lock_guard lock(mutex_);
  std::erase_if(retained_, [&](const auto& r) { return r.second.lock().get() == t; });
}

void NodeHooks::run_tensor_hooks(const GradNode& node, std::span<Tensor> gradients) const {
  for (const Hook<TensorHook>& hook : snapshot(on_tensors_)) {
    Tensor& gradient = gradients[hook.input];
    Tensor answer = hook.call(gradient);
    require_same_kind(node, gradient, answer);
    if (answer) gradient = std::move(answer);
  }
}

void NodeHooks::leave_retained(std::span<const Tensor> gradients) const {
  for (const auto& [input, weak] : snapshot(retained_)) {
    const Ref<TensorImpl> alive = weak.lock();
    if (!alive || !gradients[input]) continue;
    const Tensor t(alive), before = grad(t);
    const GradientOps& ops = gradient_ops();
    set_grad(t, before ? ops.add(before, gradients[input]) : ops.clone(gradients[input], MemoryFormat::Contiguous));
  }
}

void NodeHooks::run_prehooks(const GradNode& node, Gradients& gradients) const {
  for (const Hook<NodePreHook>& hook : snapshot(before_)) replace(node, gradients, hook.call(gradients));
}

void NodeHooks::run_leaf_hooks(const Tensor& leaf) const {
  for (const Hook<LeafHook>& hook : snapshot(behind_leaf_)) hook.call(leaf);
}

void NodeHooks::run_hooks(const GradNode& node, Gradients& returned, std::span<const Tensor> gradients) const {
  for (const Hook<NodeHook>& hook : snapshot(behind_)) replace(node, returned, hook.call(returned, gradients));
}

NodeHooks& need_hooks(GradNode& node) {
  if (!node.hooks) node.hooks = Ref<RefCounted>(new NodeHooks);
  return *hooks_of(node);
}

HookHandle::HookHandle(const Ref<NodeHooks>& hooks, uint64_t id) : hooks_(hooks), id_(id) {}

void HookHandle::remove() {
  if (const Ref<NodeHooks> alive = hooks_.lock()) alive->remove(id_);
  hooks_ = {};
}

namespace {

/// Returns the hooks of the node that a gradient of `t` arrives at, which is the node of `edge`. A leaf keeps its hooks
/// alive.
Ref<NodeHooks> hooks_at(const Edge& edge, const Tensor& t) {
  NodeHooks& hooks = need_hooks(*edge.node());
  if (edge.node()->accumulates()) need_autograd_meta(t.impl()).hooks = edge.node()->hooks;
  return Ref<NodeHooks>(&hooks);
}

void require_gradient(const Tensor& t) {
  if (!requires_grad(t))
    fail_argument("cannot register a hook on a tensor that doesn't require gradient: {}", t.meta());
}

template <class F>
HookHandle register_at(GradNode& node, F hook) {
  NodeHooks& hooks = need_hooks(node);
  return {Ref<NodeHooks>(&hooks), hooks.add(std::move(hook))};
}

}  // namespace

HookHandle register_hook(const Tensor& t, TensorHook hook) {
  require_gradient(t);
  const Edge edge = gradient_edge(t);
  const Ref<NodeHooks> hooks = hooks_at(edge, t);
  return {hooks, hooks->add(edge.input(), std::move(hook))};
}

HookHandle register_prehook(GradNode& node, NodePreHook hook) { return register_at(node, std::move(hook)); }
HookHandle register_hook(GradNode& node, NodeHook hook) { return register_at(node, std::move(hook)); }

HookHandle register_post_accumulate_grad_hook(const Tensor& leaf, LeafHook hook) {
  require_gradient(leaf);
  if (!is_leaf(leaf)) {
    fail_argument("post accumulate grad hooks cannot be registered on non-leaf tensors: {} was made by {}", leaf.meta(),
                  grad_fn(leaf)->node_name());
  }
  const Ref<NodeHooks> hooks = hooks_at(gradient_edge(leaf), leaf);
  return {hooks, hooks->add(std::move(hook))};
}

}  // namespace ersatz
