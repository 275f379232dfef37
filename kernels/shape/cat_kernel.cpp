#include "kernels/shape/cat.h"
#include "kernels/shape/cat_rule.h"
#include "kernels/shape/copy_block.h"
#include "runtime/op/copy.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_cat {

// Also the CUDA kernel.
void run(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  const TensorMeta& to = out.meta();
  int64_t dim = call.integer(kCat["dim"]);
  if (dim < 0) dim += to.dim();
  int64_t at = 0;
  for (const Value& v : call.list(kCat["tensors"])) {
    const TensorImpl* from = v.tensor_impl();
    if (is_skipped_in_cat(from->meta)) continue;
    const int64_t length = from->meta.sizes[dim].as_int();
    const int64_t start = at * to.strides[dim].as_int();
    at += length;
    if (from->meta.conj || from->meta.neg || to.conj || to.neg) {
      TensorMeta part = to;
      part.sizes[dim] = length;
      part.offset += SymInt(start);
      copy_elements(make_view(out, std::move(part)), v.tensor());
      continue;
    }
    const DType from_dtype = from->meta.dtype;
    const int64_t numel = from->meta.numel().as_int();
    if (numel == 0) continue;
    copy_block(to.device, as_ints(from->meta.sizes), out.raw_data() + start * item_size(to.dtype), to.dtype,
               as_ints(to.strides), from->storage->data() + from->meta.offset.as_int() * item_size(from_dtype),
               from_dtype, as_ints(from->meta.strides));
  }
}

}  // namespace ersatz::op_cat
