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
  set_sizes(call, start_factory(call, 1, call.context.default_dtype, call.device), call.ints(0));
}
void sized_out_rule(RuleCall& call) { resized_out(call, 1, call.ints(0)); }

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
  const Scalar number = call.scalar(1);
  TensorMeta& out = start_factory(call, 2, dtype_of_number(call, number), call.device);
  set_sizes(call, out, call.ints(0));
  require_fits(call, number, out.dtype, "C2");
}
void full_out_rule(RuleCall& call) {
  require_fits(call, call.scalar(1), resized_out(call, 2, call.ints(0)).dtype, "C2");
}

void set_like(RuleCall& call, TensorMeta& out, size_t format) {
  out.sizes = call.meta(0).sizes;
  out.strides = copy_strides(call, call.meta(0), call.args[format], "C3");
}

// zeros_like and ones_like: (self, options, format) and (self, format, out)
void like_rule(RuleCall& call) { set_like(call, start_factory(call, 1, call.meta(0).dtype, call.meta(0).device), 5); }
void like_out_rule(RuleCall& call) { resized_out(call, 2, call.meta(0).sizes, SharedElements::Refused); }

// full_like: (self, number, options, format) and (self, number, format, out)
void full_like_rule(RuleCall& call) {
  TensorMeta& out = start_factory(call, 2, call.meta(0).dtype, call.meta(0).device);
  set_like(call, out, 6);
  require_fits(call, call.scalar(1), out.dtype, "C2");
}
void full_like_out_rule(RuleCall& call) {
  require_fits(call, call.scalar(1), resized_out(call, 3, call.meta(0).sizes, SharedElements::Refused).dtype, "C2");
}

// new_zeros and new_ones: (self, size, options) and (self, size, out)
void new_rule(RuleCall& call) {
  set_sizes(call, start_factory(call, 2, call.meta(0).dtype, call.meta(0).device), call.ints(1));
}
void new_out_rule(RuleCall& call) { resized_out(call, 2, call.ints(1), SharedElements::Refused); }

// new_full: (self, size, number, options) and (self, size, number, out)
void new_full_rule(RuleCall& call) {
  TensorMeta& out = start_factory(call, 3, call.meta(0).dtype, call.meta(0).device);
  set_sizes(call, out, call.ints(1));
  require_fits(call, call.scalar(2), out.dtype, "C2");
}
void new_full_out_rule(RuleCall& call) {
  require_fits(call, call.scalar(2), resized_out(call, 3, call.ints(1), SharedElements::Refused).dtype, "C2");
}

void scalar_rule(RuleCall& call) {
  TensorMeta& out = start_factory(call, 1, call.context.default_dtype, call.device);
  require_fits(call, call.scalar(0), out.dtype, "C2");
}
void scalar_out_rule(RuleCall& call) { require_fits(call, call.scalar(0), resized_out(call, 1, {}).dtype, "C2"); }

#define OPTIONS "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None"
#define FORMAT "MemoryFormat? memory_format=None"

void register_sized(Registry& r) {
  r.add("aten::zeros(SymInt[] size, *, " OPTIONS ") -> Tensor", __FILE__)
      .tag(Tag::Factory)
      .with_rule(sized_rule)
      .every_device(run_zeros)
      .sample("[2, 3], dtype=i64")
      .refuses("C1", "[-1]");
  r.add("aten::zeros.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)", __FILE__)
      .with_rule(sized_out_rule)
      .every_device(run_zeros)
      .sample("[2, 3], out=f32[0]");
  r.add("aten::ones(SymInt[] size, *, " OPTIONS ") -> Tensor", __FILE__)
      .tag(Tag::Factory)
      .with_rule(sized_rule)
      .every_device(run_ones)
      .sample("[2, 3]")
      .refuses("C1", "[-1]");
  r.add("aten::ones.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)", __FILE__)
      .with_rule(sized_out_rule)
      .every_device(run_ones)
      .sample("[2, 3], out=f32[0]");
  r.add("aten::full(SymInt[] size, Scalar fill_value, *, " OPTIONS ") -> Tensor", __FILE__)
      .tag(Tag::Factory | Tag::Core)
      .with_rule(full_rule)
      .every_device(run_full)
      .sample("[2, 3], 1.5")
      .sample("[2, 3], True")
      .refuses("C1", "[-1], 0")
      .refuses("C2", "[2], 300, dtype=u8");
  r.add("aten::full.out(SymInt[] size, Scalar fill_value, *, Tensor(a!) out) -> Tensor(a!)", __FILE__)
      .with_rule(full_out_rule)
      .every_device(run_full)
      .sample("[2, 3], 1.5, out=f32[0]");
  r.add("aten::scalar_tensor(Scalar s, *, " OPTIONS ") -> Tensor", __FILE__)
      .tag(Tag::Factory | Tag::Core)
      .with_rule(scalar_rule)
      .every_device(run_scalar)
      .sample("2")
      .refuses("C2", "(1+2j)");
  r.add("aten::scalar_tensor.out(Scalar s, *, Tensor(a!) out) -> Tensor(a!)", __FILE__)
      .with_rule(scalar_out_rule)
      .every_device(run_scalar)
      .sample("2, out=f32[3]");
}

