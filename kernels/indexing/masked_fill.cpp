#include "kernels/indexing/masked_fill.h"

#include "kernels/shape/broadcast.h"
#include "kernels/shape/scalar_fit.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_masked_fill {

void run_cpu(KernelCall& call);

namespace {

// Sizes of both together; false where they do not broadcast.
bool join_sizes(const TensorMeta& a, const TensorMeta& b, DimVec& sizes) {
  const bool a_longer = a.sizes.size() >= b.sizes.size();
  const DimVec& more = a_longer ? a.sizes : b.sizes;
  const DimVec& fewer = a_longer ? b.sizes : a.sizes;
  sizes = more;
  const size_t added = more.size() - fewer.size();
  for (size_t d = 0; d < fewer.size(); ++d) {
    SymInt& size = sizes[added + d];
    if (sym_eq(size, fewer[d])) continue;
    if (size.is_int() && size.as_int() == 1) {
      size = fewer[d];
    } else if (!guard_eq(fewer[d], 1) && !guard_eq(fewer[d], size)) {
      return false;
    }
  }
  return true;
}

void require_mask_and_value(const RuleCall& call) {
  call.require(call.meta(1).dtype == DType::Bool, "C1", "expects a bool mask: mask is {}", call.meta(1));
  if (!call.is_tensor(2)) return require_fits(call, call.scalar(2), call.meta(0).dtype, "C3");
  call.require(call.meta(2).dim() == 0, "C4", "expects a value without dims: value is {}", call.meta(2));
}

void rule(RuleCall& call) {
  const TensorMeta& self = call.meta(0);
  require_mask_and_value(call);
  TensorMeta& out = call.out.outputs.emplace_back().meta;
  out.dtype = self.dtype;
  out.device = call.device;
  call.require(join_sizes(self, call.meta(1), out.sizes), "C2", "mask and self must broadcast: self is {}, mask is {}",
               self, call.meta(1));
  out.strides = contiguous_strides(out.sizes);
}

void inplace_rule(RuleCall& call) {
  require_mask_and_value(call);
  call.require(broadcasts_to(call.meta(1).sizes, call.meta(0).sizes), "C2",
               "mask must broadcast to self: self is {}, mask is {}", call.meta(0), call.meta(1));
  call.out.same(call.tensor(0));
}

}  // namespace

void register_ops(Registry& r) {
  const std::vector<DeviceRule> devices = {DeviceRule::Same, DeviceRule::CpuScalarOk, DeviceRule::Any};
  const std::vector<DeviceRule> value_anywhere = {DeviceRule::Same, DeviceRule::CpuScalarOk, DeviceRule::CpuScalarOk};
  OpEntry& tensor = r.add("aten::masked_fill.Tensor(Tensor self, Tensor mask, Tensor value) -> Tensor", __FILE__)
                        .tag(Tag::FailsOnValues)
                        .with_rule(rule)
                        .cpu(run_cpu)
                        .devices(value_anywhere)
                        .sample("f32[2,3], bool[3], f64[]")
                        .refuses("C4", "f32[2], bool[2], f32[1]");
  r.add("aten::masked_fill_.Tensor(Tensor(a!) self, Tensor mask, Tensor value) -> Tensor(a!)", __FILE__)
      .tag(Tag::FailsOnValues)
      .with_rule(inplace_rule)
      .cpu(run_cpu)
      .devices(value_anywhere)
      .sample("f32[2,3], bool[3], f64[]")
      .refuses("C4", "f32[2], bool[2], f32[1]");
  r.add_out(tensor, "Tensor_out", kGeneratedForm);
  OpEntry& op = r.add("aten::masked_fill.Scalar(Tensor self, Tensor mask, Scalar value) -> Tensor", __FILE__)
                    .with_rule(rule)
                    .cpu(run_cpu)
                    .devices(devices)
                    .sample("f32[2,3], bool[3], 1.5")
                    .refuses("C1", "f32[2], f32[2], 0")
                    .refuses("C2", "f32[2], bool[3], 0")
                    .refuses("C3", "u8[2], bool[2], 300");
  r.add("aten::masked_fill_.Scalar(Tensor(a!) self, Tensor mask, Scalar value) -> Tensor(a!)", __FILE__)
      .with_rule(inplace_rule)
      .cpu(run_cpu)
      .devices(devices)
      .sample("f32[2,3], bool[3], 1.5")
      .refuses("C1", "f32[2], f32[2], 0")
      .refuses("C2", "f32[2], bool[2,2], 0")
      .refuses("C3", "u8[2], bool[2], 300");
  r.add_out(op, "Scalar_out", kGeneratedForm);
}

}  // namespace ersatz::op_masked_fill

namespace ersatz::ops {

Tensor masked_fill(const Tensor& self, const Tensor& mask, const Scalar& value) {
  return call_op<"aten.masked_fill.Scalar">(self, mask, value);
}
Tensor masked_fill(const Tensor& self, const Tensor& mask, const Tensor& value) {
  return call_op<"aten.masked_fill.Tensor">(self, mask, value);
}
Tensor masked_fill_(const Tensor& self, const Tensor& mask, const Tensor& value) {
  return call_op<"aten.masked_fill_.Tensor">(self, mask, value);
}
Tensor masked_fill_(const Tensor& self, const Tensor& mask, const Scalar& value) {
  return call_op<"aten.masked_fill_.Scalar">(self, mask, value);
}

}  // namespace ersatz::ops
