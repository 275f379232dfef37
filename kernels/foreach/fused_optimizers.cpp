#include "kernels/foreach/fused_optimizers.h"

#include "kernels/creation/full.h"
#include "kernels/pointwise/arithmetic.h"
#include "kernels/shape/clone.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/functional_forms.h"
#include "kernels/shape/reshape.h"
#include "kernels/wide_operand.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_fused_optimizers {
namespace {

using namespace arithmetic;

/// Returns a tensor with one element as a 0-d f64 tensor.
Tensor number_of(const Tensor& t) { return ops::to(ops::reshape(t, DimVec()), DType::F64); }

/// Steps that all optimizers share: checks, gradients divided by grad_scale, and writes that found_inf prevents.
class Update {
 public:
  Update(const CompositeCall& call, Position lr, Position grad_scale, Position found_inf) : call_(call) {
    if (call.is_tensor(lr)) {
      call.require(check_eq(call.meta(lr).numel(), 1), "C5", "the learning rate must be one number: lr is {}",
                   call.meta(lr));
      lr_ = number_of(call.tensor(lr));
    } else {
      lr_ = ops::full(DimVec(), Scalar(call.real(lr)), {.dtype = DType::F64, .device = kCPU});
    }
    for (Position p : {grad_scale, found_inf}) {
      call.require(!call.has(p) || (check_eq(call.meta(p).numel(), 1) && call.meta(p).dtype == DType::F32), "C4",
                   "{} must be one f32 number: it is {}", call.op.schema.arguments[p].name,
                   call.has(p) ? to_string(call.meta(p)) : "None");
    }
    if (call.has(grad_scale)) scale_ = ops::reshape(call.tensor(grad_scale), DimVec());
    if (call.has(found_inf)) found_ = ops::eq(ops::reshape(call.tensor(found_inf), DimVec()), Scalar(1));
    count_ = call.list(kEach["self"]).size();
    if (count_ == 0) call.refuse(ErrorFamily::NotImplemented, "C1", "there must be a tensor at least: self is []");
    require_alike(kEach["grads"]);
  }

  size_t count() const { return count_; }
  const Tensor& lr() const { return lr_; }

  /// Checks that `list` has one tensor for each parameter, with the parameter's dtype and sizes.
  void require_alike(Position list) const {
    require_count(list, count_);
    for (size_t i = 0; i < count_; ++i) {
      const TensorMeta &t = call_.list(list)[i].tensor_impl()->meta,
                       &parameter = call_.list(kEach["self"])[i].tensor_impl()->meta;
      call_.require_dtype(parameter.dtype, kFloats);
      call_.require(t.dtype == parameter.dtype && check_eq(t.sizes, parameter.sizes), "C2",
                    "{} must be like the parameter at its place: they are {} and {}",
                    call_.op.schema.arguments[list].name, t, parameter);
    }
  }
  void require_count(Position list, size_t n) const {
    const size_t found = call_.list(list).size();
    call_.require(found == n, "C1", "lists must be of one length: {} has {}, expected are {}",
                  call_.op.schema.arguments[list].name, found, n);
  }
  void require_steps(Position list) const {
    require_count(list, count_);
    for (const Value& v : call_.list(list)) {
      const TensorMeta& step = v.tensor_impl()->meta;
      call_.require(check_eq(step.numel(), 1), "C3", "a step must be one number: it is {}", step);
    }
  }

  Tensor at(Position list, size_t i) const { return wide_operand(call_.list(list)[i].tensor()); }
  Tensor step(Position list, size_t i) const { return number_of(call_.list(list)[i].tensor()); }
  /// Returns the gradient that the step uses: divided by grad_scale, negated if `maximize`, plus weight_decay times the
  /// parameter. Writes the divided gradient to `grads`.
  Tensor gradient(size_t i, bool maximize, double weight_decay) const {
    Tensor g = at(kEach["grads"], i);
    if (scale_) write(kEach["grads"], i, g = g / scale_);
    if (maximize) g = -g;
    return weight_decay == 0 ? g : g + at(kEach["self"], i) * Scalar(weight_decay);
  }
  void write(Position list, size_t i, const Tensor& value) const {
    const Tensor to = call_.list(list)[i].tensor();
    ops::copy_(to, found_ ? call_op<"aten.where.self">(found_, wide_operand(to), value) : value);
  }

