#include "kernels/shape/resize.h"

#include "kernels/shape/copy_layout.h"
#include "kernels/shape/functional_forms.h"
#include "kernels/shape/output_meta.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_resize {
namespace {

void answer_resized(RuleCall& call, std::span<const SymInt> sizes, std::optional<MemoryFormat> asked) {
  TensorImpl* self = call.tensor(kEach["self"]);
  if (!asked && same_sizes(self->meta.sizes, sizes)) return call.out.same(self);
  for (SymInt s : sizes) {
    call.require(check_ge(s, 0), "C1", "sizes must not be negative: got {}", sizes);
  }
  TensorMeta& out = start_view(call, self, ViewKind::InPlace);
  out.sizes = DimVec(sizes);
  out.strides = format_strides(call, sizes, asked.value_or(MemoryFormat::Contiguous), "C2");
}

std::optional<MemoryFormat> asked_format(const RuleCall& call) {
  return call.has(kEach["memory_format"]) ? std::optional(call[kEach["memory_format"]].as_memory_format())
                                          : std::nullopt;
}

void rule(RuleCall& call) { answer_resized(call, call.ints(kResizeInplace["size"]), asked_format(call)); }

void as_rule(RuleCall& call) {
  const TensorMeta& like = call.meta(kResizeAsInplace["the_template"]);
  std::optional<MemoryFormat> format = asked_format(call);
  if (format == MemoryFormat::Preserve) format = suggest_memory_format(like);
  answer_resized(call, like.sizes, format);
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kResizeInplace)
      .tag(Tag::InplaceView | Tag::Core)
      .with_rule(rule)
      .sample("f32[2,3], [4, 4]")
      .refuses("C1", "f32[2,3], [-1]")
      .refuses("C2", "f32[2,3], [2], memory_format=channels_last");
  r.add(kResizeAsInplace)
      .tag(Tag::InplaceView)
      .with_rule(as_rule)
      .devices({DeviceRule::Same, DeviceRule::Any, DeviceRule::Any})
      .sample("f32[2,3], i64[4,4]")
      .sample("f32[2,3], f32[1,2,3,4]{24,1,8,2}, memory_format=preserve")
      .refuses("C2", "f32[2,3], f32[2], memory_format=channels_last");
  OpEntry& copy = r.add(kResize).tag(Tag::Uninitialized).with_composite(write_copy).sample("f32[2,3]{1,2}, [2, 2]");
  r.add_out_alike(copy, "out")
      .with_composite(write_result)
      .sample("f32[2,3], [2, 2], out=f32[0]")
      .refuses("out_dtype", "f32[2,3], [2, 2], out=f64[2,2]");
  OpEntry& copy_as =
      r.add(kResizeAs).tag(Tag::Uninitialized).with_composite(write_copy).sample("f32[2,3]{1,2}, i64[4,4]");
  r.add_out_alike(copy_as, "out").with_composite(write_result).sample("f32[2,3], i64[2,2], out=f32[0]");
}

}  // namespace ersatz::op_resize
