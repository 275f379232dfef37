#include <vector>

#include "kernels/indexing/found_output.h"
#include "kernels/indexing/nonzero.h"
#include "kernels/shape/fill_elements.h"
#include "runtime/op/copy.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_nonzero {

namespace {

Tensor positions(const Tensor& self) {
  const int64_t n = self.numel().as_int(), rank = self.dim();
  std::vector<int64_t> found;  // row-major positions in the flattened tensor
  if (n > 0) {
    const Tensor truth = make_real_tensor(TensorMeta(DType::Bool, self.sizes()));
    copy_elements(truth, self);
    const bool* t = truth.data<bool>();
    for (int64_t i = 0; i < n; ++i)
      if (t[i]) found.push_back(i);
  }
  const int64_t count = static_cast<int64_t>(found.size());
  const SymInt sizes[] = {count, rank}, strides[] = {1, count};
  const Tensor out = make_real_tensor(TensorMeta(DType::I64, sizes, strides));
  int64_t* at = count > 0 && rank > 0 ? out.data<int64_t>() : nullptr;
  for (int64_t d = rank - 1; d >= 0 && at; --d) {
    const int64_t size = self.sizes()[d].as_int();
    for (int64_t i = 0; i < count; ++i) {
      at[d * count + i] = found[i] % size;
      found[i] /= size;
    }
  }
  return out;
}

}  // namespace

void run_cpu(KernelCall& call, Values& results) { results.push_back(positions(call.tensor(kNonzero["self"]))); }

void static_cpu(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  if (out.numel().as_int() == 0) return;
  const Tensor found = positions(call.tensor(kNonzeroStatic["self"]));
  fill_elements(out, call.integer(kNonzeroStatic["fill_value"]));
  const SymInt rows = sym_min(found.sizes()[0], out.sizes()[0]);
  if (rows.as_int() == 0) return;
  TensorMeta from = found.meta(), to = out.meta();
  from.sizes[0] = to.sizes[0] = rows;
  copy_elements(make_view(out, std::move(to)), make_view(found, std::move(from)));
}

void out_cpu(KernelCall& call, Values& results) {
  const Tensor out = call.tensor(kNonzeroOut["out"]), found = positions(call.tensor(kNonzeroOut["self"]));
  put_found(call, out, found, results);
}

}  // namespace ersatz::op_nonzero
