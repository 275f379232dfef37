#include "kernels/shape/copy.h"

#include "kernels/flop_size.h"
#include "kernels/shape/broadcast.h"
#include "kernels/shape/copy_layout.h"
#include "runtime/op/autocast.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_copy {

void run_copy(KernelCall& call);
void run_to_copy(KernelCall& call);

namespace {

void copy_rule(RuleCall& call) {
  TensorImpl* self = call.tensor(0);
  TensorImpl* src = call.tensor(1);
  const TensorMeta& to = self->meta;
  call.require(broadcasts_to(src->meta.sizes, to.sizes), "C1", "src must broadcast to self: {} vs {}", src->meta, to);
  if (self != src && !to.is_symbolic()) {
    call.require(internal_overlap(to) != Overlap::Yes, "C2",
                 "elements of self share memory, clone it before writing: self is {}", to);
    if (self->storage == src->storage && !src->meta.is_symbolic()) {
      call.require(shared_memory(src->meta, to, true) != SharedMemory::Partial, "C3",
                   "src and self share part of their memory, clone one first: {} and {}", src->meta, to);
    }
  }
  call.out.same(self);
}

// _to_copy(self, *, dtype, layout, device, pin_memory, non_blocking, memory_format); as in ATen, pin_memory is not
// looked at: only a non-blocking copy from CUDA would pin.
void to_copy_rule(RuleCall& call) {
  const TensorMeta& from = call.meta(0);
  TensorMeta& out = call.out.outputs.emplace_back().meta;
  out.dtype = call.has(1) ? call.args[1].as_dtype() : from.dtype;
  out.device = call.has(3) ? resolve(call.args[3].as_device()) : from.device;
  out.sizes = from.sizes;
  out.strides = copy_strides(call, from, call.args[6], "C1");
}

// The `to` family: what is asked for, in the order of _to_copy's arguments.
struct Wanted {
  Value dtype, layout, device, pin_memory, non_blocking, copy, memory_format;
};

void to(CompositeCall& call, const Wanted& wanted) {
  const Value& self = call.args[0];
  const TensorMeta& meta = self.tensor_impl()->meta;
  const bool preserves =
      wanted.memory_format.is_none() || wanted.memory_format.as_memory_format() == MemoryFormat::Preserve;
  if (!wanted.copy.as_bool() && (wanted.dtype.is_none() || wanted.dtype.as_dtype() == meta.dtype) &&
      (wanted.device.is_none() || resolve(wanted.device.as_device()) == meta.device) &&
      (preserves || suggest_memory_format(meta) == wanted.memory_format.as_memory_format())) {
    return call.returns(self);
  }
  call.returns(call_op<"aten._to_copy.default">(self, wanted.dtype, wanted.layout, wanted.device, wanted.pin_memory,
                                                wanted.non_blocking, wanted.memory_format));
}

void to_dtype(CompositeCall& call) {
  const std::span<const Value> a = call.args;
  to(call, {a[1], {}, {}, {}, a[2], a[3], a[4]});
}
void to_device(CompositeCall& call) {
  const std::span<const Value> a = call.args;
  to(call, {a[2], {}, a[1], {}, a[3], a[4], a[5]});
}
void to_dtype_layout(CompositeCall& call) {
  const std::span<const Value> a = call.args;
  to(call, {a[1], a[2], a[3], a[4], a[5], a[6], a[7]});
}
void to_other(CompositeCall& call) {
  const std::span<const Value> a = call.args;
  to(call, {call.meta(1).dtype, {}, call.meta(1).device, {}, a[2], a[3], a[4]});
}
void type_as(CompositeCall& call) { to(call, {call.meta(1).dtype, {}, call.meta(1).device, {}, false, false, {}}); }

}  // namespace

void register_ops(Registry& r) {
  r.add("aten::copy_(Tensor(a!) self, Tensor src, bool non_blocking=False) -> Tensor(a!)", __FILE__)
      .with_rule(copy_rule)
      .count_flops(no_flops)
      .every_device(run_copy)
      .devices({DeviceRule::Same, DeviceRule::Any, DeviceRule::Any})
      .sample("f32[2,3], i64[3]")
      .sample("f32[2,3]{1,2}, f32[2,3]")
      .refuses("C1", "f32[2,3], f32[2]")
      .refuses("C2", "f32[2,3]{0,1}, f32[2,3]");
  r.add(
       "aten::_to_copy(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
       "pin_memory=None, bool non_blocking=False, MemoryFormat? memory_format=None) -> Tensor",
       __FILE__)
      .tag(Tag::Core)
      .with_rule(to_copy_rule)
      .count_flops(no_flops)
      .every_device(run_to_copy)
      .sample("f32[2,3]{1,2}, dtype=f64")
      .refuses("C1", "f32[2,3], memory_format=channels_last");
  r.add(
       "aten::to.dtype(Tensor(a) self, ScalarType dtype, bool non_blocking=False, bool copy=False, MemoryFormat? "
       "memory_format=None) -> Tensor(a)",
       __FILE__)
      .tag(kCastTag)
      .with_composite(to_dtype)
      .sample("f32[2,3], f64");
  r.add(
       "aten::to.device(Tensor(a) self, Device device, ScalarType dtype, bool non_blocking=False, bool copy=False, "
       "MemoryFormat? memory_format=None) -> Tensor(a)",
       __FILE__)
      .with_composite(to_device)
      .sample("f32[2,3], cpu, f64");
  r.add(
       "aten::to.dtype_layout(Tensor(a) self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
       "bool? pin_memory=None, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> "
       "Tensor(a)",
       __FILE__)
      .with_composite(to_dtype_layout)
      .sample("f32[2,3], dtype=f64");
  r.add(
       "aten::to.other(Tensor(a) self, Tensor other, bool non_blocking=False, bool copy=False, MemoryFormat? "
       "memory_format=None) -> Tensor(a)",
       __FILE__)
      .with_composite(to_other)
      .sample("f32[2,3], f64[1]");
  r.add("aten::type_as(Tensor self, Tensor other) -> Tensor", __FILE__)
      .with_composite(type_as)
      .sample("f32[2,3]{1,2}, f64[1]");
}

}  // namespace ersatz::op_copy

namespace ersatz::ops {

Tensor copy_(const Tensor& self, const Tensor& src, bool non_blocking) {
  return call_op<"aten.copy_.default">(self, src, non_blocking);
}
Tensor to_copy(const Tensor& self, const ToOptions& o) {
  return call_op<"aten._to_copy.default">(self, o.dtype, std::nullopt, o.device, std::nullopt, o.non_blocking,
                                          o.memory_format);
}
Tensor to(const Tensor& self, const ToOptions& o) {
  return call_op<"aten.to.dtype_layout">(self, o.dtype, std::nullopt, o.device, std::nullopt, o.non_blocking, o.copy,
                                         o.memory_format);
}
Tensor type_as(const Tensor& self, const Tensor& other) { return call_op<"aten.type_as.default">(self, other); }
Tensor to(const Tensor& self, DType dtype) {
  return to(self, ToOptions{dtype, std::nullopt, std::nullopt, false, false});
}
Tensor to(const Tensor& self, Device device) {
  return to(self, ToOptions{std::nullopt, device, std::nullopt, false, false});
}

}  // namespace ersatz::ops
