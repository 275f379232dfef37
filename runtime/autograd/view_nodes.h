// Histories of tensors that calls made or wrote, of views and their bases among them.
#pragma once

#include "runtime/autograd/autograd_meta.h"

namespace ersatz {

/// Gives a tensor its node.
void set_history(const Tensor& t, Edge edge);
/// The history of a tensor that the call of `edge` wrote. Of a view the base gets a node too. `of_edges`: whose
/// gradients the node gives; `of_view`: the call changed the tensor's metadata alone (`t_`).
void set_written_history(const Tensor& t, const Edge& edge, std::span<const TensorImpl* const> of_edges, bool of_view);
/// Gives a tensor that was converted, and whose original was computed, a node through which backward is refused.
void set_converted_history(const Tensor& t);
/// The node of a view that is made anew: its gradient goes to `base`.
Edge view_edge(const Tensor& view, const Tensor& base);

}  // namespace ersatz
