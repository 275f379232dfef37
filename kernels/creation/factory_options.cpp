#include "kernels/creation/factory_options.h"

#include "kernels/shape/copy_layout.h"
#include "kernels/written_elements.h"
#include "runtime/op/op_entry.h"
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
    call.require(check_ge(s, 0), "C1", "sizes must not be negative: got {}", sizes);
  }
  out.sizes = DimVec(sizes);
  out.strides = contiguous_strides(sizes);
}

TensorImpl* out_of_factory(const RuleCall& call) {
  return call.op.written.empty() ? nullptr : call.args.back().tensor_impl();
}

DType dtype_of_factory(const RuleCall& call, Position first, DType dtype) {
  if (const TensorImpl* out = out_of_factory(call)) return out->meta.dtype;
  return call.has(first) ? call.args[first].as_dtype() : dtype;
}

const TensorMeta* resized_out(RuleCall& call, std::span<const SymInt> sizes, SharedElements shared) {
  TensorImpl* target = out_of_factory(call);
  if (!target) return nullptr;
  if (same_sizes(target->meta.sizes, sizes)) {
    if (shared == SharedElements::Refused) require_own_elements(call, "overlap", "out", target->meta);
    call.out.same(target);
  } else {
    TensorMeta resized = target->meta;
    set_sizes(call, resized, sizes);
    call.out.same(target, std::move(resized));
  }
  return &call.out.outputs.back().meta;
}

const TensorMeta& answer_sized(RuleCall& call, Position first, DType dtype, Device device,
                               std::span<const SymInt> sizes, SharedElements shared) {
  if (const TensorMeta* out = resized_out(call, sizes, shared)) return *out;
  TensorMeta& made = start_factory(call, first, dtype, device);
  set_sizes(call, made, sizes);
  return made;
}

const TensorMeta& answer_vector(RuleCall& call, Position first, DType dtype, Device device, SymInt n,
                                SharedElements shared) {
  const TensorImpl* out = out_of_factory(call);
  const bool keeps_shape = out && sym_eq(out->meta.numel(), n);
  return answer_sized(call, first, dtype, device,
                      keeps_shape ? std::span<const SymInt>(out->meta.sizes) : std::span(&n, 1), shared);
}

const TensorMeta& answer_factory_like(RuleCall& call, Position first, Position format, std::string_view label) {
  constexpr Schema kArgs{"aten::{}(Tensor self, {}) -> Tensor"};
  const TensorMeta& from = call.meta(kArgs["self"]);
  const Position given = out_of_factory(call) ? Position(call.op.schema.find_argument("memory_format")) : format;
  DimVec strides = copy_strides(call, from, call.args[given], label);
  if (const TensorMeta* out = resized_out(call, from.sizes, SharedElements::Refused)) return *out;
  TensorMeta& made = start_factory(call, first, from.dtype, from.device);
  made.sizes = from.sizes;
  made.strides = std::move(strides);
  return made;
}

}  // namespace ersatz
