#include <unordered_map>

#include "kernels/dense_operand.h"
#include "kernels/indexing/embedding_backward.h"
#include "kernels/shape/fill_elements.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/op/copy.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_embedding_backward {
namespace {

template <class T>
void add_rows(const Tensor& out, const Tensor& grad, const Tensor& indices, int64_t padding, bool by_frequency) {
  const int64_t* index = indices.data<int64_t>();
  const int64_t n = indices.numel().as_int(), rows = out.sizes()[0].as_int(), width = out.sizes()[1].as_int();
  std::unordered_map<int64_t, int64_t> counts;
  if (by_frequency) {
    for (int64_t i = 0; i < n; ++i) ++counts[index[i]];
  }
  T* to = out.data<T>();
  const T* from = grad.data<T>();
  for (int64_t i = 0; i < n; ++i) {
    if (index[i] == padding || index[i] < 0 || index[i] >= rows) continue;
    T* row = to + index[i] * width;
    for (int64_t c = 0; c < width; ++c) {
      T g = from[i * width + c];
      if constexpr (std::is_same_v<T, bool>) {
        row[c] = row[c] || g;
      } else {
        if (by_frequency) g = static_cast<T>(g / static_cast<T>(static_cast<double>(counts[index[i]])));
        row[c] = static_cast<T>(row[c] + g);
      }
    }
  }
}

}  // namespace

// Gradients of f16 and bf16 are summed in f32.
void run_cpu(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  if (out.numel().as_int() == 0) return;
  const DType dtype = is_reduced_float(out.dtype()) ? DType::F32 : out.dtype();
  const Tensor sum = make_real_tensor(TensorMeta(dtype, out.sizes()));
  fill_elements(sum, 0);
  const Tensor indices = call.tensor(kEmbeddingDenseBackward["indices"]);
  if (indices.numel().as_int() > 0) {
    const Tensor places = make_real_tensor(TensorMeta(DType::I64, indices.sizes()));
    copy_elements(places, indices);
    const Tensor grad =
        make_real_tensor(TensorMeta(dtype, call.tensor(kEmbeddingDenseBackward["grad_output"]).sizes()));
    copy_elements(grad, call.tensor(kEmbeddingDenseBackward["grad_output"]));
    constexpr DTypeSet computed = kAllDTypes.without({DType::F16, DType::BF16});
    dispatch_dtype<computed>(dtype, [&]<class T>() {
      add_rows<T>(sum, grad, places, call.integer(kEmbeddingDenseBackward["padding_idx"]),
                  call.boolean(kEmbeddingDenseBackward["scale_grad_by_freq"]));
    });
  }
  copy_elements(out, sum);
}

}  // namespace ersatz::op_embedding_backward
