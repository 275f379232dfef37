#include "kernels/random/normal.h"

#include "kernels/pointwise/iterator_layout.h"
#include "kernels/shape/scalar_fit.h"
#include "runtime/op/derived.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/type_promotion.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_normal {

void moments_cpu(KernelCall& call);
void run_sized(KernelCall& call);
void run_like(KernelCall& call);

namespace {

void require_std(const RuleCall& call, size_t i) {
  if (call.is_tensor(i)) {
    call.require(!is_complex(call.meta(i).dtype), "C2", "expects a std that is not complex: std is {}", call.meta(i));
  } else {
    call.require(call.real(i) >= 0, "C1", "std must not be negative: got {}", call.real(i));
  }
}

// (mean, std, generator): at least one a tensor.
TensorMeta from_moments(const RuleCall& call, const TensorMeta* written = nullptr) {
  require_std(call, 1);
  TensorMeta out;
  out.device = call.device;
  out.dtype = call.meta(call.is_tensor(0) ? 0 : 1).dtype;
  InlineVec<const TensorMeta*, 2> operands;
  for (size_t i : {0, 1}) {
    if (call.is_tensor(i)) operands.push_back(&call.meta(i));
  }
  // ATen makes the number of `normal.Tensor_float_out` a tensor of out's sizes.
  if (written && call.is_tensor(0) && !call.is_tensor(1)) operands.push_back(written);
  BroadcastMismatch mismatch;
  call.require(broadcast_sizes(operands, out.sizes, mismatch), "C3", "sizes must broadcast: {} and {}", *operands[0],
               *operands[operands.size() - 1]);
  out.strides = contiguous_strides(out.sizes);
  return out;
}

void require_drawable(const RuleCall& call, const TensorMeta& out) {
  if (!sym_eq(out.numel(), 0)) call.require_dtype(out.dtype, kFloatsAndComplexes);
}

// ATen draws into `out`, then multiplies it by std and adds mean, which it makes a tensor where it is a number.
void require_moments_fit(const RuleCall& call, const TensorMeta& out) {
  if (!call.is_tensor(0)) require_fits(call, call.scalar(0), out.dtype, "C6");
  require_drawable(call, out);
  for (size_t i : {1, 0}) {
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
  TensorMeta out = from_moments(call, &call.meta(3));
  out.dtype = call.meta(3).dtype;
  require_moments_fit(call, out);
  answer_out(call, out, 3, kGeneratedForm);
}

// (mean, std, size, generator, options or out)
void sized_rule(RuleCall& call) {
  require_std(call, 1);
  for (SymInt s : call.ints(2)) {
    call.require(s.is_symbolic() || s.as_int() >= 0, "C4", "sizes must not be negative: got {}", call.ints(2));
  }
  TensorMeta& out = start_factory(call, 4, call.context.default_dtype, call.device);
  set_sizes(call, out, call.ints(2));
  require_drawable(call, out);
}
void sized_out_rule(RuleCall& call) {
  require_std(call, 1);
  require_drawable(call, resized_out(call, 4, call.ints(2), SharedElements::Refused));
}

// (self, mean, std, generator, out): what `normal_` would make of a copy of self.
void like_out_rule(RuleCall& call) {
  require_std(call, 2);
  const TensorMeta& self = call.meta(0);
  require_drawable(call, self);
  answer_out(call, TensorMeta(self.dtype, self.sizes, self.device), 4, kGeneratedForm);
}

}  // namespace

void register_ops(Registry& r) {
  struct Moments {
    const char *overload, *mean, *std, *sample, *out_sample;
  };
  for (const Moments& f :
       {Moments{"Tensor_Tensor", "Tensor mean", "Tensor std", "f32[2,3]{1,2}, f32[3]", "f32[2,3], f32[3]"},
        Moments{"Tensor_float", "Tensor mean", "float std=1.", "f32[2,3], 2.0", nullptr},
        Moments{"float_Tensor", "float mean", "Tensor std", "1.0, f32[2,3]", "1.0, f32[2,3]"}}) {
    r.add(fmt::format("aten::normal.{}({}, {}, *, Generator? generator=None) -> Tensor", f.overload, f.mean, f.std),
          __FILE__)
        .tag(Tag::Random | Tag::FailsOnValues)
        .with_rule(moments_rule)
        .cpu(moments_cpu)
        .sample(f.sample, 0, 2);
    r.add(fmt::format("aten::normal.{}_out({}, {}, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)",
                      f.overload, f.mean, f.std),
          __FILE__)
        .tag(Tag::Random | Tag::FailsOnValues)
        .with_rule(moments_out_rule)
        .cpu(moments_cpu)
        .sample(f.out_sample ? fmt::format("{}, out=f32[0]", f.out_sample) : "f32[2,3], 2.0, out=f32[2,3]", 0, 2);
  }
  r.find_mutable("aten.normal.Tensor_Tensor")->refuses("C2", "f32[2], c64[2]").refuses("C3", "f32[2], f32[3]");
  r.find_mutable("aten.normal.Tensor_Tensor_out")->refuses("C5", "c64[2], f32[2], out=f32[2]");
  r.find_mutable("aten.normal.Tensor_float")->refuses("C1", "f32[2], -1.0");
  r.find_mutable("aten.normal.float_Tensor")->refuses("C6", "-1.0, u8[2]");
  r.add(
       "aten::normal.float_float(float mean, float std, SymInt[] size, *, Generator? generator=None, ScalarType? "
       "dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
       __FILE__)
      .tag(Tag::Factory | Tag::Random)
      .with_rule(sized_rule)
      .every_device(run_sized)
      .sample("1.0, 2.0, [2, 3]")
      .refuses("C1", "1.0, -2.0, [2, 3]")
      .refuses("C4", "1.0, 2.0, [-2, 3]");
  r.add(
       "aten::normal.float_float_out(float mean, float std, SymInt[] size, *, Generator? generator=None, Tensor(a!) "
       "out) -> Tensor(a!)",
       __FILE__)
      .tag(Tag::Random)
      .with_rule(sized_out_rule)
      .every_device(run_sized)
      .sample("1.0, 2.0, [2, 3], out=f32[0]");
  r.add(
       "aten::normal.out(Tensor self, float mean=0., float std=1., *, Generator? generator=None, Tensor(a!) out) -> "
       "Tensor(a!)",
       __FILE__)
      .tag(Tag::Random)
      .with_rule(like_out_rule)
      .every_device(run_like)
      .sample("f32[2,3], 1.0, 2.0, out=f32[0]");
}

}  // namespace ersatz::op_normal

namespace ersatz::ops {

Tensor normal(const Tensor& mean, const Tensor& std) {
  return call_op<"aten.normal.Tensor_Tensor">(mean, std, std::nullopt);
}
Tensor normal(const Tensor& mean, double std) { return call_op<"aten.normal.Tensor_float">(mean, std, std::nullopt); }
Tensor normal(double mean, const Tensor& std) { return call_op<"aten.normal.float_Tensor">(mean, std, std::nullopt); }
Tensor normal(double mean, double std, std::span<const SymInt> size, const FactoryOptions& o) {
  return call_op<"aten.normal.float_float">(mean, std, size, std::nullopt, o.dtype, std::nullopt, o.device,
                                            std::nullopt);
}

}  // namespace ersatz::ops
