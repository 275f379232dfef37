// The autograd state of one tensor: its node, its gradient, and the base that it is a view of.
//
// A tensor has no AutogradMeta until one is needed. `requires_grad` is a bit of TensorMeta instead, because each call
// reads it. If the memory of a view was written through another tensor, the view gets a new node.
#pragma once

#include "runtime/autograd/node.h"

namespace ersatz {

/// Says which call made a view. This decides whether autograd can record a write through the view.
enum class ViewCreation : uint8_t {
  Default,
  NoGrad,    ///< made while grad_mode was off
  Multiple,  ///< one of several views that one call returned (`unbind`)
  Function,  ///< returned by a user's Function (function.h)
};

class AutogradMeta final : public RefCounted, public Pooled<AutogradMeta> {
 public:
  Tensor grad;                    ///< `.grad`: the sum of the gradients of all backward runs
  Edge edge;                      ///< the node, and its input, that a gradient of the tensor goes to; empty for a leaf
  WeakRef<GradNode> accumulator;  ///< for a leaf: its AccumulateGrad node while a graph holds it
  Ref<RefCounted> hooks;          ///< for a leaf: the NodeHooks (hooks.h) of its accumulator; null if it has none
  bool retains_grad = false;

  Tensor base;           ///< for a view: the tensor that is not a view and whose memory this tensor shares
  uint32_t version = 0;  ///< the storage's version when `edge` was made; used only if `base` is defined
  ViewCreation creation = ViewCreation::Default;
};

/// Returns the tensor's AutogradMeta, or null if it has none.
inline AutogradMeta* autograd_meta(const TensorImpl* t) { return static_cast<AutogradMeta*>(t->autograd.get()); }
/// Returns the tensor's AutogradMeta. Creates it if there is none.
AutogradMeta& need_autograd_meta(TensorImpl* t);

/// Returns whether `t` requires a gradient. A view of a base that requires a gradient does too. Raises a Runtime error
/// if the memory of `t` was written and `t` is a view whose writes autograd cannot record (ViewCreation).
bool requires_grad(const Tensor& t);
/// Sets `requires_grad`. A Runtime error is raised if it becomes true for a dtype that is neither float nor complex, or
/// for an inference tensor outside of InferenceMode. It is also raised if `requires_grad` becomes false for a tensor
/// that is no leaf.
void set_requires_grad(const Tensor& t, bool requires_grad = true);
/// Returns whether `t` has no grad_fn.
bool is_leaf(const Tensor& t);
/// Returns whether autograd tracks `t` as a view of another tensor.
bool is_view(const Tensor& t);
/// Returns the node of the call that made `t`; null for a leaf.
GradNode* grad_fn(const Tensor& t);
/// Returns `.grad`; an undefined tensor if there is none.
Tensor grad(const Tensor& t);
/// Sets `.grad`; an undefined `gradient` removes it. Raises a Runtime error if `gradient` is `t` itself, or differs
/// from `t` in sizes, dtype or device.
void set_grad(const Tensor& t, Tensor gradient);
/// Makes backward runs store the gradient of `t` in `.grad` although `t` is no leaf. Raises a Runtime error if `t`
/// requires no gradient.
void retain_grad(const Tensor& t);

/// Returns the edge that a gradient of `t` goes to: to its grad_fn, or to the AccumulateGrad node of a leaf. The edge
/// is empty if `t` requires no gradient.
Edge gradient_edge(const Tensor& t);
/// Returns a tensor with the memory and metadata of `t`, without AutogradMeta and with requires_grad=False.
Tensor without_history(const Tensor& t);

}  // namespace ersatz
