// What autograd knows of one tensor: its node, its gradient, the tensor that it is a view of.
//
// A tensor has none of it until something is to be known; `requires_grad` itself is a bit of its metadata, where every
// call can see it at no cost. A view's node is made anew where its memory was written through another tensor.
#pragma once

#include "runtime/autograd/node.h"

namespace ersatz {

/// How a view came about, which decides whether autograd follows a write through it.
enum class ViewCreation : uint8_t {
  Default,
  NoGrad,    ///< made while gradients were off
  Multiple,  ///< one of several views that one call returned (`unbind`)
  Function,  ///< returned by a function with a backward of the user's own (function.h)
};

class AutogradMeta final : public RefCounted, public Pooled<AutogradMeta> {
 public:
  Tensor grad;                    ///< what backward runs have added up: of leaves, and of tensors that retain theirs
  Edge edge;                      ///< where a gradient of the tensor goes; empty for a leaf
  WeakRef<GradNode> accumulator;  ///< of a leaf: its AccumulateGrad while a graph holds it
  Ref<RefCounted> hooks;          ///< of a leaf: its accumulator's NodeHooks (hooks.h), null where it has none
  bool retains_grad = false;

  Tensor base;           ///< of a view: the tensor, itself no view, whose memory it shows
  uint32_t version = 0;  ///< of the storage, when `edge` was made; looked at where there is a base
  ViewCreation creation = ViewCreation::Default;
};

/// Null: nothing is known.
inline AutogradMeta* autograd_meta(const TensorImpl* t) { return static_cast<AutogradMeta*>(t->autograd.get()); }
/// The same, made where there is none.
AutogradMeta& need_autograd_meta(TensorImpl* t);

/// Is a gradient wanted for the tensor? A view follows its base.
bool requires_grad(const Tensor& t);
/// Sets the flag of a leaf. Raises a Runtime error for integers, and for a tensor that was computed when it is switched
/// off.
void set_requires_grad(const Tensor& t, bool requires_grad = true);
/// Was it made by no call that autograd followed?
bool is_leaf(const Tensor& t);
/// Does autograd see it as a view?
bool is_view(const Tensor& t);
/// The node that made the tensor; null for a leaf.
GradNode* grad_fn(const Tensor& t);
/// The gradient that backward runs have left, or an undefined tensor.
Tensor grad(const Tensor& t);
/// An undefined tensor takes it away. Raises a Runtime error where the gradient has other sizes, another dtype or
/// device than the tensor, or is the tensor.
void set_grad(const Tensor& t, Tensor gradient);
/// Makes backward runs leave the gradient of a tensor that is no leaf. Raises a Runtime error where none is wanted.
void retain_grad(const Tensor& t);

/// Where a gradient of the tensor goes: its node, a leaf's AccumulateGrad, or nowhere.
Edge gradient_edge(const Tensor& t);
/// A tensor on the same memory of which autograd knows nothing.
Tensor without_history(const Tensor& t);

}  // namespace ersatz
