#include "kernels/random/normal.h"

#include "kernels/pointwise/iterator_layout.h"
#include "kernels/random/draw.h"
#include "kernels/shape/scalar_fit.h"
#include "runtime/op/derived.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/type_promotion.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_normal {

Kernel moments_cpu;

namespace {

void require_std(const RuleCall& call, Position i) {
  if (call.is_tensor(i)) {
    call.require(!is_complex(call.meta(i).dtype), "C2", "expects a std that is not complex: std is {}", call.meta(i));
  } else {
    call.require(call.real(i) >= 0, "C1", "std must not be negative: got {}", call.real(i));
  }
}

// Returns the result's metadata. Arguments of the operator: (mean, std, generator); mean or std is a tensor, or both
// are.
TensorMeta from_moments(const RuleCall& call, const TensorMeta* written = nullptr) {
  require_std(call, kOfMoments["std"]);
  TensorMeta out;
  out.device = call.device;
  out.dtype = call.meta(call.is_tensor(kOfMoments["mean"]) ? kOfMoments["mean"] : kOfMoments["std"]).dtype;
  InlineVec<const TensorMeta*, 2> operands;
  for (Position i : {kOfMoments["mean"], kOfMoments["std"]}) {
    if (call.is_tensor(i)) operands.push_back(&call.meta(i));
  }
  // For `normal.Tensor_float_out`, ATen expands std to the sizes of `out`.
  if (written && call.is_tensor(kOfMoments["mean"]) && !call.is_tensor(kOfMoments["std"])) operands.push_back(written);
  BroadcastMismatch mismatch;
  call.require(broadcast_sizes(operands, out.sizes, mismatch), "C3", "sizes must broadcast: {} and {}", *operands[0],
               *operands[operands.size() - 1]);
  out.strides = contiguous_strides(out.sizes);
  return out;
}

void require_drawable(const RuleCall& call, const TensorMeta& out) {
  if (!sym_eq(out.numel(), 0)) call.require_dtype(out.dtype, kFloatsAndComplexes);
}

// ATen draws into `out`, multiplies it by std and adds mean. If mean is a number, ATen converts it to a tensor first.
void require_moments_fit(const RuleCall& call, const TensorMeta& out) {
  if (!call.is_tensor(kOfMoments["mean"])) require_fill_number(call, call.scalar(kOfMoments["mean"]), out, "C6");
  require_drawable(call, out);
  const DType std = call.is_tensor(kOfMoments["std"]) ? call.meta(kOfMoments["std"]).dtype : out.dtype;
  if ((kFloat8s | kFloat4s | kWideUnsigned).has(std))
    call.require_dtype(std, kFloats);  // ATen computes the minimum of std
  const DType mean = call.is_tensor(kOfMoments["mean"]) ? call.meta(kOfMoments["mean"]).dtype : out.dtype;
  call.require(mean == out.dtype || !(kFloat8s | kFloat4s).has(mean), "C5",
               "a result of dtype {} cannot be written to {}", name(mean), out);
  for (Position i : {kOfMoments["std"], kOfMoments["mean"]}) {
    if (!call.is_tensor(i)) continue;
    call.require(can_cast(call.meta(i).dtype, out.dtype), "C5", "a result of dtype {} cannot be written to {}",
                 name(call.meta(i).dtype), out);
  }
}

void moments_rule(RuleCall& call) {
  const TensorMeta out = from_moments(call);
  require_moments_fit(call, out);
  call.out.fresh(out);
}
void moments_out_rule(RuleCall& call) {
  const size_t written = call.args.size() - 1;
  TensorMeta out = from_moments(call, &call.meta(written));
  out.dtype = call.meta(written).dtype;
  require_moments_fit(call, out);
  answer_out(call, out, written, kGeneratedForm);
}

// Arguments of the operator: (mean, std, size, generator, options or out).
void sized_rule(RuleCall& call) {
  require_std(call, kNormalFloatFloat["std"]);
  for (SymInt s : call.ints(kNormalFloatFloat["size"])) {
    call.require(check_ge(s, 0), "C4", "sizes must not be negative: got {}", call.ints(kNormalFloatFloat["size"]));
  }
  require_drawable(call, answer_sized(call, kNormalFloatFloat["dtype"], call.context.default_dtype, call.device,
                                      call.ints(kNormalFloatFloat["size"]), SharedElements::Refused));
}

// Arguments of the operator: (self, mean, std, generator, out). The result is that of `normal_` on a copy of self.
void like_out_rule(RuleCall& call) {
  require_std(call, kNormalOut["std"]);
  const TensorMeta& self = call.meta(kNormalOut["self"]);
  require_drawable(call, self);
  answer_out(call, TensorMeta(self.dtype, self.sizes, self.device), kNormalOut["out"], kGeneratedForm);
}

void run_sized(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  draw_normal(out, generator_or_default(call[kNormalFloatFloat["generator"]].as_generator(), out.device()),
              call.real(kNormalFloatFloat["mean"]), call.real(kNormalFloatFloat["std"]));
}
void run_like(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  draw_normal(out, generator_or_default(call[kNormalOut["generator"]].as_generator(), out.device()),
              call.real(kNormalOut["mean"]), call.real(kNormalOut["std"]));
}

}  // namespace

void register_ops(Registry& r) {
  struct Moments {
    Schema functional;
    const char *out, *sample, *out_sample;
  };
  for (const Moments& f :
       {Moments{kNormalTensorTensor, "Tensor_Tensor_out", "f32[2,3]{1,2}, f32[3]", "f32[2,3], f32[3]"},
        Moments{kNormalTensorFloat, "Tensor_float_out", "f32[2,3], 2.0", nullptr},
        Moments{kNormalFloatTensor, "float_Tensor_out", "1.0, f32[2,3]", "1.0, f32[2,3]"}}) {
    OpEntry& op = r.add(f.functional)
                      .tag(Tag::Random | Tag::FailsOnValues)
                      .with_rule(moments_rule)
                      .cpu(moments_cpu)
                      .sample(f.sample, 0, 2);
    r.add_out_alike(op, f.out)
        .with_rule(moments_out_rule)
        .sample(f.out_sample ? fmt::format("{}, out=f32[0]", f.out_sample) : "f32[2,3], 2.0, out=f32[2,3]", 0, 2);
  }
  r.find_mutable("aten.normal.Tensor_Tensor")->refuses("C2", "f32[2], c64[2]").refuses("C3", "f32[2], f32[3]");
  r.find_mutable("aten.normal.Tensor_Tensor_out")->refuses("C5", "c64[2], f32[2], out=f32[2]");
  r.find_mutable("aten.normal.Tensor_float")->refuses("C1", "f32[2], -1.0");
  r.find_mutable("aten.normal.float_Tensor")->refuses("C6", "-1.0, u8[2]");
  OpEntry& sized = r.add(kNormalFloatFloat)
                       .tag(Tag::Factory | Tag::Random)
                       .with_rule(sized_rule)
                       .every_device(run_sized)
                       .sample("1.0, 2.0, [2, 3]")
                       .refuses("C1", "1.0, -2.0, [2, 3]")
                       .refuses("C4", "1.0, 2.0, [-2, 3]");
  r.add_out_alike(sized, "float_float_out").sample("1.0, 2.0, [2, 3], out=f32[0]");
  r.add(kNormalOut)
      .tag(Tag::Random)
      .with_rule(like_out_rule)
      .every_device(run_like)
      .sample("f32[2,3], 1.0, 2.0, out=f32[0]");
}

}  // namespace ersatz::op_normal
