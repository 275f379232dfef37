#include "kernels/loss/margin_loss.h"

#include "kernels/creation/empty.h"
#include "kernels/loss/reduction.h"
#include "kernels/shape/row_major_out.h"
#include "runtime/op/behind_values.h"
#include "runtime/op/composite.h"
#include "runtime/op/derived.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/registry.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_margin_loss {

Kernel run_multi_cpu, run_multi_backward_cpu, run_multilabel_cpu, run_multilabel_backward_cpu;

namespace {

constexpr DTypeSet kCpuFloats{DType::F32, DType::F64};

/// Checks [op.C1]. If `several`, a row of target is a list of right classes. RETURNS: the number of rows.
SymInt check_sizes(const RuleCall& call, const TensorMeta& self, const TensorMeta& target, bool several) {
  call.require(self.dim() <= 2 && (self.dim() == 0 || !size_eq(self.sizes[self.dim() - 1], 0)), "C1",
               "self must be [classes] or [batch, classes] with classes: it is {}", self);
  const SymInt rows = self.dim() == 2 ? self.sizes[0] : SymInt(1);
  const bool fits = several && self.dim() == 2
                        ? target.dim() == 2 && check_eq(target.sizes, self.sizes)
                        : target.dim() <= 1 && check_eq(target.numel(), several ? self.numel() : rows);
  call.require(fits, "C1", "target must fit self, {}: it is {}", self, target);
  return rows;
}

/// Checks the dtypes. ATen checks dtypes in its loop over the rows, so an empty self may have any dtype.
void check_dtypes(const RuleCall& call, const TensorMeta& self, const TensorMeta& target) {
  if (size_eq(self.numel(), 0)) return;
  call.require_dtype_first(self.dtype, call.device.is_cuda() ? kFloats : kCpuFloats);
  call.require(target.dtype == DType::I64, "C4", "target must be i64: it is {}", target);
}

/// Calls check_dtypes for multilabel targets. On the CPU, ATen reads the values of target before it checks dtypes.
void check_label_dtypes(const RuleCall& call, const TensorMeta& self, const TensorMeta& target) {
  if (!call.device.is_cpu() || size_eq(self.numel(), 0)) return check_dtypes(call, self, target);
  call.require_dtype_first(target.dtype, kAllDTypes.without(kComplexes));
  const auto check = [&] { check_dtypes(call, self, target); };
  kCpuFloats.has(self.dtype) ? check() : check_behind_values(call.op.base(), ErrorFamily::Runtime, check);
}

void check_gradient(const RuleCall& call, const TensorMeta& self, SymInt rows, int64_t reduction) {
  const TensorMeta& grad = call.meta(kMultiBackward["grad_output"]);
  const bool one = reduction != kReduceNone || grad.dim() == 0;
  const bool fits = one ? !size_eq(grad.numel(), 0) : grad.dim() == 1 && check_eq(grad.sizes[0], rows);
  call.require(fits && (grad.dtype == self.dtype || size_eq(self.numel(), 0)), "C5",
               "grad_output must have the dtype {} and an element, or one for each of {} rows: it is {}",
               name(self.dtype), rows, grad);
}

void check_multi(const RuleCall& call, const TensorMeta& self, size_t p_at) {
  const Scalar p = call.scalar(p_at);
  const Position weight{p_at + 2};
  call.require(!p.is_complex() && p.to_double() >= 1 && p.to_double() < 3, "C2", "p must be 1 or 2: it is {}",
               to_string(call[p_at]));
  if (!call.has(weight)) return;
  const TensorMeta& w = call.meta(weight);
  const SymInt classes = self.dim() == 0 ? SymInt(1) : self.sizes[self.dim() - 1];
  call.require(w.dim() <= 1 && check_eq(w.numel(), classes), "C3",
               "weight must have one element for each of {} classes: it is {}", classes, w);
  // ATen multiplies by the weight while it processes the first row, with a CPU kernel that does not exist for f16 and
  // bf16.
  if (w.dtype != self.dtype && is_reduced_float(self.dtype) && call.device.is_cpu() && !size_eq(self.numel(), 0))
    call.require_dtype_first(self.dtype, {DType::F32, DType::F64});
  call.require(w.dtype == self.dtype || !kFloats.has(self.dtype) || size_eq(self.numel(), 0), "C3",
               "weight must have the dtype of self, {}: it is {}", name(self.dtype), w);
}

void answer_loss(RuleCall& call, const TensorMeta& self, SymInt rows, bool each) {
  TensorMeta out(self.dtype, std::span<const SymInt>(), call.device);
  if (each) out = TensorMeta(self.dtype, DimVec{rows}, call.device);
  call.out.fresh(std::move(out));
}

void multi_rule(RuleCall& call) {
  const TensorMeta &self = call.meta(kMulti["self"]), &target = call.meta(kMulti["target"]);
  const SymInt rows = check_sizes(call, self, target, false);
  check_multi(call, self, kMulti["p"]);
  check_dtypes(call, self, target);
  answer_loss(call, self, rows, call.integer(kMulti["reduction"]) == kReduceNone && target.dim() > 0);
}
void multi_backward_rule(RuleCall& call) {
  const TensorMeta &self = call.meta(kMultiBackward["self"]), &target = call.meta(kMultiBackward["target"]);
  const SymInt rows = check_sizes(call, self, target, false);
  check_multi(call, self, kMultiBackward["p"]);
  check_dtypes(call, self, target);
  check_gradient(call, self, rows, call.integer(kMultiBackward["reduction"]));
  call.out.fresh(TensorMeta(self.dtype, self.sizes, call.device));
}

void multilabel_rule(RuleCall& call) {
  const TensorMeta &self = call.meta(kMultilabelForward["self"]), &target = call.meta(kMultilabelForward["target"]);
  const SymInt rows = check_sizes(call, self, target, true);
  check_label_dtypes(call, self, target);
  answer_loss(call, self, rows, call.integer(kMultilabelForward["reduction"]) == kReduceNone && target.dim() > 1);
  call.out.fresh(TensorMeta(self.dtype, target.sizes, call.device));
}
void multilabel_backward_rule(RuleCall& call) {
  static constexpr auto& k = kMultilabelBackward;
  const TensorMeta &self = call.meta(k["self"]), &target = call.meta(k["target"]),
                   &is_target = call.meta(k["is_target"]);
  const SymInt rows = check_sizes(call, self, target, true);
  call.require(is_target.dim() == target.dim() && check_eq(is_target.sizes, target.sizes), "C5",
               "is_target must have the sizes of target, {}: it is {}", target, is_target);
  check_label_dtypes(call, self, target);
  check_gradient(call, self, rows, call.integer(k["reduction"]));
  call.require(is_target.dtype == self.dtype || size_eq(self.numel(), 0), "C5",
               "is_target must have the dtype of self, {}: it is {}", name(self.dtype), is_target);
  call.out.fresh(TensorMeta(self.dtype, self.sizes, call.device));
}

/// The rule of `out=` overloads whose outputs, from the i-th on, are written row by row and must be row-major. If self
/// is empty on the CPU, these outputs may have any dtype.
template <size_t i, size_t self>
void written_rule(RuleCall& call) {
  if (!call.device.is_cpu() || size_ne(call.meta(self).numel(), 0)) return row_major_out_rule<i>(call);
  RuleResult results;
  call.ask_functional(results);
  for (size_t k = 0; k < results.outputs.size(); ++k) {
    const size_t at = call.args.size() - results.outputs.size() + k;
    results.outputs[k].meta.dtype = call.meta(at).dtype;
    answer_out(call, results.outputs[k].meta, at, call.op.form);
  }
}
/// ATen checks the layout of is_target before it reads the targets.
void labels_out_rule(RuleCall& call) {
  const TensorMeta &target = call.meta(kMultilabelForward["target"]), &marks = call.meta(kMultilabelForward.out(1));
  const bool keeps = call.device.is_cpu() && same_sizes(marks.sizes, target.sizes);
  call.require(!keeps || is_contiguous(marks), "layout", "is_target must be row-major: it is {}", marks);
  written_rule<1, 0>(call);
}
/// The rule of multi_margin_loss.out. The output may have any layout.
void loss_rule(RuleCall& call) {
  const bool rows = !call.device.is_cpu() || size_ne(call.meta(kMulti["self"]).numel(), 0);
  rows ? derived_out_rule(call) : written_rule<0, 0>(call);
}

void multilabel(CompositeCall& call) {
  call.returns(call_op_all<"aten.multilabel_margin_loss_forward.default">(
      call[kMultilabel["self"]], call[kMultilabel["target"]], call[kMultilabel["reduction"]])[0]);
}
void multilabel_out(CompositeCall& call) {
  const TensorMeta& self = call.meta(kMultilabel["self"]);
  call_op_all<"aten.multilabel_margin_loss_forward.output">(
      call[kMultilabel["self"]], call[kMultilabel["target"]], call[kMultilabel["reduction"]], call[kMultilabel.out()],
      ops::empty(DimVec{SymInt(0)}, {.dtype = self.dtype, .device = self.device}));
  call.returns(call[kMultilabel.out()]);
}

template <size_t self>
std::optional<SymInt> flops(RuleCall& call, const RuleResult&) {
  const TensorMeta& scores = call.meta(self);
  return SymInt(4) * scores.numel();
}

}  // namespace

