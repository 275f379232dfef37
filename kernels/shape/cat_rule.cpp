#include "kernels/shape/cat_rule.h"

#include "runtime/op/type_promotion.h"
#include "runtime/tensor/layout.h"

namespace ersatz {

DType joined_dtype(const RuleCall& call, std::span<const Value> tensors) {
  const DType first = tensors[0].tensor_impl()->meta.dtype;
  bool one = true;
  for (const Value& t : tensors.subspan(1)) one = one && t.tensor_impl()->meta.dtype == first;
  if (one) return first;
  ResultType type(call.context.default_dtype);
  for (const Value& t : tensors) type.add(t.tensor_impl()->meta);
  return type.result();
}

MemoryFormat joined_format(std::span<const Value> tensors) {
  MemoryFormat common = MemoryFormat::Contiguous;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const TensorMeta& t = tensors[i].tensor_impl()->meta;
    if (t.sizes.size() < 4) return MemoryFormat::Contiguous;
    const MemoryFormat format = suggest_memory_format(t);
    if (format == MemoryFormat::Contiguous || (i > 0 && format != common)) return MemoryFormat::Contiguous;
    common = format;
  }
  return common;
}

}  // namespace ersatz
