#include "kernels/shape/fill.h"

#include "kernels/shape/broadcast.h"
#include "kernels/shape/fill_elements.h"
#include "kernels/shape/output_meta.h"
#include "kernels/shape/scalar_fit.h"
#include "kernels/written_elements.h"
#include "runtime/op/copy.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/moves_tag.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_fill {
namespace {

void answer(RuleCall& call, bool in_place) {
  if (in_place) return call.out.same(call.tensor(kEach["self"]));
  const TensorMeta& from = call.meta(kEach["self"]);
  answer_like(call, from);
}

template <bool in_place>
void scalar_rule(RuleCall& call) {
  require_fill_number(call, call.scalar(kWithNumber["value"]), call.meta(kWithNumber["self"]), "C1");
  answer(call, in_place);
}

template <bool in_place>
void tensor_rule(RuleCall& call) {
  const TensorMeta& value = call.meta(kWithTensor["value"]);
  call.require(value.dim() == 0, "C2", "expects a value without dims: value is {}", value);
  if (in_place) require_own_elements(call, "C3", kWithTensor["self"]);
  answer(call, in_place);
}

template <bool in_place>
void zero_rule(RuleCall& call) {
  answer(call, in_place);
}

void run_scalar(KernelCall& call) { fill_elements(call.outputs[0], call.scalar(kWithNumber["value"])); }

void run_zero(KernelCall& call) { fill_elements(call.outputs[0], 0); }

void run_tensor(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  Tensor value = call.tensor(kWithTensor["value"]);
  if (value.shares_storage(out) || value.device() != out.device()) {
    Tensor saved = make_real_tensor(TensorMeta(value.dtype(), std::span<const SymInt>(), out.device()));
    copy_elements(saved, value);
    value = std::move(saved);
  }
  copy_elements(out, broadcast_view(value, out.sizes()));
}

}  // namespace

void register_ops(Registry& r) {
  const std::vector<DeviceRule> value_anywhere = {DeviceRule::Same, DeviceRule::CpuScalarOk};
  r.add(kFillInplaceScalar)
      .tag(kMovesEveryDType)
      .with_rule(scalar_rule<true>)
      .every_device(run_scalar)
      .sample("f32[2,3]{1,2}, 1.5")
      .refuses("C1", "u8[2], 300");
  r.add(kFillInplaceTensor)
      .tag(kMovesEveryDType)
      .with_rule(tensor_rule<true>)
      .every_device(run_tensor)
      .devices(value_anywhere)
      .sample("f32[2,3], i64[]")
      .refuses("C2", "f32[2], f32[1]");
  OpEntry& fill_scalar = r.add(kFillScalar)
                             .tag(Tag::Core | kMovesEveryDType)
                             .with_rule(scalar_rule<false>)
                             .every_device(run_scalar)
                             .sample("f32[2,3], 1.5")
                             .refuses("C1", "u8[2], 300");
  OpEntry& fill_tensor = r.add(kFillTensor)
                             .tag(kMovesEveryDType)
                             .with_rule(tensor_rule<false>)
                             .every_device(run_tensor)
                             .devices(value_anywhere)
                             .sample("f32[2,3], i64[]")
                             .refuses("C2", "f32[2], f32[1]");
  r.add(kZeroInplace).tag(kMovesEveryDType).with_rule(zero_rule<true>).every_device(run_zero).sample("f32[2,3]");
  OpEntry& zero =
      r.add(kZero).tag(kMovesEveryDType).with_rule(zero_rule<false>).every_device(run_zero).sample("f32[2,3]");
  r.add_out(fill_scalar, "Scalar_out", kGeneratedForm).sample("f32[2,3], 1.5, out=f32[0]");
  r.add_out(fill_tensor, "Tensor_out", kGeneratedForm).sample("f32[2,3], i64[], out=f32[0]");
  r.add_out(zero, "out", kGeneratedForm).sample("f32[2,3], out=f32[0]");
}

}  // namespace ersatz::op_fill
