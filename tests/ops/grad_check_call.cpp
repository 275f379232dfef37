#include "tests/ops/grad_check_call.h"

#include "runtime/autograd/backward.h"
#include "runtime/autograd/derivative.h"
#include "runtime/tensor/generator.h"
#include "tests/ops/op_calls.h"

namespace ersatz::grad_check {

namespace {

template <class F>
Value map(const Value& v, F&& f) {
  return map_leaves(
      v, [&](const Value& leaf) { return leaf.is_tensor() && leaf.tensor() ? Value(f(leaf.tensor())) : leaf; });
}

Tensor adjoint(const Tensor& t) {
  return call_op<"aten.conj_physical.default">(call_op<"aten.transpose.int">(t, -2, -1));
}
bool is_square(const Tensor& t) {
  return is_wide(t.dtype()) && t.dim() >= 2 && size_eq(t.sizes()[t.dim() - 1], t.sizes()[t.dim() - 2]);
}

}  // namespace

Tensor random_like(const Tensor& t, uint64_t seed) {
  const Tensor made = make_sample_tensor(t.meta());
  fill_random(made, -1, 1, seed);
  return made;
}

Tensor prepared(const Tensor& t, Matrices how, bool is_direction) {
  if (how == Matrices::Any || !is_square(t)) return t;
  if (how == Matrices::Lower) {
    Tensor lower = call_op<"aten.tril.default">(t, 0);
    if (is_complex(t.dtype())) {  // LAPACK assumes that the diagonal is real
      const Tensor diagonal = call_op<"aten.tril.default">(call_op<"aten.triu.default">(t, 0), 0);
      const Tensor turned = call_op<"aten.conj_physical.default">(diagonal);
      lower = call_op<"aten.sub.Tensor">(lower, call_op<"aten.sub.Tensor">(diagonal, turned, 1), 0.5);
    }
    const Tensor one = call_op<"aten.eye.default">(t.sizes()[t.dim() - 1], t.dtype(), Value(), Value(), Value());
    const Tensor made = is_direction ? lower : call_op<"aten.add.Tensor">(lower, one, 3.0);
    return combined(t, made, [](auto, auto b) { return b; });
  }
  if (how == Matrices::Hermitian || is_direction)
    return combined(t, call_op<"aten.clone.default">(adjoint(t), Value()),
                    [](auto a, auto b) { return (a + b) * 0.5; });
  const double n = static_cast<double>(t.sizes()[t.dim() - 1].guard_int());
  const Tensor product = call_op<"aten.matmul.default">(t, adjoint(t));
  const Tensor one = call_op<"aten.eye.default">(int64_t(n), t.dtype(), Value(), Value(), Value());
  const Tensor made = call_op<"aten.add.Tensor">(product, one, n);
  return combined(t, made, [](auto, auto b) { return b; });
}

bool has_no_formula(std::string_view message) {
  for (const std::string_view words :
       {"in PyTorch neither", "mode='complete' has no gradient for", "the second gradient of interpolation mode 2",
        "nll_loss2d_backward: the gradient must be row-major", "for outputs with complex dtype"}) {
    if (message.find(words) != std::string_view::npos) return true;
  }
  return false;
}

Call::Call(const OpEntry& op, std::vector<Value> arguments, Matrices matrices)
    : op_(op), arguments_(std::move(arguments)) {
  const Derivative& d = derivative_of(op);
  for (size_t i = 0; i < arguments_.size(); ++i) {
    const bool has_gradient = d.verdict == GradientVerdict::Items ||
                              std::find(d.arguments.begin(), d.arguments.end(), i) != d.arguments.end();
    arguments_[i] = map(arguments_[i], [&](const Tensor& t) {
      const Tensor made = prepared(t, matrices, false);
      places_.push_back(made);
      if (has_gradient && is_wide(t.dtype())) leaves_.push_back(places_.size() - 1);
      return made;
    });
  }
  drop_impossible();
}

Tensors Call::run(const Tensors& at) const {
  std::vector<Value> arguments;
  Tensors written;
  size_t place = 0;
  for (size_t i = 0; i < arguments_.size(); ++i) {
    const bool writes = op_.schema.arguments[i].is_write();
    arguments.push_back(map(arguments_[i], [&](const Tensor&) {
      Tensor t = at[place++];
      if (writes) t = call_op<"aten.clone.default">(t, MemoryFormat::Preserve);
      if (writes) written.push_back(t);
      return t;
    }));
  }
  manual_seed(7);
  Values results;
  dispatch(op_, arguments, results);
  Tensors all;
  for_each_tensor(results, [&](TensorImpl* t) { all.emplace_back(Ref<TensorImpl>(t)); });
  return op_.schema.returns.empty() ? written : all;
}

Tensors Call::with_leaves(Tensors* leaves) const {
  Tensors at = places_;
  for (size_t place : leaves_) {
    at[place] = copied(at[place]);
    set_requires_grad(at[place]);
    leaves->push_back(at[place]);
  }
  for (size_t i = 0; i < at.size(); ++i) {
    if (std::find(leaves_.begin(), leaves_.end(), i) == leaves_.end())
      at[i] = call_op<"aten.clone.default">(at[i], Value());
  }
  return at;
}

/// Drops leaves for which PyTorch has no formula, each tried alone, and results without gradients.
void Call::drop_impossible() {
  std::vector<size_t> possible;
  const std::vector<size_t> all = leaves_;
  for (size_t place : all) {
    leaves_ = {place};
    try {
      Tensors leaf;
      Tensors results;
      try {
        results = run(with_leaves(&leaf));
      } catch (const Error& e) {
        throw Refused{e.message};
      }
      Tensors outputs, ones;
      for (const Tensor& t : results) {
        if (!requires_grad(t)) continue;
        outputs.push_back(t);
        ones.push_back(random_like(t, 3));
      }
      if (outputs.empty()) continue;
      grad(outputs, leaf, {.gradients = ones, .allow_unused = true});
      possible.push_back(place);
    } catch (const Error& e) {
      if (!has_no_formula(e.message)) throw;
    }
  }
  leaves_ = possible;
  if (leaves_.empty()) return;
  Tensors leaves;
  const Tensors results = run(with_leaves(&leaves));
  for (size_t i = 0; i < results.size(); ++i) {
    if (requires_grad(results[i])) graded_.push_back(i);
  }
}

}  // namespace ersatz::grad_check
