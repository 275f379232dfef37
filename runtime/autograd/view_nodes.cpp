#include "runtime/autograd/view_nodes.h"

#include <algorithm>

#include "runtime/autograd/gradient_ops.h"
#include "runtime/autograd/node_hooks.h"
#include "runtime/tensor/fake_owner.h"

namespace ersatz {

namespace {

/// The node that a base gets when a view of it is written in place. The node of the writing call computes the gradient
/// of the elements in the view. The gradient of all other elements passes unchanged.
class CopySlices final : public GradNode {
 public:
  CopySlices(const Tensor& base, const Tensor& view, Ref<GradNode> writer, size_t written_edge)
      : base_(base.meta()), view_(view.meta()), writer_(std::move(writer)), written_edge_(written_edge) {
    inputs.push_back({base_.sizes, base_.dtype, base_.device});
  }
  std::string_view node_name() const override { return "torch::autograd::CopySlices"; }

  void apply(std::span<const Tensor> gradients, bool keep, Gradients& outputs) override {
    outputs.resize(next.size());
    const Tensor& gradient = gradients[0];
    if (!gradient) return;
    const GradientOps& ops = gradient_ops();
    const Tensor whole = ops.empty_strided(gradient, base_.sizes, base_.strides);
    ops.copy_into(whole, gradient);
    TensorMeta geometry = view_;
    const bool parts = is_complex(base_.dtype) && !is_complex(view_.dtype);  // view_as_real: an element of the base is
                                                                             // two of the view
    geometry.offset = view_.offset - (parts ? base_.offset * 2 : base_.offset);
    const Tensor slice = ops.as_strided(whole, geometry);
    const Tensor through[] = {ops.clone(slice, MemoryFormat::Preserve)};
    Gradients of_writer;
    writer_->apply(through, keep, of_writer);
    size_t to = 1;
    for (size_t i = 0; i < of_writer.size(); ++i) {
      if (i != written_edge_) {
        outputs[to++] = std::move(of_writer[i]);
      } else if (of_writer[i]) {
        ops.copy_into(slice, of_writer[i]);
      } else {
        ops.zero(slice);
      }
    }
    if (written_edge_ >= of_writer.size()) ops.zero(slice);
    outputs[0] = whole;
  }

 private:
  TensorMeta base_, view_;
  Ref<GradNode> writer_;
  size_t written_edge_;
};

/// The grad_fn of a tensor that was converted from a tensor with a grad_fn. Its backward raises an error, because the
/// graph of the original was not converted.
class ConvertedNode final : public GradNode {
 public:
  explicit ConvertedNode(const Tensor& t) { inputs.push_back({t.meta().sizes, t.dtype(), t.device()}); }
  std::string_view node_name() const override { return "torch::autograd::Error"; }
  void apply(std::span<const Tensor>, bool, Gradients&) override {
    fail_argument(
        "tried to backward through a tensor that was converted: its original was computed, and the graph behind it was "
        "not converted");
  }
};

/// The node of a view whose memory was written through another tensor.
class ViewNode final : public GradNode {
 public:
  ViewNode(const Tensor& view, const Tensor& base, Edge to) : base_(base.meta()), view_(view.meta()) {
    next.push_back(std::move(to));
    inputs.push_back({view_.sizes, view_.dtype, view_.device});
  }
  std::string_view node_name() const override { return "AsStridedBackward0"; }
  void apply(std::span<const Tensor> gradients, bool, Gradients& outputs) override {
    outputs.push_back(gradients[0] ? gradient_ops().as_strided_backward(gradients[0], base_, view_) : Tensor());
  }

 private:
  TensorMeta base_, view_;
};

}  // namespace

void set_history(const Tensor& t, Edge edge) {
  AutogradMeta& a = need_autograd_meta(t.impl());
  if (a.retains_grad) {  // retain_grad() now applies to the gradient of the new value
    if (a.edge && a.edge.node()->hooks) hooks_of(*a.edge.node())->stop_leaving(t.impl());
    need_hooks(*edge.node()).leave(edge.input(), t);
  }
  a.edge = std::move(edge);
  a.version = t.version();
  t.impl()->meta.requires_grad = true;
}

void set_written_history(const Tensor& t, const Edge& edge, std::span<const TensorImpl* const> of_edges, bool of_view) {
  AutogradMeta* a = autograd_meta(t.impl());
  if (!a || !a->base || of_view) return set_history(t, edge);
  const Ref<GradNode> node(edge.node());
  const Tensor base = a->base;
  size_t written = of_edges.size();
  for (size_t i = 0; i < of_edges.size(); ++i) {
    if (of_edges[i] == t.impl()) written = i;
  }
  Ref<GradNode> slices(new CopySlices(base, t, node, written));
  slices->next.push_back(gradient_edge(base));
  for (size_t i = 0; i < node->next.size(); ++i) {
    if (i != written) slices->next.push_back(node->next[i]);
  }
  set_history(base, Edge(slices, 0));
  a->edge = view_edge(t, base);
  a->version = t.version();
  t.impl()->meta.requires_grad = true;
}

void set_converted_history(const Tensor& t) { set_history(t, Edge(Ref<GradNode>(new ConvertedNode(t)), 0)); }

Ref<RefCounted> copied_autograd(const Tensor& t, const std::function<Tensor(const Tensor&)>& copy) {
  const AutogradMeta* of = autograd_meta(t.impl());
  if (!of || (!of->base && !of->grad)) return {};
  auto made = make_ref<AutogradMeta>();
  if (of->base) made->base = copy(of->base);
  if (of->grad) made->grad = copy(of->grad);
  made->creation = of->creation;
  return made;
}

void set_copied_autograd(const Tensor& copy, const Tensor& original, Ref<RefCounted> autograd) {
  if (autograd) static_cast<AutogradMeta*>(autograd.get())->version = copy.version();
  copy.impl()->autograd = std::move(autograd);
  const AutogradMeta* of = autograd_meta(original.impl());
  if (!of || !of->edge || !original.meta().requires_grad) return;
  AutogradMeta& a = need_autograd_meta(copy.impl());
  if (a.base) a.edge = view_edge(copy, a.base);
  if (!a.edge) set_converted_history(copy);
}

Edge view_edge(const Tensor& view, const Tensor& base) {
  Edge to = gradient_edge(base);
  if (!to) return {};
  return Edge(Ref<GradNode>(new ViewNode(view, base, std::move(to))), 0);
}

}  // namespace ersatz
