// index_copy and index_fill on CUDA.
#include "kernels/indexing/device_combine.h"
#include "kernels/indexing/index_copy.h"
#include "kernels/indexing/scatter_places.h"
#include "kernels/indexing/tensor_number.h"

namespace ersatz::op_index_copy {
namespace {

using namespace device_index;

void copy_cuda(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  const int64_t dim = scatter_dim(call);
  const Tensor source = call.tensor(kIndexCopy["source"]);
  const DeviceIndex index = checked(call, call.tensor(kIndexCopy["index"]), out.device(),
                                    out.numel().as_int() == 0 ? INT64_MAX : size_of(out, dim), ErrorFamily::Index);
  const ScatterTarget target(call);
  put(call, along_slices(target.tensor(), dim, index, plain_input(source)));
  target.finish();
}

void fill_cuda(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  const Tensor self = call.tensor(kIndexFillInt["self"]);
  const int64_t dim = scatter_dim(call);
  const Scalar value = given_number(call, kIndexFillInt["value"]);
  const DeviceIndex index =
      checked_wrapping(call, call.tensor(kIndexFillInt["index"]), out.device(),
                       out.numel().as_int() == 0 ? INT64_MAX : size_of(out, dim), ErrorFamily::Index);
  if (out.numel().as_int() == 0) return note_outside(index);
  if (!out.is(self)) copy_elements(out, self);
  if (index.tensor.numel().as_int() == 0) return;
  DimVec sizes(out.sizes());
  if (out.dim() > 0) sizes[static_cast<size_t>(dim)] = index.tensor.numel();
  put_in_any_order(along_slices(out, dim, index, broadcast_view(number_as_in(out, value), sizes)));
}

}  // namespace

void attach_cuda(Registry& registry) {
  for (const char* name : {"aten.index_copy.default", "aten.index_copy_.default"}) {
    cuda_module::attach(registry, name, copy_cuda);
  }
  for (const char* name : {"aten.index_fill.int_Scalar", "aten.index_fill.int_Tensor", "aten.index_fill_.int_Scalar",
                           "aten.index_fill_.int_Tensor"}) {
    cuda_module::attach(registry, name, fill_cuda);
  }
}

}  // namespace ersatz::op_index_copy
