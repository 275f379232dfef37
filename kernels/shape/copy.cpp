#include "kernels/shape/copy.h"

#include "kernels/no_flops.h"
#include "kernels/shape/broadcast.h"
#include "kernels/shape/copy_layout.h"
#include "kernels/shape/resize.h"
#include "kernels/written_elements.h"
#include "runtime/op/autocast.h"
#include "runtime/op/composite.h"
#include "runtime/op/copy.h"
#include "runtime/op/device_tag.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/moves_tag.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_copy {
namespace {

/// Refuses to convert elements from or to a packed dtype, which has several numbers in one element.
void require_same_packing(const RuleCall& call, const TensorMeta& a, const TensorMeta& b) {
  const bool packed = is_packed(a.dtype) || is_packed(b.dtype);
  if (a.dtype != b.dtype && packed && !call.device.is_meta() && size_ne(a.numel(), 0))
    call.not_supported("not implemented for {} and {}: elements of several numbers are not converted", name(a.dtype),
                       name(b.dtype));
}

void copy_rule(RuleCall& call) {
  TensorImpl* self = call.tensor(kCopyInplace["self"]);
  TensorImpl* src = call.tensor(kCopyInplace["src"]);
  const TensorMeta& to = self->meta;
  call.require(broadcasts_to(src->meta.sizes, to.sizes), "C1", "src must broadcast to self: {} vs {}", src->meta, to);
  if (self != src) {
    require_own_elements(call, "C2", kCopyInplace["self"]);
    if (self->storage == src->storage) {
      call.require(shared_memory(src->meta, to, true) != SharedMemory::Partial, "C3",
                   "src and self share part of their memory, clone one first: {} and {}", src->meta, to);
    }
  }
  require_same_packing(call, to, src->meta);
  call.out.same(self);
}

// Arguments: _to_copy(self, *, dtype, layout, device, pin_memory, non_blocking, memory_format). Ignores pin_memory,
// because in PyTorch it has an effect only on non-blocking copies from CUDA.
void to_copy_rule(RuleCall& call) {
  const TensorMeta& from = call.meta(kToCopy["self"]);
  TensorMeta& out = call.out.outputs.emplace_back().meta;
  out.dtype = call.has(kToCopy["dtype"]) ? call[kToCopy["dtype"]].as_dtype() : from.dtype;
  out.device = call.has(kToCopy["device"]) ? resolve(call[kToCopy["device"]].as_device()) : from.device;
  out.sizes = from.sizes;
  out.strides = copy_strides(call, from, call[kToCopy["memory_format"]], "C1");
  require_same_packing(call, out, from);
}

// The options of one overload of `to`; `to` passes them to _to_copy.
struct Wanted {
  Value dtype, layout, device, pin_memory, non_blocking, copy, memory_format;
};

void to(CompositeCall& call, const Wanted& wanted) {
  const Value& self = call[kEach["self"]];
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
  to(call, {call[kToDtype["dtype"]],
            {},
            {},
            {},
            call[kToDtype["non_blocking"]],
            call[kToDtype["copy"]],
            call[kToDtype["memory_format"]]});
}
void to_device(CompositeCall& call) {
  to(call, {call[kToDevice["dtype"]],
            {},
            call[kToDevice["device"]],
            {},
            call[kToDevice["non_blocking"]],
            call[kToDevice["copy"]],
            call[kToDevice["memory_format"]]});
}
void to_dtype_layout(CompositeCall& call) {
  to(call, {call[kToDtypeLayout["dtype"]], call[kToDtypeLayout["layout"]], call[kToDtypeLayout["device"]],
            call[kToDtypeLayout["pin_memory"]], call[kToDtypeLayout["non_blocking"]], call[kToDtypeLayout["copy"]],
            call[kToDtypeLayout["memory_format"]]});
}
void to_other(CompositeCall& call) {
  const TensorMeta& other = call.meta(kToOther["other"]);
  to(call, {other.dtype,
            {},
            other.device,
            {},
            call[kToOther["non_blocking"]],
            call[kToOther["copy"]],
            call[kToOther["memory_format"]]});
}
void type_as(CompositeCall& call) {
  to(call, {call.meta(kTypeAs["other"]).dtype, {}, call.meta(kTypeAs["other"]).device, {}, false, false, {}});
}

/// Returns the dtype of an argument that is a ScalarType or the number that schemas have for a ScalarType.
Value dtype_of_number(const CompositeCall& call, Position at) {
  Value dtype = call[at];
  if (dtype.kind() == Value::Kind::Int)
    call.require(convert_value(SchemaType{BaseType::ScalarType, {}}, dtype), "dtype", "{} is no dtype's number",
                 call.sym(at));
  return dtype;
}
void to_prim_device(CompositeCall& call) {
  to(call, {dtype_of_number(call, kToPrimDevice["dtype"]),
            {},
            call[kToPrimDevice["device"]],
            {},
            call[kToPrimDevice["non_blocking"]],
            call[kToPrimDevice["copy"]],
            {}});
}
void to_prim_dtype(CompositeCall& call) {
  to(call, {dtype_of_number(call, kToPrimDtype["dtype"]),
            {},
            {},
            {},
            call[kToPrimDtype["non_blocking"]],
            call[kToPrimDtype["copy"]],
            {}});
}
void to_prim_other(CompositeCall& call) {
  const bool copy = call.boolean(kToPrimOther["copy"]);
  to(call, {copy ? Value(DType::U8) : Value(), {}, {}, {}, call[kToPrimOther["non_blocking"]], copy, {}});
}

void to_copy_out(CompositeCall& call) {
  const TensorMeta& self = call.meta(kToCopyOut["self"]);
  copy_strides(call, self, call[kToCopyOut["memory_format"]], "C1");
  const Tensor out = call.tensor(kToCopyOut["out"]);
  if (!same_sizes(out.sizes(), self.sizes)) ops::resize_(out, self.sizes);
  call.returns(ops::copy_(out, call.tensor(kToCopyOut["self"])));
}

// run_copy and run_to_copy run on CUDA too: copy_elements chooses the kernel by the devices of its tensors.

void run_copy(KernelCall& call) {
  const Tensor self = call.tensor(kCopyInplace["self"]);
  Tensor src = call.tensor(kCopyInplace["src"]);
  if (self.is(src)) return;
  if (self.shares_storage(src) && shared_memory(src.meta(), self.meta(), true) == SharedMemory::TooHard) {
    // shared_memory could not decide whether source and target overlap. If they do, writing the target would overwrite
    // source elements that are not read yet. So the source is copied first.
    TensorMeta dense(src.dtype(), src.sizes(), src.device());
    Tensor saved = make_real_tensor(std::move(dense));
    copy_elements(saved, src);
    src = std::move(saved);
  }
  copy_elements(self, broadcast_view(src, self.sizes()));
}

void run_to_copy(KernelCall& call) { copy_elements(call.outputs[0], call.tensor(kToCopy["self"])); }

}  // namespace

