// nonzero and nonzero_static on CUDA.
#include <vector>

#include "kernels/indexing/device_positions.h"
#include "kernels/indexing/found_output.h"
#include "kernels/indexing/nonzero.h"

namespace ersatz::op_nonzero {
namespace {

using namespace device_index;

/// Returns the coordinates of the nonzero elements. The coordinates of one dim are adjacent in memory, as on the CPU.
Tensor positions(const Tensor& self) {
  const Tensor found = flat_positions(self, self.sizes());
  const int64_t count = found.numel().as_int(), rank = self.dim();
  const SymInt sizes[] = {count, rank}, strides[] = {1, count};
  const Tensor out = make_real_tensor(TensorMeta(DType::I64, sizes, strides, self.device()));
  if (count == 0 || rank == 0) return out;
  std::vector<int64_t*> rows;
  for (int64_t d = 0; d < rank; ++d) rows.push_back(reinterpret_cast<int64_t*>(out.raw_data()) + d * count);
  split_positions(found, self.sizes(), rows.data());
  return out;
}

void run_cuda(KernelCall& call, Values& results) { results.push_back(positions(call.tensor(kNonzero["self"]))); }

void out_cuda(KernelCall& call, Values& results) {
  const Tensor out = call.tensor(kNonzeroOut["out"]), found = positions(call.tensor(kNonzeroOut["self"]));
  put_found(call, out, found, results);
}

void static_cuda(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  if (out.numel().as_int() == 0) return;
  const Tensor found = positions(call.tensor(kNonzeroStatic["self"]));
  fill_with(out, call.integer(kNonzeroStatic["fill_value"]));
  const SymInt rows = sym_min(found.sizes()[0], out.sizes()[0]);
  if (rows.as_int() == 0) return;
  TensorMeta from = found.meta(), to = out.meta();
  from.sizes[0] = to.sizes[0] = rows;
  copy_elements(make_view(out, std::move(to)), make_view(found, std::move(from)));
}

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach_returns(registry, "aten.nonzero.default", run_cuda);
  cuda_module::attach_returns(registry, "aten.nonzero.out", out_cuda);
  cuda_module::attach(registry, "aten.nonzero_static.default", static_cuda);
}

}  // namespace ersatz::op_nonzero
