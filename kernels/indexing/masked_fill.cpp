#include "kernels/indexing/masked_fill.h"

#include "kernels/shape/broadcast.h"
#include "kernels/shape/scalar_fit.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_masked_fill {

Kernel run_cpu;

namespace {

// Sets `sizes` to the sizes that `a` and `b` broadcast to. RETURNS: false if they do not broadcast.
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
    } else if (!stretches_to(fewer[d], size)) {
      return false;
    }
  }
  return true;
}

void require_mask_and_value(const RuleCall& call) {
  call.require(call.meta(kEach["mask"]).dtype == DType::Bool, "C1", "expects a bool mask: mask is {}",
               call.meta(kEach["mask"]));
  if (!call.is_tensor(kEach["value"]))
    return require_written_number(call, call.scalar(kEach["value"]), call.meta(kEach["self"]), "C3");
  call.require(call.meta(kEach["value"]).dim() == 0, "C4", "expects a value without dims: value is {}",
               call.meta(kEach["value"]));
}

void rule(RuleCall& call) {
  static constexpr Schemas kArgs{kMaskedFillTensor, kMaskedFillScalar};
  const TensorMeta& self = call.meta(kArgs["self"]);
  require_mask_and_value(call);
  TensorMeta& out = call.out.outputs.emplace_back().meta;
  out.dtype = self.dtype;
  out.device = call.device;
  call.require(join_sizes(self, call.meta(kArgs["mask"]), out.sizes), "C2",
               "mask and self must broadcast: self is {}, mask is {}", self, call.meta(kArgs["mask"]));
  out.strides = contiguous_strides(out.sizes);
}

void inplace_rule(RuleCall& call) {
  static constexpr Schemas kArgs{kMaskedFillInplaceTensor, kMaskedFillInplaceScalar};
  require_mask_and_value(call);
  call.require(broadcasts_to(call.meta(kArgs["mask"]).sizes, call.meta(kArgs["self"]).sizes), "C2",
               "mask must broadcast to self: self is {}, mask is {}", call.meta(kArgs["self"]),
               call.meta(kArgs["mask"]));
  call.out.same(call.tensor(kArgs["self"]));
}

}  // namespace

void register_ops(Registry& r) {
  const std::vector<DeviceRule> devices = {DeviceRule::Same, DeviceRule::CpuScalarOk, DeviceRule::Any};
  const std::vector<DeviceRule> value_anywhere = {DeviceRule::Same, DeviceRule::CpuScalarOk, DeviceRule::CpuScalarOk};
  OpEntry& tensor = r.add(kMaskedFillTensor)
                        .tag(Tag::FailsOnValues)
                        .with_rule(rule)
                        .cpu(run_cpu)
                        .devices(value_anywhere)
                        .sample("f32[2,3], bool[3], f64[]")
                        .refuses("C4", "f32[2], bool[2], f32[1]");
  r.add(kMaskedFillInplaceTensor)
      .tag(Tag::FailsOnValues)
      .with_rule(inplace_rule)
      .cpu(run_cpu)
      .devices(value_anywhere)
      .sample("f32[2,3], bool[3], f64[]")
      .refuses("C4", "f32[2], bool[2], f32[1]");
  r.add_out(tensor, "Tensor_out", kGeneratedForm);
  OpEntry& op = r.add(kMaskedFillScalar)
                    .with_rule(rule)
                    .cpu(run_cpu)
                    .devices(devices)
                    .sample("f32[2,3], bool[3], 1.5")
                    .refuses("C1", "f32[2], f32[2], 0")
                    .refuses("C2", "f32[2], bool[3], 0")
                    .refuses("C3", "u8[2], bool[2], 300");
  r.add(kMaskedFillInplaceScalar)
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
