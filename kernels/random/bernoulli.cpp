#include "kernels/random/bernoulli.h"

#include "kernels/creation/factory_options.h"
#include "kernels/shape/broadcast.h"
#include "kernels/shape/copy.h"
#include "runtime/op/composite.h"
#include "runtime/op/derived.h"
#include "runtime/op/device_tag.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_bernoulli {

void self_cpu(KernelCall& call);
void run_number(KernelCall& call);
void tensor_cpu(KernelCall& call);
void native_dropout_cpu(KernelCall& call);

namespace {

constexpr DTypeSet kDrawn = kReals | kBool;

bool is_empty(const TensorMeta& t) {
  const SymInt n = t.numel();
  return n.is_int() && n.as_int() == 0;
}

// ATen looks at the dtypes only where there is something to draw.
void require_dtypes(const RuleCall& call, const TensorMeta& out, const TensorMeta* p) {
  if (is_empty(out)) return;
  if (p) call.require_dtype(p->dtype, kFloats);
  call.require_dtype(out.dtype, kDrawn);
}
void require_probability(const RuleCall& call, double p) {
  call.require(p >= 0 && p <= 1, "C1", "p must lie in [0, 1]: got {}", p);
}
void require_broadcast(const RuleCall& call) {
  call.require(broadcasts_to(call.meta(1).sizes, call.meta(0).sizes), "C2", "p must broadcast to self: {} and {}",
               call.meta(1), call.meta(0));
}
void require_own_elements(const RuleCall& call) {
  const TensorMeta& self = call.meta(0);
  call.require(self.is_symbolic() || internal_overlap(self) != Overlap::Yes, "C3",
               "elements of self share memory, clone it before writing: self is {}", self);
}

TensorMeta& answer_row_major(RuleCall& call) {
  const TensorMeta& self = call.meta(0);
  TensorMeta& out = call.out.fresh();
  out.dtype = self.dtype;
  out.device = call.device;
  out.sizes = self.sizes;
  out.strides = contiguous_strides(self.sizes);
  return out;
}

// (self, generator) and (self, generator, out)
void self_rule(RuleCall& call) { require_dtypes(call, answer_row_major(call), &call.meta(0)); }
void self_out_rule(RuleCall& call) {
  require_dtypes(call, resized_out(call, 2, call.meta(0).sizes, SharedElements::Refused), &call.meta(0));
}
// (self, p, generator)
void number_rule(RuleCall& call) {
  require_probability(call, call.real(1));
  require_dtypes(call, answer_row_major(call), nullptr);
}
void tensor_rule(RuleCall& call) {
  require_broadcast(call);
  TensorMeta& out = answer_row_major(call);
  out.strides = preserved_strides(call.meta(0).sizes, call.meta(0).strides);
  require_dtypes(call, out, &call.meta(1));
}
void number_out_rule(RuleCall& call) {
  RuleResult result;
  RuleCall functional{call.op, call.args.first(3), call.context, call.device, result};
  number_rule(functional);
  answer_out(call, result.outputs[0].meta, 3, kGeneratedForm);
}
void number_inplace_rule(RuleCall& call) {
  require_probability(call, call.real(1));
  require_own_elements(call);
  require_dtypes(call, call.meta(0), nullptr);
  call.out.same(call.tensor(0));
}
void tensor_inplace_rule(RuleCall& call) {
  require_broadcast(call);
  require_own_elements(call);
  require_dtypes(call, call.meta(0), &call.meta(1));
  call.out.same(call.tensor(0));
}

// (input, p, train)
void native_dropout_rule(RuleCall& call) {
  const TensorMeta& input = call.meta(0);
  const bool trains = !call.has(2) || call.boolean(2);
  const DimVec strides = preserved_strides(input.sizes, input.strides);
  if (is_empty(input) && !call.device.is_cuda()) {
    call.out.same(call.tensor(0));
    call.out.fresh(TensorMeta(input.dtype, input.sizes, strides, call.device));
    return;
  }
  if (trains && !is_empty(input)) {
    require_probability(call, call.real(1));
    call.require(kFloatsAndComplexes.has(input.dtype), "C2",
                 "a result of dtype f32 cannot be written to {}: training needs a floating dtype", input);
    if (call.device.is_cuda() && call.real(1) < 1) call.require_dtype(input.dtype, kFloats);
  }
  call.out.fresh(TensorMeta(input.dtype, input.sizes, strides, call.device));
  call.out.fresh(TensorMeta(DType::Bool, input.sizes, strides, call.device));
}

void dropout_inplace(CompositeCall& call) {
  const double p = call.real(1);
  require_probability(call, p);
  const Tensor self = call.tensor(0);
  if (p > 0 && call.boolean(2) && !is_empty(self.meta())) ops::copy_(self, ops::native_dropout(self, p, true).first);
  call.returns(call.args[0]);
}

void dropout(CompositeCall& call) {
  const double p = call.real(1);
  require_probability(call, p);
  const Tensor input = call.tensor(0);
  if (p == 0 || !call.boolean(2) || is_empty(input.meta())) {
    call.returns(call.args[0]);
  } else {
    call.returns(ops::native_dropout(input, p, true).first);
  }
}

}  // namespace