 private:
  const CompositeCall& call_;
  Tensor lr_, scale_, found_;  ///< scale_ is undefined if grad_scale is None, and found_ if found_inf is None
  size_t count_ = 0;
};

/// Adam, or AdamW if `decoupled`. AdamW's weight decay multiplies the parameter and is not added to the gradient.
template <bool decoupled>
void adam(CompositeCall& call) {
  const Update update(call, kAdam["lr"], kAdam["grad_scale"], kAdam["found_inf"]);
  const Position m_at = kAdam["exp_avgs"], v_at = kAdam["exp_avg_sqs"], largest_at = kAdam["max_exp_avg_sqs"];
  const bool keeps_largest = call.boolean(kAdam["amsgrad"]);
  const double beta1 = call.real(kAdam["beta1"]), beta2 = call.real(kAdam["beta2"]),
               decay = call.real(kAdam["weight_decay"]);
  update.require_alike(m_at);
  update.require_alike(v_at);
  if (keeps_largest) update.require_alike(largest_at);
  update.require_steps(kAdam["state_steps"]);
  const auto bias = [](double beta, const Tensor& step) {
    return ops::rsub(call_op<"aten.pow.Scalar">(Scalar(beta), step), Scalar(1));
  };
  for (size_t i = 0; i < update.count(); ++i) {
    Tensor p = update.at(kAdam["self"], i);
    const Tensor g = update.gradient(i, call.boolean(kAdam["maximize"]), decoupled ? 0 : decay);
    if (decoupled && decay != 0) p = p - p * (update.lr() * Scalar(decay));
    const Tensor m = update.at(m_at, i) * Scalar(beta1) + g * Scalar(1 - beta1);
    const Tensor v = update.at(v_at, i) * Scalar(beta2) + g * g * Scalar(1 - beta2);
    const Tensor largest = keeps_largest ? ops::maximum(update.at(largest_at, i), v) : v;
    const Tensor step = update.step(kAdam["state_steps"], i);
    const Tensor root = ops::sqrt(largest) / ops::sqrt(bias(beta2, step));
    update.write(kAdam["self"], i,
                 p - m * (update.lr() / bias(beta1, step)) / ops::add(root, Scalar(call.real(kAdam["eps"]))));
    update.write(m_at, i, m);
    update.write(v_at, i, v);
    if (keeps_largest) update.write(largest_at, i, largest);
  }
}

void sgd(CompositeCall& call) {
  const Update update(call, kSgd["lr"], kSgd["grad_scale"], kSgd["found_inf"]);
  const Position buffers = kSgd["momentum_buffer_list"];
  const Scalar momentum(call.real(kSgd["momentum"]));
  const bool has_momentum = momentum.to_double() != 0;
  if (has_momentum) {
    update.require_alike(buffers);
  } else {
    update.require_count(buffers, 0);
  }
  for (size_t i = 0; i < update.count(); ++i) {
    Tensor g = update.gradient(i, call.boolean(kSgd["maximize"]), call.real(kSgd["weight_decay"]));
    if (has_momentum) {
      const Tensor buffer = call.boolean(kSgd["is_first_step"])
                                ? g
                                : update.at(buffers, i) * momentum + g * Scalar(1 - call.real(kSgd["dampening"]));
      update.write(buffers, i, buffer);
      g = call.boolean(kSgd["nesterov"]) ? g + buffer * momentum : buffer;
    }
    update.write(kSgd["self"], i, update.at(kSgd["self"], i) - g * update.lr());
  }
}

void adagrad(CompositeCall& call) {
  const Update update(call, kAdagrad["lr"], kAdagrad["grad_scale"], kAdagrad["found_inf"]);
  update.require_alike(kAdagrad["state_sums"]);
  update.require_steps(kAdagrad["state_steps"]);
  for (size_t i = 0; i < update.count(); ++i) {
    const Tensor g = update.gradient(i, call.boolean(kAdagrad["maximize"]), call.real(kAdagrad["weight_decay"]));
    const Tensor sum = update.at(kAdagrad["state_sums"], i) + g * g;
    const Tensor past = ops::sub(update.step(kAdagrad["state_steps"], i), Scalar(1));
    const Tensor rate = update.lr() / ops::add(past * Scalar(call.real(kAdagrad["lr_decay"])), Scalar(1));
    update.write(
        kAdagrad["self"], i,
        update.at(kAdagrad["self"], i) - g * rate / ops::add(ops::sqrt(sum), Scalar(call.real(kAdagrad["eps"]))));
    update.write(kAdagrad["state_sums"], i, sum);
  }
}

/// Runs the in-place operator of this call's name and overload on copies of the first `lists` arguments. Returns the
/// copies.
std::vector<Value> updated_copies(const CompositeCall& call, size_t lists, std::string_view overload) {
  Values arguments, results;
  for (const Value& v : call.args) arguments.push_back(v.borrowed());
  for (size_t k = 0; k < lists; ++k) {
    std::vector<Value> copies;
    for (const Value& v : call.args[k].as_list()) copies.push_back(ops::clone(v.tensor()));
    arguments[k] = Value::list(copies);
  }
  const OpEntry& in_place = op_named(fmt::format("aten.{}_.{}", call.op.base(), overload));
  dispatch(in_place, std::span<const Value>(arguments).first(in_place.schema.arguments.size()), results);
  return std::vector<Value>(arguments.begin(), arguments.begin() + static_cast<std::ptrdiff_t>(lists));
}

void functional(CompositeCall& call) {
  const bool tensor_lr = call.op.schema.overload == "tensor_lr";
  for (Value& list : updated_copies(call, call.op.schema.returns.size(), tensor_lr ? "tensor_lr" : "default"))
    call.returns(std::move(list));
}
void written(CompositeCall& call) {
  const bool tensor_lr = call.op.schema.overload == "tensor_lr_out";
  const OpEntry& op = op_named(fmt::format("aten.{}.{}", call.op.base(), tensor_lr ? "tensor_lr" : "default"));
  const std::vector<Value> copies = updated_copies(call, op.schema.returns.size(), tensor_lr ? "tensor_lr" : "default");
  put_results(call, copies[0].as_list(), call.list(call.args.size() - 1));
}

/// Registers the in-place, functional and `out=` form of an operator, each with a number and with a tensor as `lr`.
/// `spell(form, tensor_lr)` returns the schema.
template <class Spell>
void add(Registry& r, CompositeBody body, std::string_view lists, std::string_view numbers, const Spell& spell) {
  for (const bool tensor_lr : {false, true}) {
    const auto sample = [&](std::string_view form) {
      return fmt::format("{}, lr={}, {}{}", lists, tensor_lr ? "f32[]" : "0.1", numbers, form);
    };
    r.add(spell("_", tensor_lr)).with_composite(body).sample(sample(""), 0.5, 2);
    r.add(spell("", tensor_lr)).with_composite(functional).sample(sample(""), 0.5, 2);
    r.add(spell("out", tensor_lr)).with_composite(written).sample(sample(", out=[f32[0], f64[0]]"), 0.5, 2);
  }
}

/// Returns the alias annotation of a list, for example `(b!)`. The functional form has none. In the `out=` form, all
/// lists except the parameters have one.
std::string alias(std::string_view form, char letter) {
  if (form.empty() || (form == "out" && letter == 'a')) return "";
  return fmt::format("({}!)", letter);
}
std::string overload(std::string_view form, bool tensor_lr) {
  if (form == "out") return tensor_lr ? ".tensor_lr_out" : ".out";
  return fmt::format("{}{}", form, tensor_lr ? ".tensor_lr" : "");
}
std::string returns(std::string_view form, std::string_view lists) {
  return form.empty() ? fmt::format("({})", lists) : "()";
}
constexpr const char* out_of(std::string_view form) { return form == "out" ? ", Tensor(a!)[] out" : ""; }
constexpr const char* lr_type(bool tensor_lr) { return tensor_lr ? "Tensor" : "float"; }

void add_adam(Registry& r, std::string_view name, CompositeBody body) {
  add(r, body,
      "[f32[2,3]{1,2}, f64[4]], [f32[2,3], f64[4]], [f32[2,3], f64[4]], [f32[2,3], f64[4]], [f32[2,3], f64[4]], "
      "[f32[], "
      "f32[1]]",
      "beta1=0.9, beta2=0.99, weight_decay=0.1, eps=1e-08, amsgrad=True, maximize=False, grad_scale=f32[]",
      [&](std::string_view form, bool tensor_lr) {
        return kAdam.with(fmt::format("{}{}", name, overload(form, tensor_lr)), alias(form, 'a'), alias(form, 'b'),
                          alias(form, 'c'), alias(form, 'd'), alias(form, 'e'), lr_type(tensor_lr), out_of(form),
                          returns(form,
                                  "Tensor[] self_out, Tensor[] grads_out, Tensor[] exp_avgs_out, Tensor[] "
                                  "exp_avg_sqs_out, Tensor[] max_exp_avg_sqs_out"));
      });
}

}  // namespace

