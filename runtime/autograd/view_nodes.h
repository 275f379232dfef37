// Sets the grad_fn of tensors that calls made or wrote, including views and their bases, and of copies.
#pragma once

#include <functional>

#include "runtime/autograd/autograd_meta.h"

namespace ersatz {

/// Makes `edge` the gradient edge of `t`, and sets requires_grad.
void set_history(const Tensor& t, Edge edge);
/// Sets the gradient edge of `t`, which was written by the call that `edge` leads to. If `t` is a view, its base gets a
/// node too. `of_edges[i]`: the tensor that edge i of the node belongs to. `of_view`: the call changed only the
/// metadata of `t` (`t_`).
void set_written_history(const Tensor& t, const Edge& edge, std::span<const TensorImpl* const> of_edges, bool of_view);
/// Gives `t` a node that raises in backward. `t` was converted from a tensor that was computed.
void set_converted_history(const Tensor& t);
/// Returns the AutogradMeta of a copy of `t`: `.grad` and the base, each copied by `copy`, and how the view was made.
/// Null if `t` has neither.
Ref<RefCounted> copied_autograd(const Tensor& t, const std::function<Tensor(const Tensor&)>& copy);
/// Gives `copy` the AutogradMeta that copied_autograd() returned for `original`. The copy of a leaf is a leaf. The copy
/// of a computed tensor has a node that raises in backward, because the graph is not copied. The copy of a view passes
/// its gradient to the copy of the base.
void set_copied_autograd(const Tensor& copy, const Tensor& original, Ref<RefCounted> autograd);
/// Returns an edge to a new node for `view`, which passes its gradient to `base`. The edge is empty if `base` requires
/// no gradient.
Edge view_edge(const Tensor& view, const Tensor& base);

}  // namespace ersatz
