#include "kernels/shape/resize.h"

#include "kernels/shape/copy_layout.h"
#include "kernels/shape/output_meta.h"
#include "runtime/dispatch.h"
#include "runtime/layout.h"

namespace ersatz::op_resize {
namespace {

void rule(RuleCall& call) {
  TensorImpl* self = call.tensor(0);
  const std::span<const SymInt> sizes = call.ints(1);
  if (!call.has(2) && sym_eq(self->meta.sizes, sizes)) return call.out.same(self);
  for (SymInt s : sizes) {
    call.require(s.is_symbolic() || s.as_int() >= 0, "C1", "sizes must not be negative: got {}", sizes);
  }
  const MemoryFormat format = call.has(2) ? call.args[2].as_memory_format() : MemoryFormat::Contiguous;
  TensorMeta& out = start_view(call, self, ViewKind::InPlace);
  out.sizes = DimVec(sizes);
  out.strides = format_strides(call, sizes, format, "C2");
}

}  // namespace

void register_ops(Registry& r) {
  r.add("aten::resize_(Tensor(a!) self, SymInt[] size, *, MemoryFormat? memory_format=None) -> Tensor(a!)", __FILE__)
      .tag(Tag::InplaceView | Tag::Core)
      .with_rule(rule)
      .sample("f32[2,3], [4, 4]")
      .refuses("C1", "f32[2,3], [-1]")
      .refuses("C2", "f32[2,3], [2], memory_format=channels_last");
}

}  // namespace ersatz::op_resize

namespace ersatz::ops {

Tensor resize_(const Tensor& self, std::span<const SymInt> size, std::optional<MemoryFormat> memory_format) {
  static const OpEntry& op = op_named("aten.resize_.default");
  return call_op(op, self, size, memory_format);
}

}  // namespace ersatz::ops
