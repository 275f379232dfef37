#include "kernels/loss/nll_loss.h"

#include "kernels/creation/empty.h"
#include "kernels/loss/reduction.h"
#include "kernels/shape/output_meta.h"
#include "kernels/shape/reshape.h"
#include "runtime/op/composite.h"
#include "runtime/op/copy.h"
#include "runtime/op/derived.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/registry.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_nll_loss {

Kernel run_forward_cpu, run_backward_cpu;

namespace {

/// The first arguments of a forward op. In a backward op, they follow grad_output.
struct Operands {
  const TensorMeta &self, &target;
  Position weight;
  SymInt classes;
};

template <bool image>
Operands check(const RuleCall& call, size_t first) {
  const TensorMeta &self = call.meta(first), &target = call.meta(first + 1);
  const Position weight{first + 2};
  const auto require_target = [&] {
    call.require(target.dtype == DType::I64 || (!image && target.dtype == DType::U8), "C3",
                 "target must be i64, of scores that are no images or u8: it is {}", target);
  };
  if constexpr (image) {
    const bool fits = self.dim() == 4 && target.dim() == 3 && check_eq(self.sizes[0], target.sizes[0]) &&
                      check_eq(self.sizes[2], target.sizes[1]) && check_eq(self.sizes[3], target.sizes[2]);
    call.require(fits, "C1", "self must be [batch, classes, height, width] and target fit it: they are {} and {}", self,
                 target);
    if (first == 0) require_target();
  } else {
    call.require((self.dim() == 1 || self.dim() == 2) && target.dim() <= 1, "C1",
                 "self must be [classes] or [batch, classes] and target fit it: they are {} and {}", self, target);
    if (first == 0) require_target();
    if (first == 0 && self.dim() == 1 && !check_eq(target.numel(), 1))
      call.refuse(ErrorFamily::Value, "C1", "scores of one dim have one target, not {}", target);
    call.require_index(self.dim() == 1 || target.dim() == 1, "C1",
                       "target must have self's batch, self is {}: it is {}", self, target);
    // For 1-d scores, ATen's backward op requires as many targets as classes, and uses only the first target.
    const bool counted = self.dim() > 1 || (first > 0 && target.dim() == 1);
    call.require(!counted || check_eq(self.sizes[0], target.sizes[0]), "C1",
                 "self and target must have one batch: they are {} and {}", self, target);
  }
  const SymInt classes = self.sizes[self.dim() == 1 ? 0 : 1];
  call.require(!call.has(weight) || ((image || first > 0 || call.meta(weight).dim() == 1) &&
                                     check_eq(call.meta(weight).numel(), classes)),
               "C2", "weight must have one element for each of {} classes: it is {}", classes,
               call.has(weight) ? call.meta(weight) : self);
  if (!call.device.is_meta())
    image ? call.require_dtype_first(self.dtype, kFloats) : call.require_dtype(self.dtype, kFloats);
  require_target();
  call.require(!call.has(weight) || call.meta(weight).dtype == self.dtype, "C2",
               "weight must have the dtype of self: they are {} and {}", call.has(weight) ? call.meta(weight) : self,
               self);
  return {self, target, weight, classes};
}

/// Returns the sizes of the loss: those of target if the losses are not reduced, else no sizes.
template <bool image>
DimVec loss_sizes(const Operands& o, int64_t reduction) {
  return reduction == kReduceNone && o.self.dim() > 1 ? o.target.sizes : DimVec();
}

template <bool image>
void forward_rule(RuleCall& call) {
  const Operands o = check<image>(call, 0);
  call.out.fresh(TensorMeta(o.self.dtype, loss_sizes<image>(o, call.integer(kForwards["reduction"])), call.device));
  call.out.fresh(TensorMeta(o.self.dtype, std::span<const SymInt>(), call.device));
}

/// Checks the arguments of a backward op. RETURNS: the scores; the gradient has their sizes.
template <bool image>
const TensorMeta& check_backward(const RuleCall& call) {
  const Operands o = check<image>(call, 1);
  const TensorMeta &grad = call.meta(kBackwards["grad_output"]), &total = call.meta(kBackwards["total_weight"]);
  const DimVec sizes = loss_sizes<image>(o, call.integer(kBackwards["reduction"]));
  call.require_index(image || sizes.empty() || grad.dim() > 0, "C4", "grad_output must have the sizes {}: it is {}",
                     sizes, grad);
  const bool fits = sizes.empty() ? check_eq(grad.numel(), 1) && grad.dim() <= 1
                                  : grad.sizes.size() == sizes.size() && check_eq(grad.sizes, sizes);
  call.require(fits && check_eq(total.numel(), 1), "C4",
               "grad_output must have the sizes {} and total_weight one element: they are {} and {}", sizes, grad,
               total);
  call.require(grad.dtype == o.self.dtype && total.dtype == o.self.dtype, "C4",
               "grad_output and total_weight must have the dtype of self, {}: they are {} and {}", name(o.self.dtype),
               grad, total);
  return o.self;
}

void backward_rule(RuleCall& call) {
  const TensorMeta& self = check_backward<false>(call);
  call.out.fresh(TensorMeta(self.dtype, self.sizes, call.device));
}

void require_row_major(const RuleCall& call) {
  const TensorMeta& out = call.out.outputs[0].meta;
  call.require(is_contiguous(out), "layout", "the gradient must be row-major: it is {}", out);
}
/// The gradient has the layout of self.
void backward2d_rule(RuleCall& call) {
  answer_like(call, check_backward<true>(call));
  require_row_major(call);
}
void backward2d_out_rule(RuleCall& call) {
  RuleResult unused;
  const TensorMeta& self = check_backward<true>(call.functional(unused));
  answer_out(call, TensorMeta(self.dtype, self.sizes, call.device), kBackward2d.count(), call.op.form);
  require_row_major(call);
}

/// Computes the gradient in a temporary, because arguments may share memory with `out`. In contrast to derived_kernel,
/// it accepts a self whose layout the functional op refuses.
void run_written_gradient(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  Tensor gradient = make_real_tensor(TensorMeta(out.dtype(), out.sizes(), out.device()));
  run_kernel(*call.op.functional, call.args.first(kBackward2d.count()), {&gradient, 1}, DeviceType::CPU);
  copy_elements(out, gradient);
}

std::optional<SymInt> forward_flops(RuleCall& call, const RuleResult&) {
  return SymInt(2) * call.meta(kForwards["target"]).numel();
}
std::optional<SymInt> backward_flops(RuleCall& call, const RuleResult&) {
  return SymInt(2) * call.meta(kBackwards["target"]).numel();
}

/// ATen does not check whether arguments of nll_loss share memory.
constexpr WrittenForm kLossForm{.may_overlap = true};

template <bool image>
void add(Registry& r) {
  const char* scores = image ? "f32[2,3,2,2], i64[2,2,2]" : "f32[4,3], i64[4]";
  OpEntry& forward =
      r.add(image ? Schema(kForward2d) : Schema(kForward))
          .tag(Tag::FailsOnValues)
          .with_rule(forward_rule<image>)
          .cpu(run_forward_cpu)
          .dtypes(kFloats)
          .count_flops(forward_flops)
          .with_index_domain({.argument = 1, .of = 0, .dim = 1})
          .sample(std::string(scores) + ", f32[3], 1, -100", 0, 2)
          .sample(std::string(scores) + ", None, 0, 1", 0, 2)
          .refuses("C1", "f32[4,3], i64[5], None, 1, -100")
          .refuses("C2", std::string(scores) + ", f32[2], 1, -100")
          .refuses("C3", image ? "f32[2,3,2,2], i32[2,2,2], None, 1, -100" : "f32[4,3], i32[4], None, 1, -100");
  OpEntry& written = r.add_out(forward, "output", kLossForm, {"output", "total_weight"});
  for (auto& result : written.schema.returns) result.name.clear();  // the results have no names in ATen
  const char* losses = image ? "f32[2,2,2]" : "f32[4]";
  OpEntry& backward = r.add(image ? Schema(kBackward2d) : Schema(kBackward))
                          .tag(Tag::FailsOnValues)
                          .with_rule(image ? backward2d_rule : backward_rule)
                          .cpu(run_backward_cpu)
                          .dtypes(kFloats)
                          .count_flops(backward_flops)
                          .with_index_domain({.argument = 2, .of = 1, .dim = 1})
                          .sample(std::string("f32[], ") + scores + ", f32[3], 1, -100, f32[]", 0.5, 2)
                          .sample(std::string(losses) + ", " + scores + ", None, 0, 1, f32[]", 0, 2)
                          .refuses("C4", std::string("f32[3], ") + scores + ", None, 1, -100, f32[]");
  OpEntry& written_gradient = r.add_out(backward, "grad_input", kLossForm, {"grad_input"});
  if (image) written_gradient.with_rule(backward2d_out_rule).cpu(run_written_gradient);
}

template <OpName forward>
Tensor loss(const CompositeCall& call, const Tensor& self, const Tensor& target) {
  return call_op_all<forward>(self, target, call[kNamed["weight"]], call[kNamed["reduction"]],
                              call[kNamed["ignore_index"]])[0]
      .take_tensor();
}
template <OpName forward>
void named(CompositeCall& call) {
  call.returns(loss<forward>(call, call.tensor(kNamed["self"]), call.tensor(kNamed["target"])));
}
template <OpName forward>
void named_out(CompositeCall& call) {
  call_op_all<forward>(call[kNamed["self"]], call[kNamed["target"]], call[kNamed["weight"]], call[kNamed["reduction"]],
                       call[kNamed["ignore_index"]], call[kNamed.out()],
                       ops::empty(DimVec{SymInt(0)}, {.dtype = call.meta(kNamed["self"]).dtype,
                                                      .device = call.meta(kNamed["self"]).device}));
  call.returns(call[kNamed.out()]);
}

/// Calls nll_loss2d with all dims after the classes flattened to one.
void nd(CompositeCall& call) {
  const Tensor self = call.tensor(kNamed["self"]), target = call.tensor(kNamed["target"]);
  if (self.dim() == 0) call.refuse(ErrorFamily::Value, "C1", "self must have a dim of classes, it is {}", self.meta());
  if (self.dim() > 1 && (target.dim() == 0 || !check_eq(self.sizes()[0], target.sizes()[0]))) {
    call.refuse(ErrorFamily::Value, "C1", "self and target must have one batch: they are {} and {}", self.meta(),
                target.meta());
  }
  if (self.dim() <= 2) return call.returns(loss<"aten.nll_loss.default">(call, self, target));
  if (self.dim() == 4) return call.returns(loss<"aten.nll_loss2d.default">(call, self, target));
  const SymInt n = self.sizes()[0], c = self.sizes()[1];
  DimVec expected{n};
  for (size_t d = 2; d < self.sizes().size(); ++d) expected.push_back(self.sizes()[d]);
  call.require(target.sizes().size() == expected.size() && check_eq(target.sizes(), expected), "C1",
               "target must have the sizes {}: it is {}", expected, target.meta());
  const bool empty = size_eq(self.numel(), 0);
  const SymInt points = empty ? SymInt(0) : SymInt(-1);
  const DimVec image{n, c, SymInt(1), points}, places{n, SymInt(1), points};
  const Tensor losses = loss<"aten.nll_loss2d.default">(call, ops::reshape(self, image), ops::reshape(target, places));
  call.returns(call.integer(kNamed["reduction"]) != kReduceNone ? losses : ops::reshape(losses, expected));
}

}  // namespace

void register_ops(Registry& r) {
  add<false>(r);
  add<true>(r);
  const auto add_named = [&](const char* name, CompositeBody body, CompositeBody out, const char* sample) {
    OpEntry& op = r.add(kNamed.with(name)).tag(Tag::FailsOnValues).with_composite(body).sample(sample, 0, 2);
    if (out) r.add_out_alike(op, "out").with_composite(out).sample(std::string(sample) + ", out=f32[0]", 0, 2);
  };
  add_named("nll_loss", named<"aten.nll_loss_forward.default">, named_out<"aten.nll_loss_forward.output">,
            "f32[4,3], i64[4]");
  add_named("nll_loss2d", named<"aten.nll_loss2d_forward.default">, named_out<"aten.nll_loss2d_forward.output">,
            "f32[2,3,2,2], i64[2,2,2]");
  add_named("nll_loss_nd", nd, nullptr, "f32[2,3,5], i64[2,5]");
  r.find_mutable("aten.nll_loss_nd.default")->refuses("C1", "f32[], i64[]");
}

}  // namespace ersatz::op_nll_loss
