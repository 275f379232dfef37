#include "kernels/creation/factory_options.h"

#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {

TensorMeta& start_factory(RuleCall& call, Position first, DType dtype, Device device) {
  if (call.has(first + 3) && call.boolean(first + 3)) [[unlikely]] {
    call.refuse(ErrorFamily::Runtime, "pin_memory", "pinned memory is not available");
  }
  TensorMeta& out = call.out.outputs.emplace_back().meta;
  out.dtype = call.has(first) ? call.args[first].as_dtype() : dtype;
  out.device = call.has(first + 2) ? resolve(call.args[first + 2].as_device()) : device;
  return out;
}

void set_sizes(const RuleCall& call, TensorMeta& out, std::span<const SymInt> sizes) {
  for (SymInt s : sizes) {
    call.require(s.is_symbolic() || s.as_int() >= 0, "C1", "sizes must not be negative: got {}", sizes);
  }
  out.sizes = DimVec(sizes);
  out.strides = contiguous_strides(sizes);
}

const TensorMeta& resized_out(RuleCall& call, Position out, std::span<const SymInt> sizes, SharedElements shared) {
  TensorImpl* target = call.tensor(out);
  if (sym_eq(target->meta.sizes, sizes)) {
    call.require(shared == SharedElements::Allowed || target->meta.is_symbolic() ||
                     internal_overlap(target->meta) != Overlap::Yes,
                 "overlap", "elements of out share memory, clone it before writing: out is {}", target->meta);
    call.out.same(target);
  } else {
    TensorMeta resized = target->meta;
    set_sizes(call, resized, sizes);
    call.out.same(target, std::move(resized));
  }
  return call.out.outputs.back().meta;
}

}  // namespace ersatz
