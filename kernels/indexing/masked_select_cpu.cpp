#include "kernels/indexing/found_output.h"
#include "kernels/indexing/masked_select.h"
#include "kernels/pointwise/iterator_layout.h"
#include "kernels/shape/broadcast.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/op/copy.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_masked_select {
namespace {

Tensor select(const Tensor& self, const Tensor& mask) {
  const TensorMeta* operands[] = {&self.meta(), &mask.meta()};
  DimVec sizes;
  BroadcastMismatch unused;
  broadcast_sizes(operands, sizes, unused);
  const Tensor values = make_real_tensor(TensorMeta(self.dtype(), sizes));
  const Tensor truth = make_real_tensor(TensorMeta(DType::Bool, sizes));
  const int64_t n = truth.numel().as_int();
  const bool* t = nullptr;
  int64_t count = 0;
  if (n > 0) {
    copy_elements(values, broadcast_view(self, sizes));
    copy_elements(truth, broadcast_view(mask, sizes));
    t = truth.data<bool>();
    for (int64_t i = 0; i < n; ++i) count += t[i];
  }
  const SymInt found[] = {count};
  const Tensor out = make_real_tensor(TensorMeta(self.dtype(), found));
  if (count == 0) return out;
  dispatch_item_size(item_size(self.dtype()), [&]<class Word>() {
    const Word* from = reinterpret_cast<const Word*>(values.raw_data());
    Word* to = reinterpret_cast<Word*>(out.raw_data());
    for (int64_t i = 0; i < n; ++i) {
      if (t[i]) *to++ = from[i];
    }
  });
  return out;
}

}  // namespace

void run_cpu(KernelCall& call, Values& results) {
  results.push_back(select(call.tensor(kMaskedSelect["self"]), call.tensor(kMaskedSelect["mask"])));
}

void out_cpu(KernelCall& call, Values& results) {
  const Tensor out = call.tensor(kMaskedSelectOut["out"]),
               found = select(call.tensor(kMaskedSelectOut["self"]), call.tensor(kMaskedSelectOut["mask"]));
  put_found(call, out, found, results);
}

}  // namespace ersatz::op_masked_select
