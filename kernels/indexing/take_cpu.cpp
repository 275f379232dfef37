#include "kernels/dense_operand.h"
#include "kernels/indexing/index_values.h"
#include "kernels/indexing/take.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/op/copy.h"

namespace ersatz::op_take {
namespace {

template <class T>
void put(const Tensor& target, const Tensor& source, std::span<const int64_t> indices, bool accumulate) {
  T* to = target.data<T>();
  const T* from = source.data<T>();
  for (size_t i = 0; i < indices.size(); ++i) {
    T& element = to[indices[i]];
    if constexpr (std::is_same_v<T, bool>) {
      element = (accumulate && element) || from[i];
    } else {
      element = accumulate ? static_cast<T>(element + from[i]) : from[i];
    }
  }
}

}  // namespace

void take_cpu(KernelCall& call) {
  const Tensor self = call.tensor(kTake["self"]);
  const std::vector<int64_t> indices =
      wrapped_indices(call, call.tensor(kTake["index"]), self.numel().as_int(), ErrorFamily::Index);
  if (indices.empty()) return;
  const Tensor dense = dense_input(self);
  DenseOutput out(call.outputs[0]);
  dispatch_item_size(item_size(self.dtype()), [&]<class Word>() {
    const Word* from = reinterpret_cast<const Word*>(dense.raw_data());
    Word* to = reinterpret_cast<Word*>(out.tensor.raw_data());
    for (size_t i = 0; i < indices.size(); ++i) to[i] = from[indices[i]];
  });
  out.finish();
}

void put_cpu(KernelCall& call) {
  const Tensor self = call.tensor(kPut["self"]);
  const Tensor& out = call.outputs[0];
  const std::vector<int64_t> indices =
      wrapped_indices(call, call.tensor(kPut["index"]), self.numel().as_int(), ErrorFamily::Index);
  if (self.numel().as_int() == 0) return;
  // The copy is row-major, so a position in the flattened tensor is an offset.
  const Tensor target = make_real_tensor(TensorMeta(out.dtype(), out.sizes()));
  copy_elements(target, self);
  if (!indices.empty()) {
    const Tensor source = make_real_tensor(TensorMeta(out.dtype(), call.tensor(kPut["source"]).sizes()));
    copy_elements(source, call.tensor(kPut["source"]));
    dispatch_dtype<kAllDTypes>(out.dtype(),
                               [&]<class T>() { put<T>(target, source, indices, call.boolean(kPut["accumulate"])); });
  }
  copy_elements(out, target);
}

}  // namespace ersatz::op_take