void register_ops(Registry& r) {
  r.add("aten::bernoulli(Tensor self, *, Generator? generator=None) -> Tensor", __FILE__)
      .tag(Tag::Random | Tag::FailsOnValues)
      .with_rule(self_rule)
      .cpu(self_cpu)
      .sample("f32[2,3]{1,2}", 0, 1)
      .refuses("", "i64[2]");
  r.add("aten::bernoulli.out(Tensor self, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)", __FILE__)
      .tag(Tag::Random | Tag::FailsOnValues)
      .with_rule(self_out_rule)
      .cpu(self_cpu)
      .sample("f32[2,3], out=i64[0]", 0, 1);
  r.add("aten::bernoulli.p(Tensor self, float p, *, Generator? generator=None) -> Tensor", __FILE__)
      .tag(Tag::Random)
      .with_rule(number_rule)
      .every_device(run_number)
      .sample("f32[2,3]{1,2}, 0.5")
      .refuses("C1", "f32[2], 1.5");
  OpEntry& by_tensor =
      r.add("aten::bernoulli.Tensor(Tensor self, Tensor p, *, Generator? generator=None) -> Tensor", __FILE__)
          .tag(Tag::Random | Tag::FailsOnValues)
          .with_rule(tensor_rule)
          .cpu(tensor_cpu)
          .sample("f32[2,3]{1,2}, f32[3]", 0, 1)
          .refuses("C2", "f32[2], f32[3]");
  r.add_out(by_tensor, "Tensor_out", kGeneratedForm).sample("f32[2,3], f32[3], out=f32[0]", 0, 1);
  r.add(
       "aten::bernoulli.float_out(Tensor self, float p=0.5, *, Generator? generator=None, Tensor(a!) out) -> "
       "Tensor(a!)",
       __FILE__)
      .tag(Tag::Random)
      .with_rule(number_out_rule)
      .every_device(run_number)
      .sample("f32[2,3], 0.5, out=f32[0]");
  r.add("aten::bernoulli_.float(Tensor(a!) self, float p=0.5, *, Generator? generator=None) -> Tensor(a!)", __FILE__)
      .tag(Tag::Random)
      .with_rule(number_inplace_rule)
      .every_device(run_number)
      .sample("i64[2,3], 0.5")
      .refuses("C1", "f32[2], -0.5")
      .refuses("C3", "f32[2,3]{0,1}, 0.5");
  r.add("aten::bernoulli_.Tensor(Tensor(a!) self, Tensor p, *, Generator? generator=None) -> Tensor(a!)", __FILE__)
      .tag(Tag::Random | Tag::FailsOnValues)
      .with_rule(tensor_inplace_rule)
      .cpu(tensor_cpu)
      .sample("f32[2,3], f32[3]", 0, 1)
      .refuses("C2", "f32[2], f32[3]");
  OpEntry& native_dropout =
      r.add("aten::native_dropout(Tensor input, float p, bool? train) -> (Tensor, Tensor)", __FILE__)
          .tag(Tag::Random | Tag::Core | kSavedByDevice)
          .with_rule(native_dropout_rule)
          .cpu(native_dropout_cpu)
          .sample("f32[2,3]{1,2}, 0.5, True")
          .sample("f32[2,3], 0.5, False")
          .refuses("C1", "f32[2], 1.5, True")
          .refuses("C2", "i64[2], 0.5, True");
  r.add_out(native_dropout, "out", kGeneratedForm).tag(Tag::Random);
  r.add("aten::dropout_(Tensor(a!) self, float p, bool train) -> Tensor(a!)", __FILE__)
      .tag(Tag::Random)
      .with_composite(dropout_inplace)
      .sample("f32[2,3], 0.5, True")
      .sample("f32[2,3], 0.5, False")
      .refuses("C1", "f32[2], -0.5, False");
  r.add("aten::dropout(Tensor input, float p, bool train) -> Tensor", __FILE__)
      .tag(Tag::Random)
      .with_composite(dropout)
      .sample("f32[2,3], 0.5, True")
      .sample("f32[2,3], 0.5, False")
      .refuses("C1", "f32[2], -0.5, False");
}

}  // namespace ersatz::op_bernoulli

namespace ersatz::ops {

Tensor bernoulli(const Tensor& self) { return call_op<"aten.bernoulli.default">(self, std::nullopt); }
Tensor bernoulli(const Tensor& self, double p) { return call_op<"aten.bernoulli.p">(self, p, std::nullopt); }
Tensor bernoulli(const Tensor& self, const Tensor& p) {
  return call_op<"aten.bernoulli.Tensor">(self, p, std::nullopt);
}
Tensor bernoulli_(const Tensor& self, double p) { return call_op<"aten.bernoulli_.float">(self, p, std::nullopt); }
Tensor bernoulli_(const Tensor& self, const Tensor& p) {
  return call_op<"aten.bernoulli_.Tensor">(self, p, std::nullopt);
}
std::pair<Tensor, Tensor> native_dropout(const Tensor& input, double p, std::optional<bool> train) {
  Values results = call_op_all<"aten.native_dropout.default">(input, p, train);
  return {results[0].take_tensor(), results[1].take_tensor()};
}
Tensor dropout(const Tensor& input, double p, bool train) { return call_op<"aten.dropout.default">(input, p, train); }

}  // namespace ersatz::ops
