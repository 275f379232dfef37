#include "kernels/shape/out_variant.h"

#include "runtime/derived.h"
#include "runtime/dispatch.h"
#include "runtime/layout.h"
#include "runtime/meta_text.h"
#include "runtime/type_promotion.h"

namespace ersatz {

void answer_out(RuleCall& call, const TensorMeta& result, size_t out, OutLayout layout,
                std::optional<ErrorFamily> castable, OutMayBeInput shared) {
  TensorImpl* target = call.tensor(out);
  const TensorMeta& to = target->meta;
  if (castable ? !can_cast(result.dtype, to.dtype) : result.dtype != to.dtype) {
    call.refuse(castable.value_or(ErrorFamily::Runtime), "out_dtype", "a result of dtype {} cannot be written to {}",
                name(result.dtype), to);
  }
  call.require(to.device == result.device, "device", "the result is on {}, out is on {}", to_string(result.device),
               to_string(to.device));
  if (!sym_eq(result.sizes, to.sizes)) {
    TensorMeta resized = to;
    resized.sizes = result.sizes;
    resized.strides = layout == OutLayout::OfResult ? result.strides : contiguous_strides(result.sizes);
    require_no_input_resized(call, target, resized, call.args.first(out));
    call.out.same(target, std::move(resized));
    return;
  }
  if (!to.is_symbolic()) {
    call.require(internal_overlap(to) != Overlap::Yes, "overlap",
                 "elements of out share memory, clone it before writing: out is {}", to);
    for_each_tensor(call.args.first(out), [&](const TensorImpl* input) {
      if (input->storage != target->storage || input->meta.is_symbolic()) return;
      const SharedMemory memory = input == target ? SharedMemory::Full : shared_memory(input->meta, to, true);
      call.require(memory != SharedMemory::Partial && (memory != SharedMemory::Full || shared == OutMayBeInput::Yes),
                   "overlap", "an input and out share memory, clone one first: {} and {}", input->meta, to);
    });
  }
  call.out.same(target);
}

}  // namespace ersatz
