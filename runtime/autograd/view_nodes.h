// Sets the grad_fn of tensors that a call made or wrote, of views and their bases, and of copies.
#pragma once

#include <functional>

#include "runtime/autograd/autograd_meta.h"

namespace ersatz {

/// Makes `edge` the gradient edge of `t`, and sets requires_grad of `t`.
void set_history(const Tensor& t, Edge edge);
/// Sets the gradient edge of `t` to `edge`, which leads to the node of the call that wrote `t`. If `t` is a view, its
/// base gets a node too. `of_edges[i]` is the argument that edge i of the node belongs to. `of_view`: the call changed
/// only the metadata of `t` (`t_`).
void set_written_history(const Tensor& t, const Edge& edge, std::span<const TensorImpl* const> of_edges, bool of_view);
/// Gives `t`, which was converted from a tensor with a grad_fn, a node that raises an error in backward.
void set_converted_history(const Tensor& t);
/// Returns the AutogradMeta for a copy of `t`. It has the ViewCreation of `t`, and `copy` copies `.grad` and the base.
/// Null if `t` has neither `.grad` nor a base.
Ref<RefCounted> copied_autograd(const Tensor& t, const std::function<Tensor(const Tensor&)>& copy);
/// Gives `copy` the AutogradMeta that copied_autograd() returned for `original`. The copy of a leaf is a leaf. The copy
/// of a tensor with a grad_fn gets a node that raises an error in backward, because the graph is not copied. The copy
/// of a view passes its gradient to the copy of the base.
void set_copied_autograd(const Tensor& copy, const Tensor& original, Ref<RefCounted> autograd);
/// Returns an edge to a new node for `view`, which passes its gradient to `base`. The edge is empty if `base` requires
/// no gradient.
Edge view_edge(const Tensor& view, const Tensor& base);

}  // namespace ersatz
