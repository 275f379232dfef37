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
void shape_rule(RuleCall& call) {
  const SymInt rank[] = {call.meta(kShapeAsTensor["self"]).dim()};
  call.out.fresh(TensorMeta(DType::I64, rank));
}
void write_shape(KernelCall& call) {
  int64_t* to = call.outputs[0].data<int64_t>();
  for (const SymInt& size : call.tensor(kShapeAsTensor["self"]).sizes()) *to++ = size.as_int();
}

}  // namespace

void register_ops(Registry& r) {
  using enum MetadataQuery;
  const auto add = [&](const Schema& schema, Rule rule, MetadataQuery query) -> OpEntry& {
    return r.add(schema).with_rule(rule).queries(query).sample(query == Size || query == Stride ? "f32[2,3], 1"
                                                                                                : "f32[2,3]");
  };
  add(kSymSizeInt, size_rule, Size).tag(Tag::Core).refuses("C1", "f32[], 0");
  add(kSymStrideInt, stride_rule, Stride).tag(Tag::Core).refuses("C1", "f32[], 0");
  add(kSizeInt, size_rule, Size).refuses("C1", "f32[], 0");
  add(kStrideInt, stride_rule, Stride).refuses("C1", "f32[], 0");
  add(kSymNumel, numel_rule, Count).tag(Tag::Core);
  add(kNumel, numel_rule, Count);
  add(kSymStorageOffset, offset_rule, Offset).tag(Tag::Core);
  add(kSymIsContiguous, contiguous_rule, Other).tag(Tag::Core);
  for (const Schema* sizes : {&kSymSize, &kSize}) r.add(*sizes).with_rule(sizes_rule).queries(Other).sample("f32[2,3]");
  for (const Schema* strides : {&kSymStride, &kStride})
    r.add(*strides).with_rule(strides_rule).queries(Other).sample("f32[2,3]");
  r.add(kIsSameSize)
      .with_rule(same_size_rule)
      .queries(Other)
      .devices({DeviceRule::Any, DeviceRule::Any})
      .sample("f32[2,3], f64[2,3]")
      .sample("f32[2,3], f32[3]");
  r.add(kShapeAsTensor).with_rule(shape_rule).every_device(write_shape).sample("f32[2,3]").sample("f32[]");
}

}  // namespace ersatz::op_sym_size