void register_ops(Registry& r) {
  add_adam(r, "adam", adam<false>);
  add_adam(r, "adamw", adam<true>);
  add(r, sgd, "[f32[2,3]{1,2}, f64[4]], [f32[2,3], f64[4]], [f32[2,3], f64[4]]",
      "weight_decay=0.1, momentum=0.9, dampening=0.1, nesterov=True, maximize=True, is_first_step=False, "
      "found_inf=f32[]",
      [](std::string_view form, bool tensor_lr) {
        return kSgd.with(overload(form, tensor_lr), alias(form, 'a'), alias(form, 'b'), alias(form, 'c'),
                         lr_type(tensor_lr), out_of(form),
                         returns(form, "Tensor[] self_out, Tensor[] grads_out, Tensor[] momentum_buffer_list_out"));
      });
  add(r, adagrad, "[f32[2,3]{1,2}, f64[4]], [f32[2,3], f64[4]], [f32[2,3], f64[4]], [f32[], f32[1]]",
      "lr_decay=0.1, weight_decay=0.1, eps=1e-08, maximize=False", [](std::string_view form, bool tensor_lr) {
        // If the learning rate is a tensor, the schema neither annotates nor returns the steps.
        const std::string steps = tensor_lr ? "" : alias(form, 'd');
        return kAdagrad.with(overload(form, tensor_lr), alias(form, 'a'), alias(form, 'b'), alias(form, 'c'), steps,
                             lr_type(tensor_lr), out_of(form),
                             returns(form, fmt::format("Tensor[] self_out, Tensor[] grads_out, Tensor[] "
                                                       "state_sums_out{}",
                                                       tensor_lr ? "" : ", Tensor[] state_steps_out")));
      });
  const std::string betas = ", beta1=0.9, beta2=0.99, weight_decay=0, eps=1e-08, amsgrad=False, maximize=False";
  r.find_mutable("aten._fused_adam_.default")
      ->refuses("C1", "[], [], [], [], [], [], lr=0.1" + betas)
      .refuses("C1", "[f32[2]], [f32[2]], [], [f32[2]], [], [f32[]], lr=0.1" + betas)
      .refuses("C2", "[f32[2]], [f32[3]], [f32[2]], [f32[2]], [], [f32[]], lr=0.1" + betas)
      .refuses("C3", "[f32[2]], [f32[2]], [f32[2]], [f32[2]], [], [f32[2]], lr=0.1" + betas)
      .refuses("C4", "[f32[2]], [f32[2]], [f32[2]], [f32[2]], [], [f32[]], lr=0.1" + betas + ", grad_scale=f64[]")
      .refuses("", "[i64[2]], [i64[2]], [i64[2]], [i64[2]], [], [f32[]], lr=0.1" + betas);
  r.find_mutable("aten._fused_adam_.tensor_lr")
      ->refuses("C5", "[f32[2]], [f32[2]], [f32[2]], [f32[2]], [], [f32[]], lr=f32[2]" + betas);
}

}  // namespace ersatz::op_fused_optimizers
