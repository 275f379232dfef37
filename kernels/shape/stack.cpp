#include "kernels/shape/stack.h"

#include "kernels/no_flops.h"
#include "kernels/shape/cat.h"
#include "kernels/shape/cat_rule.h"
#include "kernels/shape/clone.h"
#include "kernels/shape/written_result.h"
#include "runtime/op/copy.h"
#include "runtime/op/derived.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/slice_tags.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_stack {
namespace {

// Adds the new dim to each input as its last dim. Returns the memory format that the strides of all these inputs
// suggest, or contiguous if they suggest different formats.
MemoryFormat stacked_last_format(std::span<const Value> tensors) {
  MemoryFormat common = MemoryFormat::Contiguous;
  for (size_t i = 0; i < tensors.size(); ++i) {
    TensorMeta t = tensors[i].tensor_impl()->meta;
    t.sizes.push_back(1);
    t.strides.push_back(1);
    const MemoryFormat format = suggest_memory_format(t);
    if (format == MemoryFormat::Contiguous || (i > 0 && format != common)) return MemoryFormat::Contiguous;
    common = format;
  }
  return common;
}

void rule(RuleCall& call) {
  const std::span<const Value> tensors = call.list(kStack["tensors"]);
  call.require(!tensors.empty(), "C1", "expects at least one tensor");
  const TensorMeta& first = tensors[0].tensor_impl()->meta;
  const int64_t rank = first.dim();
  const int64_t dim = call.wrap_dim(call.integer(kStack["dim"]), rank + 1);
  for (size_t i = 1; i < tensors.size(); ++i) {
    const TensorMeta& t = tensors[i].tensor_impl()->meta;
    bool equal = t.dim() == rank;
    for (int64_t d = 0; equal && d < rank; ++d) {
      equal = sym_eq(first.sizes[d], t.sizes[d]) || check_eq(first.sizes[d], t.sizes[d]);
    }
    call.require(equal, "C2", "tensors must have equal sizes: input 0 is {}, input {} is {}", first, i, t);
  }
  const SymInt count = static_cast<int64_t>(tensors.size());
  TensorMeta& out = call.out.outputs.emplace_back().meta;
  out.dtype = joined_dtype(call, tensors);
  out.device = call.device;
  out.sizes = first.sizes;
  if (dim == rank) {
    out.sizes.push_back(count);
    out.strides = strides_for(out.sizes, stacked_last_format(tensors));
    return;
  }
  // Like at::stack, computes the strides that `cat` would give, then splits the joined dim in two. So a result can be
  // channels-last.
  out.sizes[dim] *= count;
  const DimVec joined = strides_for(out.sizes, joined_format(tensors));
  out.sizes = first.sizes;
  out.sizes.insert(dim, count);
  for (int64_t d = 0; d < rank; ++d) {
    if (d == dim) {
      const SymInt size = first.sizes[d];
      out.strides.push_back(joined[d] * (size.is_int() && size.as_int() == 0 ? SymInt(1) : size));
    }
    out.strides.push_back(joined[d]);
  }
}

/// Refuses an `out` that overlaps an input. If the inputs are empty, an overlap is allowed.
void out_rule(RuleCall& call) {
  const std::span<const Value> tensors = call.list(kStack["tensors"]);
  WrittenForm form = call.op.form;
  form.may_overlap = !tensors.empty() && size_eq(tensors[0].tensor_impl()->meta.numel(), 0);
  derived_out_rule(call, form);
}

Tensor row_major(const CompositeCall& call) {
  return ops::contiguous(call_op<"aten.stack.default">(call[kRowMajor["tensors"]], call[kRowMajor["dim"]]));
}
void run_row_major(CompositeCall& call) { call.returns(row_major(call)); }
void row_major_out(CompositeCall& call) { write_result(call, row_major(call), kRowMajor.out(), WrittenCast::Any); }

}  // namespace

// The CPU kernel. stack_cuda.cu calls it on CUDA too, for inputs that device_join::join_tensors does not support.
void run(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  int64_t dim = call.integer(kStack["dim"]);
  if (dim < 0) dim += out.dim();
  TensorMeta part = out.meta();
  const SymInt stride = part.strides[dim];
  part.sizes.erase(dim);
  part.strides.erase(dim);
  for (const Value& v : call.list(kStack["tensors"])) {
    copy_elements(make_view(out, part), v.tensor());
    part.offset += stride;
  }
}

void register_ops(Registry& r) {
  OpEntry& stack = r.add(kStack)
                       .tag(kStackTag)
                       .with_rule(rule)
                       .count_flops(no_flops)
                       .every_device(run)
                       .sample("[f32[2,3], f32[2,3]], 1")
                       .sample("[f32[2,3], i64[2,3]], -1")
                       .refuses("C1", "[]")
                       .refuses("C2", "[f32[2], f32[3]]");
  r.add_out(stack, "out", WrittenForm{.cast = WrittenCast::Any, .row_major = true, .cast_family = ErrorFamily::Type})
      .with_rule(out_rule)
      .sample("[f32[2,3], f32[2,3]], out=f64[0]");
  OpEntry& dense = r.add(kRowMajor).with_composite(run_row_major).sample("[f32[2,3]{1,2}, f32[2,3]], -1");
  r.add_out_alike(dense, "out").with_composite(row_major_out).sample("[f32[2,3], f32[2,3]], out=f64[0]");
}

}  // namespace ersatz::op_stack
