#include "kernels/creation/full.h"

#include "kernels/shape/copy_layout.h"
#include "kernels/shape/scalar_fit.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_full {

void run_zeros(KernelCall& call);
void run_ones(KernelCall& call);
void run_full(KernelCall& call);      // the number is argument 1
void run_new_full(KernelCall& call);  // ... argument 2
void run_scalar(KernelCall& call);    // ... argument 0

namespace {

// zeros and ones: (size, options), and with out: (size, out)
void sized_rule(RuleCall& call) {
  static constexpr Schemas kArgs{kZeros, kOnes};
  set_sizes(call, start_factory(call, kArgs["dtype"], call.context.default_dtype, call.device),
            call.ints(kArgs["size"]));
}
void sized_out_rule(RuleCall& call) {
  static constexpr Schemas kArgs{kZerosOut, kOnesOut};
  resized_out(call, kArgs["out"], call.ints(kArgs["size"]));
}

DType dtype_of_number(const RuleCall& call, const Scalar& number) {
  const DType dtype = call.context.default_dtype;
  switch (number.kind()) {
    case Scalar::Kind::Bool:
      return DType::Bool;
    case Scalar::Kind::Int:
      return DType::I64;
    case Scalar::Kind::Complex:
      return complex_dtype(dtype);
    default:
      return dtype;
  }
}

// full: (size, number, options) and (size, number, out)
void full_rule(RuleCall& call) {
  const Scalar number = call.scalar(kFull["fill_value"]);
  TensorMeta& out = start_factory(call, kFull["dtype"], dtype_of_number(call, number), call.device);
  set_sizes(call, out, call.ints(kFull["size"]));
  require_fits(call, number, out.dtype, "C2");
}
void full_out_rule(RuleCall& call) {
  require_fits(call, call.scalar(kFullOut["fill_value"]),
               resized_out(call, kFullOut["out"], call.ints(kFullOut["size"])).dtype, "C2");
}

void set_like(RuleCall& call, TensorMeta& out, Position format) {
  static constexpr Schemas kArgs{kZerosLike, kOnesLike, kFullLike};
  out.sizes = call.meta(kArgs["self"]).sizes;
  out.strides = copy_strides(call, call.meta(kArgs["self"]), call.args[format], "C3");
}

// zeros_like and ones_like: (self, options, format) and (self, format, out)
void like_rule(RuleCall& call) {
  static constexpr Schemas kArgs{kZerosLike, kOnesLike};
  set_like(call, start_factory(call, kArgs["dtype"], call.meta(kArgs["self"]).dtype, call.meta(kArgs["self"]).device),
           kArgs["memory_format"]);
}
void like_out_rule(RuleCall& call) {
  static constexpr Schemas kArgs{kZerosLikeOut, kOnesLikeOut};
  resized_out(call, kArgs["out"], call.meta(kArgs["self"]).sizes, SharedElements::Refused);
}

// full_like: (self, number, options, format) and (self, number, format, out)
void full_like_rule(RuleCall& call) {
  TensorMeta& out =
      start_factory(call, kFullLike["dtype"], call.meta(kFullLike["self"]).dtype, call.meta(kFullLike["self"]).device);
  set_like(call, out, kFullLike["memory_format"]);
  require_fits(call, call.scalar(kFullLike["fill_value"]), out.dtype, "C2");
}
void full_like_out_rule(RuleCall& call) {
  require_fits(
      call, call.scalar(kFullLikeOut["fill_value"]),
      resized_out(call, kFullLikeOut["out"], call.meta(kFullLikeOut["self"]).sizes, SharedElements::Refused).dtype,
      "C2");
}

// new_zeros and new_ones: (self, size, options) and (self, size, out)
void new_rule(RuleCall& call) {
  static constexpr Schemas kArgs{kNewZeros, kNewOnes};
  set_sizes(call, start_factory(call, kArgs["dtype"], call.meta(kArgs["self"]).dtype, call.meta(kArgs["self"]).device),
            call.ints(kArgs["size"]));
}
void new_out_rule(RuleCall& call) {
  static constexpr Schemas kArgs{kNewZerosOut, kNewOnesOut};
  resized_out(call, kArgs["out"], call.ints(kArgs["size"]), SharedElements::Refused);
}

// new_full: (self, size, number, options) and (self, size, number, out)
void new_full_rule(RuleCall& call) {
  TensorMeta& out =
      start_factory(call, kNewFull["dtype"], call.meta(kNewFull["self"]).dtype, call.meta(kNewFull["self"]).device);
  set_sizes(call, out, call.ints(kNewFull["size"]));
  require_fits(call, call.scalar(kNewFull["fill_value"]), out.dtype, "C2");
}
void new_full_out_rule(RuleCall& call) {
  require_fits(call, call.scalar(kNewFullOut["fill_value"]),
               resized_out(call, kNewFullOut["out"], call.ints(kNewFullOut["size"]), SharedElements::Refused).dtype,
               "C2");
}

void scalar_rule(RuleCall& call) {
  TensorMeta& out = start_factory(call, kScalarTensor["dtype"], call.context.default_dtype, call.device);
  require_fits(call, call.scalar(kScalarTensor["s"]), out.dtype, "C2");
}
void scalar_out_rule(RuleCall& call) {
  require_fits(call, call.scalar(kScalarTensorOut["s"]), resized_out(call, kScalarTensorOut["out"], {}).dtype, "C2");
}

void register_sized(Registry& r) {
  r.add(kZeros)
      .tag(Tag::Factory)
      .with_rule(sized_rule)
      .every_device(run_zeros)
      .sample("[2, 3], dtype=i64")
      .refuses("C1", "[-1]");
  r.add(kZerosOut).with_rule(sized_out_rule).every_device(run_zeros).sample("[2, 3], out=f32[0]");
  r.add(kOnes).tag(Tag::Factory).with_rule(sized_rule).every_device(run_ones).sample("[2, 3]").refuses("C1", "[-1]");
  r.add(kOnesOut).with_rule(sized_out_rule).every_device(run_ones).sample("[2, 3], out=f32[0]");
  r.add(kFull)
      .tag(Tag::Factory | Tag::Core)
      .with_rule(full_rule)
      .every_device(run_full)
      .sample("[2, 3], 1.5")
      .sample("[2, 3], True")
      .refuses("C1", "[-1], 0")
      .refuses("C2", "[2], 300, dtype=u8");
  r.add(kFullOut).with_rule(full_out_rule).every_device(run_full).sample("[2, 3], 1.5, out=f32[0]");
  r.add(kScalarTensor)
      .tag(Tag::Factory | Tag::Core)
      .with_rule(scalar_rule)
      .every_device(run_scalar)
      .sample("2")
      .refuses("C2", "(1+2j)");
  r.add(kScalarTensorOut).with_rule(scalar_out_rule).every_device(run_scalar).sample("2, out=f32[3]");
}

void register_like(Registry& r) {
  r.add(kZerosLike)
      .with_rule(like_rule)
      .every_device(run_zeros)
      .sample("f32[2,3]{1,2}")
      .refuses("C3", "f32[2], memory_format=channels_last");
  r.add(kZerosLikeOut).with_rule(like_out_rule).every_device(run_zeros).sample("f32[2,3], out=f32[0]");
  r.add(kOnesLike)
      .with_rule(like_rule)
      .every_device(run_ones)
      .sample("f32[2,3]{1,2}")
      .refuses("C3", "f32[2], memory_format=channels_last");
  r.add(kOnesLikeOut).with_rule(like_out_rule).every_device(run_ones).sample("f32[2,3], out=f32[0]");
  r.add(kFullLike)
      .tag(Tag::Core)
      .with_rule(full_like_rule)
      .every_device(run_full)
      .sample("i64[2,3]{1,2}, 1.5")
      .refuses("C2", "u8[2], 300")
      .refuses("C3", "f32[2], 0, memory_format=channels_last");
  r.add(kFullLikeOut).with_rule(full_like_out_rule).every_device(run_full).sample("f32[2,3], 1.5, out=f32[0]");
}

void register_new(Registry& r) {
  r.add(kNewZeros).with_rule(new_rule).every_device(run_zeros).sample("f64[2], [3, 4]").refuses("C1", "f64[2], [-1]");
  r.add(kNewZerosOut).with_rule(new_out_rule).every_device(run_zeros).sample("f64[2], [3, 4], out=f32[0]");
  r.add(kNewOnes).with_rule(new_rule).every_device(run_ones).sample("f64[2], [3, 4]").refuses("C1", "f64[2], [-1]");
  r.add(kNewOnesOut).with_rule(new_out_rule).every_device(run_ones).sample("f64[2], [3, 4], out=f32[0]");
  r.add(kNewFull)
      .with_rule(new_full_rule)
      .every_device(run_new_full)
      .sample("f64[2], [3, 4], 1.5")
      .refuses("C1", "f64[2], [-1], 0")
      .refuses("C2", "u8[2], [2], 300");
  r.add(kNewFullOut).with_rule(new_full_out_rule).every_device(run_new_full).sample("f64[2], [3, 4], 1.5, out=f32[0]");
}

}  // namespace

void register_ops(Registry& r) {
  register_sized(r);
  register_like(r);
  register_new(r);
}

}  // namespace ersatz::op_full