void register_like(Registry& r) {
  r.add("aten::zeros_like(Tensor self, *, " OPTIONS ", " FORMAT ") -> Tensor", __FILE__)
      .with_rule(like_rule)
      .every_device(run_zeros)
      .sample("f32[2,3]{1,2}")
      .refuses("C3", "f32[2], memory_format=channels_last");
  r.add("aten::zeros_like.out(Tensor self, *, " FORMAT ", Tensor(a!) out) -> Tensor(a!)", __FILE__)
      .with_rule(like_out_rule)
      .every_device(run_zeros)
      .sample("f32[2,3], out=f32[0]");
  r.add("aten::ones_like(Tensor self, *, " OPTIONS ", " FORMAT ") -> Tensor", __FILE__)
      .with_rule(like_rule)
      .every_device(run_ones)
      .sample("f32[2,3]{1,2}")
      .refuses("C3", "f32[2], memory_format=channels_last");
  r.add("aten::ones_like.out(Tensor self, *, " FORMAT ", Tensor(a!) out) -> Tensor(a!)", __FILE__)
      .with_rule(like_out_rule)
      .every_device(run_ones)
      .sample("f32[2,3], out=f32[0]");
  r.add("aten::full_like(Tensor self, Scalar fill_value, *, " OPTIONS ", " FORMAT ") -> Tensor", __FILE__)
      .tag(Tag::Core)
      .with_rule(full_like_rule)
      .every_device(run_full)
      .sample("i64[2,3]{1,2}, 1.5")
      .refuses("C2", "u8[2], 300")
      .refuses("C3", "f32[2], 0, memory_format=channels_last");
  r.add("aten::full_like.out(Tensor self, Scalar fill_value, *, " FORMAT ", Tensor(a!) out) -> Tensor(a!)", __FILE__)
      .with_rule(full_like_out_rule)
      .every_device(run_full)
      .sample("f32[2,3], 1.5, out=f32[0]");
}

void register_new(Registry& r) {
  r.add("aten::new_zeros(Tensor self, SymInt[] size, *, " OPTIONS ") -> Tensor", __FILE__)
      .with_rule(new_rule)
      .every_device(run_zeros)
      .sample("f64[2], [3, 4]")
      .refuses("C1", "f64[2], [-1]");
  r.add("aten::new_zeros.out(Tensor self, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)", __FILE__)
      .with_rule(new_out_rule)
      .every_device(run_zeros)
      .sample("f64[2], [3, 4], out=f32[0]");
  r.add("aten::new_ones(Tensor self, SymInt[] size, *, " OPTIONS ") -> Tensor", __FILE__)
      .with_rule(new_rule)
      .every_device(run_ones)
      .sample("f64[2], [3, 4]")
      .refuses("C1", "f64[2], [-1]");
  r.add("aten::new_ones.out(Tensor self, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)", __FILE__)
      .with_rule(new_out_rule)
      .every_device(run_ones)
      .sample("f64[2], [3, 4], out=f32[0]");
  r.add("aten::new_full(Tensor self, SymInt[] size, Scalar fill_value, *, " OPTIONS ") -> Tensor", __FILE__)
      .with_rule(new_full_rule)
      .every_device(run_new_full)
      .sample("f64[2], [3, 4], 1.5")
      .refuses("C1", "f64[2], [-1], 0")
      .refuses("C2", "u8[2], [2], 300");
  r.add("aten::new_full.out(Tensor self, SymInt[] size, Scalar fill_value, *, Tensor(a!) out) -> Tensor(a!)", __FILE__)
      .with_rule(new_full_out_rule)
      .every_device(run_new_full)
      .sample("f64[2], [3, 4], 1.5, out=f32[0]");
}

#undef OPTIONS
#undef FORMAT

}  // namespace

void register_ops(Registry& r) {
  register_sized(r);
  register_like(r);
  register_new(r);
}

}  // namespace ersatz::op_full

namespace ersatz::ops {

Tensor full(std::span<const SymInt> size, const Scalar& fill_value, const FactoryOptions& o) {
  return call_op<"aten.full.default">(size, fill_value, o.dtype, std::nullopt, o.device, std::nullopt);
}
Tensor zeros(std::span<const SymInt> size, const FactoryOptions& o) {
  return call_op<"aten.zeros.default">(size, o.dtype, std::nullopt, o.device, std::nullopt);
}
Tensor ones(std::span<const SymInt> size, const FactoryOptions& o) {
  return call_op<"aten.ones.default">(size, o.dtype, std::nullopt, o.device, std::nullopt);
}
Tensor full_like(const Tensor& self, const Scalar& fill_value, const FactoryOptions& o,
                 std::optional<MemoryFormat> memory_format) {
  return call_op<"aten.full_like.default">(self, fill_value, o.dtype, std::nullopt, o.device, std::nullopt,
                                           memory_format);
}
Tensor zeros_like(const Tensor& self, const FactoryOptions& o, std::optional<MemoryFormat> memory_format) {
  return call_op<"aten.zeros_like.default">(self, o.dtype, std::nullopt, o.device, std::nullopt, memory_format);
}
Tensor ones_like(const Tensor& self, const FactoryOptions& o, std::optional<MemoryFormat> memory_format) {
  return call_op<"aten.ones_like.default">(self, o.dtype, std::nullopt, o.device, std::nullopt, memory_format);
}
Tensor new_full(const Tensor& self, std::span<const SymInt> size, const Scalar& fill_value, const FactoryOptions& o) {
  return call_op<"aten.new_full.default">(self, size, fill_value, o.dtype, std::nullopt, o.device, std::nullopt);
}
Tensor new_zeros(const Tensor& self, std::span<const SymInt> size, const FactoryOptions& o) {
  return call_op<"aten.new_zeros.default">(self, size, o.dtype, std::nullopt, o.device, std::nullopt);
}
Tensor new_ones(const Tensor& self, std::span<const SymInt> size, const FactoryOptions& o) {
  return call_op<"aten.new_ones.default">(self, size, o.dtype, std::nullopt, o.device, std::nullopt);
}
Tensor scalar_tensor(const Scalar& s, const FactoryOptions& o) {
  return call_op<"aten.scalar_tensor.default">(s, o.dtype, std::nullopt, o.device, std::nullopt);
}

}  // namespace ersatz::ops
