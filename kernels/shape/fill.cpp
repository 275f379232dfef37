#include "kernels/shape/fill.h"

#include "kernels/shape/output_meta.h"
#include "kernels/shape/scalar_fit.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_fill {

void run_scalar(KernelCall& call);
void run_tensor(KernelCall& call);
void run_zero(KernelCall& call);

namespace {

void answer(RuleCall& call, bool in_place) {
  if (in_place) return call.out.same(call.tensor(0));
  const TensorMeta& from = call.meta(0);
  answer_like(call, from);
}

template <bool in_place>
void scalar_rule(RuleCall& call) {
  require_fits(call, call.scalar(1), call.meta(0).dtype, "C1");
  answer(call, in_place);
}

template <bool in_place>
void tensor_rule(RuleCall& call) {
  const TensorMeta& value = call.meta(1);
  call.require(value.dim() == 0, "C2", "expects a value without dims: value is {}", value);
  if (in_place && !call.meta(0).is_symbolic()) {
    call.require(internal_overlap(call.meta(0)) != Overlap::Yes, "C3",
                 "elements of self share memory, clone it before writing: self is {}", call.meta(0));
  }
  answer(call, in_place);
}

template <bool in_place>
void zero_rule(RuleCall& call) {
  answer(call, in_place);
}

}  // namespace

void register_ops(Registry& r) {
  const std::vector<DeviceRule> value_anywhere = {DeviceRule::Same, DeviceRule::CpuScalarOk};
  r.add("aten::fill_.Scalar(Tensor(a!) self, Scalar value) -> Tensor(a!)", __FILE__)
      .with_rule(scalar_rule<true>)
      .every_device(run_scalar)
      .sample("f32[2,3]{1,2}, 1.5")
      .refuses("C1", "u8[2], 300");
  r.add("aten::fill_.Tensor(Tensor(a!) self, Tensor value) -> Tensor(a!)", __FILE__)
      .with_rule(tensor_rule<true>)
      .every_device(run_tensor)
      .devices(value_anywhere)
      .sample("f32[2,3], i64[]")
      .refuses("C2", "f32[2], f32[1]");
  OpEntry& fill_scalar = r.add("aten::fill.Scalar(Tensor self, Scalar value) -> Tensor", __FILE__)
                             .tag(Tag::Core)
                             .with_rule(scalar_rule<false>)
                             .every_device(run_scalar)
                             .sample("f32[2,3], 1.5")
                             .refuses("C1", "u8[2], 300");
  OpEntry& fill_tensor = r.add("aten::fill.Tensor(Tensor self, Tensor value) -> Tensor", __FILE__)
                             .with_rule(tensor_rule<false>)
                             .every_device(run_tensor)
                             .devices(value_anywhere)
                             .sample("f32[2,3], i64[]")
                             .refuses("C2", "f32[2], f32[1]");
  r.add("aten::zero_(Tensor(a!) self) -> Tensor(a!)", __FILE__)
      .with_rule(zero_rule<true>)
      .every_device(run_zero)
      .sample("f32[2,3]");
  OpEntry& zero = r.add("aten::zero(Tensor self) -> Tensor", __FILE__)
                      .with_rule(zero_rule<false>)
                      .every_device(run_zero)
                      .sample("f32[2,3]");
  r.add_out(fill_scalar, "Scalar_out", kGeneratedForm).sample("f32[2,3], 1.5, out=f32[0]");
  r.add_out(fill_tensor, "Tensor_out", kGeneratedForm).sample("f32[2,3], i64[], out=f32[0]");
  r.add_out(zero, "out", kGeneratedForm).sample("f32[2,3], out=f32[0]");
}

}  // namespace ersatz::op_fill

namespace ersatz::ops {

Tensor fill_(const Tensor& self, const Scalar& value) { return call_op<"aten.fill_.Scalar">(self, value); }
Tensor fill_(const Tensor& self, const Tensor& value) { return call_op<"aten.fill_.Tensor">(self, value); }
Tensor fill(const Tensor& self, const Scalar& value) { return call_op<"aten.fill.Scalar">(self, value); }
Tensor fill(const Tensor& self, const Tensor& value) { return call_op<"aten.fill.Tensor">(self, value); }
Tensor zero_(const Tensor& self) { return call_op<"aten.zero_.default">(self); }
Tensor zero(const Tensor& self) { return call_op<"aten.zero.default">(self); }

}  // namespace ersatz::ops
