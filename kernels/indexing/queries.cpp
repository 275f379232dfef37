#include "kernels/indexing/queries.h"

#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_queries {
namespace {

/// The rule of an operator that returns f(metadata of self).
template <auto f>
void of_meta(RuleCall& call) {
  static constexpr Schemas kArgs{kNumber, kTruth};
  call.out.number(f(call.meta(kArgs["self"])));
}

void format_rule(RuleCall& call) {
  const MemoryFormat format = call[kIsContiguousFormat["memory_format"]].as_memory_format();
  // torch.preserve_format names no layout. PyTorch then tests whether the tensor is row-major.
  const MemoryFormat asked = format == MemoryFormat::Preserve ? MemoryFormat::Contiguous : format;
  call.out.number(is_contiguous(call.meta(kIsContiguousFormat["self"]), asked));
}

void set_to_rule(RuleCall& call) {
  const TensorImpl *a = call.tensor(kIsSetTo["self"]), *b = call.tensor(kIsSetTo["tensor"]);
  call.out.number(a->storage == b->storage && sym_eq(a->meta.offset, b->meta.offset) &&
                  a->meta.dim() == b->meta.dim() && sym_eq(a->meta.sizes, b->meta.sizes) &&
                  sym_eq(a->meta.strides, b->meta.strides));
}

void storage_numel_rule(RuleCall& call) {
  const auto elements = [&](Position i) {
    return floor_div(call.tensor(i)->storage->nbytes(), SymInt(item_size(call.meta(i).dtype)));
  };
  call.out.number(sym_eq(elements(kSameStorageNumel["self"]), elements(kSameStorageNumel["other"])));
}

template <bool answer>
void constant(RuleCall& call) {
  call.out.number(answer);
}

int64_t rank(const TensorMeta& t) { return t.dim(); }
SymInt offset(const TensorMeta& t) { return t.offset; }
bool is_conj(const TensorMeta& t) { return t.conj; }
bool is_neg(const TensorMeta& t) { return t.neg; }
bool is_inference(const TensorMeta& t) { return t.inference; }
bool is_signed(const TensorMeta& t) { return ersatz::is_signed(t.dtype); }
bool is_row_major(const TensorMeta& t) { return is_contiguous(t); }
int64_t overlap(const TensorMeta& t) { return static_cast<int64_t>(internal_overlap(t)); }
int64_t device_index(const TensorMeta& t) { return t.device.is_cpu() ? -1 : t.device.index; }
bool cudnn_takes(const TensorMeta& t) {
  const bool dtype = t.dtype == DType::F16 || t.dtype == DType::F32 || t.dtype == DType::F64;
  return t.device.is_cuda() && dtype && size_ne(t.numel(), 0);
}

}  // namespace

void register_ops(Registry& r) {
  const auto number = [&](const char* name, Rule rule) {
    r.add(kNumber.with(name)).with_rule(rule).sample("f32[2,3]{1,2}+1");
  };
  number("dim", of_meta<rank>);
  number("storage_offset", of_meta<offset>);
  number("get_device", of_meta<device_index>);
  number("_debug_has_internal_overlap", of_meta<overlap>);
  const auto truth = [&](const char* name, Rule rule) { r.add(kTruth.with(name)).with_rule(rule).sample("f32[2,3]"); };
  truth("is_conj", of_meta<is_conj>);
  truth("is_neg", of_meta<is_neg>);
  truth("is_inference", of_meta<is_inference>);
  truth("is_signed", of_meta<is_signed>);
  truth("is_contiguous", of_meta<is_row_major>);
  truth("is_distributed", constant<false>);
  truth("cudnn_is_acceptable", of_meta<cudnn_takes>);
  r.add(kIsContiguousFormat).with_rule(format_rule).sample("f32[2,3,4,5], channels_last");
  const auto pair = [&](const Schema& schema, Rule rule) {
    r.add(schema).with_rule(rule).devices({DeviceRule::Any, DeviceRule::Any}).sample("f32[2,3], f32[2,3]");
  };
  pair(kIsSetTo, set_to_rule);
  pair(kSameStorageNumel, storage_numel_rule);
  pair(kCompatibleCopy, constant<true>);
  r.add(kBuilt.with("is_vulkan_available")).with_rule(constant<false>).sample("");
  r.add(kBuilt.with("_use_cudnn_rnn_flatten_weight")).with_rule(constant<true>).sample("");
}

}  // namespace ersatz::op_queries
