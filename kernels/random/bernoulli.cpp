#include "kernels/random/bernoulli.h"

#include "kernels/creation/factory_options.h"
#include "kernels/random/draw.h"
#include "kernels/shape/broadcast.h"
#include "kernels/written_elements.h"
#include "runtime/op/argument_tag.h"
#include "runtime/op/derived.h"
#include "runtime/op/device_tag.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_bernoulli {

Kernel self_cpu, tensor_cpu, native_dropout_cpu;

namespace {

constexpr DTypeSet kDrawn = kReals | kBool;

bool is_empty(const TensorMeta& t) {
  const SymInt n = t.numel();
  return n.is_int() && n.as_int() == 0;
}

// ATen checks the dtypes only if the result has elements.
void require_dtypes(const RuleCall& call, const TensorMeta& out, const TensorMeta* p) {
  if (is_empty(out)) return;
  if (p) call.require_dtype(p->dtype, kFloats);
  call.require_dtype(out.dtype, kDrawn);
}
void require_probability(const RuleCall& call, double p) {
  call.require(p >= 0 && p <= 1, "C1", "p must lie in [0, 1]: got {}", p);
}
void require_broadcast(const RuleCall& call) {
  static constexpr Schemas kArgs{kBernoulliTensor, kBernoulliInplaceTensor};
  call.require(broadcasts_to(call.meta(kArgs["p"]).sizes, call.meta(kArgs["self"]).sizes), "C2",
               "p must broadcast to self: {} and {}", call.meta(kArgs["p"]), call.meta(kArgs["self"]));
}

TensorMeta& answer_row_major(RuleCall& call) {
  static constexpr Schemas kArgs{kBernoulli, kBernoulliP, kBernoulliTensor, kBernoulliFloatOut};
  const TensorMeta& self = call.meta(kArgs["self"]);
  TensorMeta& out = call.out.fresh();
  out.dtype = self.dtype;
  out.device = call.device;
  out.sizes = self.sizes;
  out.strides = contiguous_strides(self.sizes);
  return out;
}

void self_rule(RuleCall& call) {
  const TensorMeta& self = call.meta(kBernoulli["self"]);
  const TensorMeta* out = resized_out(call, self.sizes, SharedElements::Refused);
  require_dtypes(call, out ? *out : answer_row_major(call), &self);
}
// Arguments of the operator: (self, p, generator).
void number_rule(RuleCall& call) {
  static constexpr Schemas kArgs{kBernoulliP, kBernoulliFloatOut};
  require_probability(call, call.real(kArgs["p"]));
  require_dtypes(call, answer_row_major(call), nullptr);
}
void tensor_rule(RuleCall& call) {
  require_broadcast(call);
  TensorMeta& out = answer_row_major(call);
  out.strides =
      preserved_strides(call.meta(kBernoulliTensor["self"]).sizes, call.meta(kBernoulliTensor["self"]).strides);
  require_dtypes(call, out, &call.meta(kBernoulliTensor["p"]));
}
void number_out_rule(RuleCall& call) {
  RuleResult result;
  RuleCall functional = call.with(call.args.first(kBernoulliFloatOut["out"]), result);
  number_rule(functional);
  answer_out(call, result.outputs[0].meta, kBernoulliFloatOut["out"], kGeneratedForm);
}
void number_inplace_rule(RuleCall& call) {
  require_probability(call, call.real(kBernoulliInplaceFloat["p"]));
  require_own_elements(call, "C3", kBernoulliInplaceFloat["self"]);
  require_dtypes(call, call.meta(kBernoulliInplaceFloat["self"]), nullptr);
  call.out.same(call.tensor(kBernoulliInplaceFloat["self"]));
}
void tensor_inplace_rule(RuleCall& call) {
  require_broadcast(call);
  require_own_elements(call, "C3", kBernoulliInplaceTensor["self"]);
  require_dtypes(call, call.meta(kBernoulliInplaceTensor["self"]), &call.meta(kBernoulliInplaceTensor["p"]));
  call.out.same(call.tensor(kBernoulliInplaceTensor["self"]));
}

// Arguments of the operator: (input, p, train).
void native_dropout_rule(RuleCall& call) {
  const TensorMeta& input = call.meta(kNativeDropout["input"]);
  const bool trains = !call.has(kNativeDropout["train"]) || call.boolean(kNativeDropout["train"]);
  const DimVec strides = preserved_strides(input.sizes, input.strides);
  if (is_empty(input) && !call.device.is_cuda()) {
    call.out.same(call.tensor(kNativeDropout["input"]));
    call.out.fresh(TensorMeta(input.dtype, input.sizes, strides, call.device));
    return;
  }
  // outside of training, the input is copied, which every dtype supports
  if (!trains) call.require_dtype(input.dtype, kEveryDType);
  if (trains && !is_empty(input)) {
    require_probability(call, call.real(kNativeDropout["p"]));
    call.require(kFloatsAndComplexes.has(input.dtype), "C2",
                 "a result of dtype f32 cannot be written to {}: training needs a floating dtype", input);
    if (call.device.is_cuda() && call.real(kNativeDropout["p"]) < 1) call.require_dtype(input.dtype, kFloats);
  }
  call.out.fresh(TensorMeta(input.dtype, input.sizes, strides, call.device));
  call.out.fresh(TensorMeta(DType::Bool, input.sizes, strides, call.device));
}

void run_number(KernelCall& call) {
  static constexpr Schemas kArgs{kBernoulliP, kBernoulliFloatOut, kBernoulliInplaceFloat};
  const Tensor& out = call.outputs[0];
  draw_bernoulli(out, generator_or_default(call[kArgs["generator"]].as_generator(), out.device()),
                 call.real(kArgs["p"]));
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& by_self = r.add(kBernoulli)
                         .tag(Tag::Random | Tag::FailsOnValues)
                         .with_rule(self_rule)
                         .cpu(self_cpu)
                         .sample("f32[2,3]{1,2}", 0, 1)
                         .refuses("", "i64[2]");
  r.add_out_alike(by_self, "out").sample("f32[2,3], out=i64[0]", 0, 1);
  r.add(kBernoulliP)
      .tag(Tag::Random)
      .with_rule(number_rule)
      .every_device(run_number)
      .sample("f32[2,3]{1,2}, 0.5")
      .refuses("C1", "f32[2], 1.5");
  OpEntry& by_tensor = r.add(kBernoulliTensor)
                           .tag(Tag::Random | Tag::FailsOnValues)
                           .with_rule(tensor_rule)
                           .cpu(tensor_cpu)
                           .sample("f32[2,3]{1,2}, f32[3]", 0, 1)
                           .refuses("C2", "f32[2], f32[3]");
  r.add_out(by_tensor, "Tensor_out", kGeneratedForm).sample("f32[2,3], f32[3], out=f32[0]", 0, 1);
  r.add(kBernoulliFloatOut)
      .tag(Tag::Random)
      .with_rule(number_out_rule)
      .every_device(run_number)
      .sample("f32[2,3], 0.5, out=f32[0]");
  r.add(kBernoulliInplaceFloat)
      .tag(Tag::Random)
      .with_rule(number_inplace_rule)
      .every_device(run_number)
      .sample("i64[2,3], 0.5")
      .refuses("C1", "f32[2], -0.5")
      .refuses("C3", "f32[2,3]{0,1}, 0.5");
  r.add(kBernoulliInplaceTensor)
      .tag(Tag::Random | Tag::FailsOnValues)
      .with_rule(tensor_inplace_rule)
      .cpu(tensor_cpu)
      .sample("f32[2,3], f32[3]", 0, 1)
      .refuses("C2", "f32[2], f32[3]");
  OpEntry& native_dropout = r.add(kNativeDropout)
                                .tag(Tag::Random | Tag::Core | kSavedByDevice | kMayReturnArgument)
                                .with_rule(native_dropout_rule)
                                .cpu(native_dropout_cpu)
                                .sample("f32[2,3]{1,2}, 0.5, True")
                                .sample("f32[2,3], 0.5, False")
                                .refuses("C1", "f32[2], 1.5, True")
                                .refuses("C2", "i64[2], 0.5, True");
  r.add_out(native_dropout, "out", kGeneratedForm).tag(Tag::Random);
}

}  // namespace ersatz::op_bernoulli
