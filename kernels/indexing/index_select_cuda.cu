// index_select, gather and embedding on CUDA.
#include "kernels/indexing/device_places.h"
#include "kernels/indexing/index_select.h"
#include "kernels/indexing/scatter_places.h"

namespace ersatz::op_index_select {
namespace {

using namespace device_index;

void index_select_cuda(KernelCall& call) {
  const Tensor self = plain_input(call.tensor(kIndexSelect["self"]));
  const Tensor& out = call.outputs[0];
  const int64_t dim = scatter_dim(call);
  const bool quick = self.dim() > 1 && (self.numel().as_int() == 0 || (dim == 1 && out.is_contiguous()));
  const DeviceIndex index = checked(call, call.tensor(kIndexSelect["index"]), self.device(), size_of(self, dim),
                                    quick ? ErrorFamily::Runtime : ErrorFamily::Index);
  if (index.tensor.numel().as_int() > 0) pick(along_slices(self, dim, index, out));
}

void gather_cuda(KernelCall& call) {
  const Tensor self = plain_input(call.tensor(kGather["self"]));
  const Tensor& out = call.outputs[0];
  if (out.numel().as_int() == 0) return;
  const int64_t dim = scatter_dim(call);
  const DeviceIndex index =
      checked(call, call.tensor(kGather["index"]), self.device(), size_of(self, dim), ErrorFamily::Runtime);
  pick(along_dim(self, dim, index, out));
}

void embedding_cuda(KernelCall& call) {
  const Tensor weight = plain_input(call.tensor(kEmbedding["weight"]));
  const Tensor& out = call.outputs[0];
  const DeviceIndex index =
      checked(call, call.tensor(kEmbedding["indices"]), weight.device(), weight.sizes()[0].as_int(),
              weight.numel().as_int() == 0 ? ErrorFamily::Runtime : ErrorFamily::Index);
  Places p;
  p.other = out, p.index = index, p.target = weight;
  p.step = stride_at(weight, 0);
  for (int64_t d = 0; d < out.dim(); ++d) {
    const bool within = d == index.tensor.dim();
    p.sizes.push_back(out.sizes()[static_cast<size_t>(d)].as_int());
    p.of_other.push_back(stride_at(out, d));
    p.of_index.push_back(within ? 0 : stride_at(index.tensor, d));
    p.of_target.push_back(within ? stride_at(weight, 1) : 0);
  }
  pick(p);
}

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach(registry, "aten.index_select.default", index_select_cuda);
  cuda_module::attach(registry, "aten.gather.default", gather_cuda);
  cuda_module::attach(registry, "aten.embedding.default", embedding_cuda);
}

}  // namespace ersatz::op_index_select
