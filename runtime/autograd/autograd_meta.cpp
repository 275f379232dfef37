#include "runtime/autograd/autograd_meta.h"

#include "runtime/autograd/accumulate.h"
#include "runtime/autograd/grad_mode.h"
#include "runtime/autograd/history_observer.h"
#include "runtime/autograd/node_hooks.h"
#include "runtime/autograd/view_nodes.h"
#include "runtime/tensor/fake_owner.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {

ERSATZ_DEFINE_POOL(AutogradMeta)

namespace {
thread_local constinit HistoryObserver* t_history_observer = nullptr;
}  // namespace

HistoryObserver::HistoryObserver() : outer_(std::exchange(t_history_observer, this)) {}
HistoryObserver::~HistoryObserver() { t_history_observer = outer_; }

AutogradMeta& need_autograd_meta(TensorImpl* t) {
  if (!t->autograd) t->autograd = Ref<RefCounted>(new AutogradMeta);
  return *autograd_meta(t);
}

namespace {
/// If the memory of the view `t` was written since its node was made, gives it a new node. The new node passes the
/// gradient to the view's base.
void refresh_view(const Tensor& t) {
  AutogradMeta* a = autograd_meta(t.impl());
  if (!a || !a->base || a->version == t.version()) return;
  if (!a->edge && !requires_grad(a->base)) return;
  if (a->creation != ViewCreation::Default) {
    fail_argument(
        "{} is a view that was made {}, and its memory was written since: autograd cannot follow that; return a copy "
        "instead",
        t.meta(),
        a->creation == ViewCreation::NoGrad     ? "in no_grad mode"
        : a->creation == ViewCreation::Function ? "inside a custom Function"
                                                : "as one of several by one call");
  }
  a->version = t.version();
  a->edge = view_edge(t, a->base);
  t.impl()->meta.requires_grad = static_cast<bool>(a->edge);
}
}  // namespace

bool requires_grad(const Tensor& t) {
  if (!t) return false;
  refresh_view(t);
  if (t.meta().requires_grad) return true;
  const AutogradMeta* a = autograd_meta(t.impl());
  return a && a->base && requires_grad(a->base);
}

void set_requires_grad(const Tensor& t, bool requires_grad) {
  const bool differentiable = is_float(t.dtype()) || is_complex(t.dtype());
  if (requires_grad && !differentiable) {
    fail_argument("only tensors of floating point and complex dtype can require gradients, {} cannot", t.meta());
  }
  if (!is_leaf(t) && !requires_grad) {
    fail_argument("requires_grad of {} can only be changed on a leaf: it was computed by {}; detach it instead",
                  t.meta(), grad_fn(t)->node_name());
  }
  if (t.meta().inference && requires_grad) {
    const bool outside = !rule_context().inference_mode;
    if (outside)
      fail_argument("setting requires_grad=True on an inference tensor outside of InferenceMode is not allowed");
  }
  t.impl()->meta.requires_grad = requires_grad;
}

bool is_leaf(const Tensor& t) { return !grad_fn(t); }

bool is_view(const Tensor& t) {
  const AutogradMeta* a = autograd_meta(t.impl());
  return a && a->base;
}

GradNode* grad_fn(const Tensor& t) {
  refresh_view(t);
  const AutogradMeta* a = autograd_meta(t.impl());
  return a ? a->edge.node() : nullptr;
}

Tensor grad(const Tensor& t) {
  const AutogradMeta* a = autograd_meta(t.impl());
  return a ? a->grad : Tensor();
}

void set_grad(const Tensor& t, Tensor gradient) {
  if (gradient) {
    if (gradient.is(t)) fail_argument("can't assign a tensor as its own grad: {}", t.meta());
    if (gradient.dtype() != t.dtype() || gradient.device() != t.device() || !same_sizes(gradient.sizes(), t.sizes())) {
      fail_argument("attempting to assign a gradient of {} to a tensor of {}: size, dtype and device must be the same",
                    gradient.meta(), t.meta());
    }
  }
  need_autograd_meta(t.impl()).grad = std::move(gradient);
}

void retain_grad(const Tensor& t) {
  if (!requires_grad(t)) fail_argument("can't retain_grad on a tensor that has requires_grad=False: {}", t.meta());
  if (is_leaf(t)) return;
  AutogradMeta& a = need_autograd_meta(t.impl());
  if (std::exchange(a.retains_grad, true)) return;
  need_hooks(*a.edge.node()).leave(a.edge.input(), t);
}

Edge gradient_edge(const Tensor& t) {
  if (!requires_grad(t)) return {};
  AutogradMeta& a = need_autograd_meta(t.impl());
  if (a.edge) return a.edge;
  Ref<GradNode> accumulator = a.accumulator.lock();
  if (!accumulator) {
    accumulator = make_accumulator(t);
    accumulator->hooks = a.hooks;
    a.accumulator = WeakRef<GradNode>(accumulator);
  }
  return Edge(std::move(accumulator), 0);
}

Tensor without_history(const Tensor& t) {
  Tensor copy(make_ref<TensorImpl>(t.meta(), t.storage(), t.impl()->fake_mode));
  copy.impl()->meta.requires_grad = false;
  if (t_history_observer) [[unlikely]]
    t_history_observer->made_without_history(copy, t);
  return copy;
}

}  // namespace ersatz
