#include "kernels/indexing/sym_size.h"

#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_sym_size {
namespace {

int64_t dim_of(const RuleCall& call) {
  static constexpr Schemas kArgs{kSymSizeInt, kSymStrideInt, kSizeInt, kStrideInt};
  const TensorMeta& self = call.meta(kArgs["self"]);
  call.require_index(self.dim() > 0, "C1", "a tensor without dims has none: self is {}", self);
  return call.wrap_dim(call.integer(kArgs["dim"]), self.dim());
}

void size_rule(RuleCall& call) {
  static constexpr Schemas kArgs{kSymSizeInt, kSizeInt};
  call.out.number(call.meta(kArgs["self"]).sizes[dim_of(call)]);
}
void stride_rule(RuleCall& call) {
  static constexpr Schemas kArgs{kSymStrideInt, kStrideInt};
  call.out.number(call.meta(kArgs["self"]).strides[dim_of(call)]);
}
void sizes_rule(RuleCall& call) {
  static constexpr Schemas kArgs{kSymSize, kSize};
  for (SymInt s : call.meta(kArgs["self"]).sizes) call.out.number(s);
}
void strides_rule(RuleCall& call) {
  static constexpr Schemas kArgs{kSymStride, kStride};
  for (SymInt s : call.meta(kArgs["self"]).strides) call.out.number(s);
}
void numel_rule(RuleCall& call) {
  static constexpr Schemas kArgs{kSymNumel, kNumel};
  call.out.number(call.meta(kArgs["self"]).numel());
}
void offset_rule(RuleCall& call) { call.out.number(call.meta(kSymStorageOffset["self"]).offset); }
void same_size_rule(RuleCall& call) {
  call.out.number(sym_eq(call.meta(kIsSameSize["self"]).sizes, call.meta(kIsSameSize["other"]).sizes));
}
void contiguous_rule(RuleCall& call) {
  MemoryFormat format = call[kSymIsContiguous["memory_format"]].as_memory_format();
  if (format == MemoryFormat::Preserve) format = MemoryFormat::Contiguous;
  call.out.number(is_contiguous(call.meta(kSymIsContiguous["self"]), format));
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kSymSizeInt).tag(Tag::Core).with_rule(size_rule).sample("f32[2,3], 1").refuses("C1", "f32[], 0");
  r.add(kSymStrideInt).tag(Tag::Core).with_rule(stride_rule).sample("f32[2,3], 0").refuses("C1", "f32[], 0");
  r.add(kSymSize).with_rule(sizes_rule).sample("f32[2,3]");
  r.add(kSymStride).with_rule(strides_rule).sample("f32[2,3]");
  r.add(kSymNumel).tag(Tag::Core).with_rule(numel_rule).sample("f32[2,3]");
  r.add(kSymStorageOffset).tag(Tag::Core).with_rule(offset_rule).sample("f32[2,3]");
  r.add(kSizeInt).with_rule(size_rule).sample("f32[2,3], 1").refuses("C1", "f32[], 0");
  r.add(kStrideInt).with_rule(stride_rule).sample("f32[2,3], 1").refuses("C1", "f32[], 0");
  r.add(kSize).with_rule(sizes_rule).sample("f32[2,3]");
  r.add(kStride).with_rule(strides_rule).sample("f32[2,3]");
  r.add(kIsSameSize)
      .with_rule(same_size_rule)
      .devices({DeviceRule::Any, DeviceRule::Any})
      .sample("f32[2,3], f64[2,3]")
      .sample("f32[2,3], f32[3]");
  r.add(kSymIsContiguous).tag(Tag::Core).with_rule(contiguous_rule).sample("f32[2,3]");
  r.add(kNumel).with_rule(numel_rule).sample("f32[2,3]");
}

}  // namespace ersatz::op_sym_size
