#include <algorithm>

#include "kernels/indexing/found_output.h"
#include "kernels/shape/repeat_interleave.h"
#include "kernels/shape/repeat_total.h"
#include "runtime/op/copy.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_repeat_interleave {

namespace {

Tensor indices_of(const KernelCall& call) {
  const Tensor repeats = call.tensor(kOfRepeats["repeats"]);
  const int64_t n = repeats.numel().as_int();
  const Tensor counts = make_real_tensor(TensorMeta(DType::I64, repeats.sizes()));
  if (n > 0) copy_elements(counts, repeats);
  const int64_t total =
      total_repeats(call, n == 0 ? std::span<const int64_t>() : std::span(counts.data<int64_t>(), size_t(n)));
  const SymInt sizes[] = {total};
  const Tensor indices = make_real_tensor(TensorMeta(DType::I64, sizes));
  if (total > 0) {
    int64_t* to = indices.data<int64_t>();
    for (int64_t i = 0; i < n; ++i) to = std::fill_n(to, counts.data<int64_t>()[i], i);
  }
  const Tensor out = make_real_tensor(TensorMeta(repeats.dtype(), sizes));
  if (total > 0) copy_elements(out, indices);
  return out;
}

}  // namespace

void run_cpu(KernelCall& call, Values& results) { results.push_back(indices_of(call)); }

void out_cpu(KernelCall& call, Values& results) {
  const Tensor out = call.tensor(kRepeatInterleaveTensorOut["out"]), found = indices_of(call);
  put_found(call, out, found, results);
}

}  // namespace ersatz::op_repeat_interleave