void register_ops(Registry& r) {
  r.add(kCopyInplace)
      .tag(kConvertsByDevice | kMovesEveryDType)
      .with_rule(copy_rule)
      .count_flops(no_flops)
      .every_device(run_copy)
      .devices({DeviceRule::Same, DeviceRule::Any, DeviceRule::Any})
      .sample("f32[2,3], i64[3]")
      .sample("f32[2,3]{1,2}, f32[2,3]")
      .refuses("C1", "f32[2,3], f32[2]")
      .refuses("C2", "f32[2,3]{0,1}, f32[2,3]");
  r.add(kToCopy)
      .tag(Tag::Core | kConvertsByDevice | kMovesEveryDType)
      .with_rule(to_copy_rule)
      .count_flops(no_flops)
      .every_device(run_to_copy)
      .sample("f32[2,3]{1,2}, dtype=f64")
      .refuses("C1", "f32[2,3], memory_format=channels_last");
  r.add(kToDtype).tag(kCastTag | kConvertsByDevice).with_composite(to_dtype).sample("f32[2,3], f64");
  r.add(kToDevice).tag(kConvertsByDevice).with_composite(to_device).sample("f32[2,3], cpu, f64");
  r.add(kToDtypeLayout).tag(kConvertsByDevice).with_composite(to_dtype_layout).sample("f32[2,3], dtype=f64");
  r.add(kToOther).tag(kConvertsByDevice).with_composite(to_other).sample("f32[2,3], f64[1]");
  r.add(kToPrimDevice).tag(kConvertsByDevice).with_composite(to_prim_device).sample("f32[2,3], cpu, f64");
  r.add(kToPrimDtype)
      .tag(kConvertsByDevice)
      .with_composite(to_prim_dtype)
      .sample("f32[2,3], 7")
      .refuses("dtype", "f32[2], 99");
  r.add(kToPrimOther).tag(kConvertsByDevice).with_composite(to_prim_other).sample("f32[2,3], False, True");
  r.add(kToCopyOut)
      .tag(kConvertsByDevice)
      .with_composite(to_copy_out)
      .sample("f32[2,3]{1,2}, out=i64[0]")
      .refuses("C1", "f32[2,3], memory_format=channels_last, out=f32[2,3]");
  r.add(kTypeAs).tag(kConvertsByDevice).with_composite(type_as).sample("f32[2,3]{1,2}, f64[1]");
}

}  // namespace ersatz::op_copy

namespace ersatz::ops {

Tensor to_copy(const Tensor& self, const ToOptions& o) {
  return call_op<"aten._to_copy.default">(self, o.dtype, std::nullopt, o.device, std::nullopt, o.non_blocking,
                                          o.memory_format);
}
Tensor to(const Tensor& self, const ToOptions& o) {
  return call_op<"aten.to.dtype_layout">(self, o.dtype, std::nullopt, o.device, std::nullopt, o.non_blocking, o.copy,
                                         o.memory_format);
}
Tensor to(const Tensor& self, DType dtype) {
  return to(self, ToOptions{dtype, std::nullopt, std::nullopt, false, false});
}
Tensor to(const Tensor& self, Device device) {
  return to(self, ToOptions{std::nullopt, device, std::nullopt, false, false});
}

}  // namespace ersatz::ops
