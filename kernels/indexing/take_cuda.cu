// take and put on CUDA, at row-major positions in the flattened tensor, for any strides.
#include "kernels/indexing/device_combine.h"
#include "kernels/indexing/take.h"

namespace ersatz::op_take {
namespace {

using namespace device_index;

/// Makes the Places of positions in the flattened target. `other` has the sizes of the index.
Places flat(const Tensor& target, const DeviceIndex& index, const Tensor& other) {
  Places p;
  p.other = other, p.index = index, p.target = target;
  for (int64_t d = 0; d < index.tensor.dim(); ++d) {
    p.sizes.push_back(index.tensor.sizes()[static_cast<size_t>(d)].as_int());
    p.of_index.push_back(stride_at(index.tensor, d));
    p.of_other.push_back(stride_at(other, d));
    p.of_target.push_back(0);
  }
  return p;
}

void take_cuda(KernelCall& call) {
  const Tensor self = call.tensor(kTake["self"]);
  const DeviceIndex index =
      checked_wrapping(call, call.tensor(kTake["index"]), self.device(), self.numel().as_int(), ErrorFamily::Index);
  if (index.tensor.numel().as_int() > 0) pick(flat(dense_input(self), index, call.outputs[0]));
}

void put_cuda(KernelCall& call) {
  const Tensor self = call.tensor(kPut["self"]), given = call.tensor(kPut["source"]);
  const Tensor& out = call.outputs[0];
  const DeviceIndex index =
      checked_wrapping(call, call.tensor(kPut["index"]), out.device(), self.numel().as_int(), ErrorFamily::Index);
  if (self.numel().as_int() == 0) return note_outside(index);
  const bool add = call.boolean(kPut["accumulate"]);
  // The copy is row-major, so a position in the flattened tensor is an offset.
  const Tensor target =
      make_real_tensor(TensorMeta(add ? combined_dtype(out.dtype()) : out.dtype(), out.sizes(), out.device()));
  copy_elements(target, self);
  if (index.tensor.numel().as_int() > 0) {
    // The source has as many elements as the index, but may have other sizes. It is viewed with the sizes of the index.
    TensorMeta shape(target.dtype(), index.tensor.sizes(), out.device());
    const Tensor dense = dense_as(given, target.dtype());
    shape.offset = dense.meta().offset;
    const Places p = flat(target, index, make_view(dense, std::move(shape)));
    add ? combine(call, p, Reduction::Sum) : put(call, p);
  }
  copy_elements(out, target);
}

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach(registry, "aten.take.default", take_cuda);
  for (const char* name : {"aten.put.default", "aten.put_.default"}) cuda_module::attach(registry, name, put_cuda);
}

}  // namespace ersatz::op_take
