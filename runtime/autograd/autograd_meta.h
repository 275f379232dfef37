// The autograd state of one tensor: its node, its gradient, and the base that it is a view of.
//
// A tensor has no AutogradMeta until one is needed. `requires_grad` itself is a bit of TensorMeta, which each call can
// read cheaply. A view gets a new node after its memory was written through another tensor.
#pragma once

#include "runtime/autograd/node.h"

namespace ersatz {

/// How a view was made. It decides whether autograd follows a write through the view.
enum class ViewCreation : uint8_t {
  Default,
  NoGrad,    ///< made while gradients were off
  Multiple,  ///< one of several views that one call returned (`unbind`)
  Function,  ///< returned by a user's Function (function.h)
};

class AutogradMeta final : public RefCounted, public Pooled<AutogradMeta> {
 public:
  Tensor grad;                    ///< `.grad`: sum of the gradients of backward runs
  Edge edge;                      ///< node and input that a gradient of the tensor goes to; empty for a leaf
  WeakRef<GradNode> accumulator;  ///< of a leaf: its AccumulateGrad node while a graph holds it
  Ref<RefCounted> hooks;          ///< of a leaf: the NodeHooks (hooks.h) of its accumulator; null if it has none
  bool retains_grad = false;

  Tensor base;           ///< of a view: the tensor, itself not a view, whose memory it shares
  uint32_t version = 0;  ///< version of the storage when `edge` was made; read only if `base` is defined
  ViewCreation creation = ViewCreation::Default;
};

/// Returns the tensor's AutogradMeta, or null if it has none.
inline AutogradMeta* autograd_meta(const TensorImpl* t) { return static_cast<AutogradMeta*>(t->autograd.get()); }
/// Returns the tensor's AutogradMeta. Creates it if there is none.
AutogradMeta& need_autograd_meta(TensorImpl* t);

/// Does `t` require a gradient? A view also does if its base does. Raises a Runtime error if `t` is a view that
/// autograd cannot follow (`creation`) and its memory was written.
bool requires_grad(const Tensor& t);
/// Sets `requires_grad`. Raises a Runtime error if it is set for a dtype that is neither float nor complex. Raises one
/// too if it is set for an inference tensor outside of InferenceMode, or cleared for a tensor that is no leaf.
void set_requires_grad(const Tensor& t, bool requires_grad = true);
/// Has `t` no grad_fn?
bool is_leaf(const Tensor& t);
/// Does autograd track `t` as a view of another tensor?
bool is_view(const Tensor& t);
/// Returns the node of the call that made `t`; null for a leaf.
GradNode* grad_fn(const Tensor& t);
/// Returns `.grad`; an undefined tensor if there is none.
Tensor grad(const Tensor& t);
/// Sets `.grad`; an undefined `gradient` removes it. Raises a Runtime error if `gradient` is `t` itself, or if their
/// sizes, dtypes or devices differ.
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