void register_ops(Registry& r) {
  const auto add = [&](const Schema& schema, Rule rule, Kernel kernel) -> OpEntry& {
    return r.add(schema).tag(Tag::FailsOnValues).with_rule(rule).cpu(kernel).dtypes(kCpuFloats).dtypes_on_cuda(kFloats);
  };
  OpEntry& multi = add(kMulti, multi_rule, run_multi_cpu)
                       .count_flops(flops<0>)
                       .with_index_domain({.argument = 1, .of = 0, .dim = -1})
                       .sample("f32[2,3], i64[2]", 0, 2)
                       .sample("f32[2,3]{1,2}, i64[2], 2, 0.5, f32[3], 0", 0, 2)
                       .refuses("C1", "f32[2,3], i64[3]")
                       .refuses("C2", "f32[2,3], i64[2], 3")
                       .refuses("C3", "f32[2,3], i64[2], 1, 1, f32[2]")
                       .refuses("C4", "f32[2,3], i32[2]");
  constexpr WrittenForm kByRows{.may_overlap = true};  // ATen's loops over rows do not check for shared memory
  r.add_out(multi, "out", kByRows).with_rule(loss_rule);
  OpEntry& gradient = add(kMultiBackward, multi_backward_rule, run_multi_backward_cpu)
                          .count_flops(flops<1>)
                          .with_index_domain({.argument = 2, .of = 1, .dim = -1})
                          .sample("f32[], f32[2,3], i64[2], 1, 1", 0, 2)
                          .sample("f32[2], f32[2,3], i64[2], 2, 0.5, f32[3], 0", 0, 2)
                          .refuses("C1", "f32[], f32[2,3], i64[3], 1, 1")
                          .refuses("C2", "f32[], f32[2,3], i64[2], 3, 1")
                          .refuses("C3", "f32[], f32[2,3], i64[2], 1, 1, f32[2]")
                          .refuses("C4", "f32[], f32[2,3], i32[2], 1, 1")
                          .refuses("C5", "f32[3], f32[2,3], i64[2], 1, 1, None, 0");
  r.add_out(gradient, "grad_input", kByRows, {"grad_input"}).with_rule(written_rule<0, 1>);

  OpEntry& labels = add(kMultilabelForward, multilabel_rule, run_multilabel_cpu)
                        .count_flops(flops<0>)
                        .sample("f32[2,3], i64[2,3], 1", 0, 2)
                        .sample("f32[2,3]{1,2}, i64[2,3], 0", 0, 2)
                        .refuses("C1", "f32[2,3], i64[2,2], 1")
                        .refuses("C4", "f32[2,3], i32[2,3], 1");
  OpEntry& written = r.add_out(labels, "output", kByRows, {"output", "is_target"}).with_rule(labels_out_rule);
  for (auto& result : written.schema.returns) result.name.clear();  // the results have no names in ATen
  OpEntry& named = r.add(kMultilabel)
                       .tag(Tag::FailsOnValues)
                       .with_composite(multilabel)
                       .dtypes(kCpuFloats)
                       .dtypes_on_cuda(kFloats)
                       .sample("f32[2,3], i64[2,3]", 0, 2);
  r.add_out_alike(named, "out").with_composite(multilabel_out).sample("f32[2,3], i64[2,3], out=f32[]", 0, 2);
  OpEntry& back = add(kMultilabelBackward, multilabel_backward_rule, run_multilabel_backward_cpu)
                      .count_flops(flops<1>)
                      .sample("f32[], f32[2,3], i64[2,3], 1, f32[2,3]", 0, 2)
                      .refuses("C1", "f32[], f32[2,3], i64[2,2], 1, f32[2,2]")
                      .refuses("C4", "f32[], f32[2,3], i32[2,3], 1, f32[2,3]")
                      .refuses("C5", "f32[], f32[2,3], i64[2,3], 1, f32[3]");
  r.add_out(back, "grad_input", kByRows, {"grad_input"}).with_rule(written_rule<0, 1>);
}

}  // namespace ersatz::op_margin_loss
