// embedding_dense_backward on CUDA.
#include "kernels/indexing/device_combine.h"
#include "kernels/indexing/embedding_backward.h"

namespace ersatz::op_embedding_backward {
namespace {

using namespace device_index;

template <class T>
struct DivideRows {
  T* rows;
  const std::byte* index;
  IndexReader read;
  int64_t index_item, width;
  const int64_t* counts;
  int64_t padding;
  ERSATZ_DEVICE void operator()(int64_t i) const {
    int64_t row;
    if (!read.find(index + i / width * index_item, row) || row == padding) return;
    if constexpr (!std::is_same_v<T, bool>) {
      rows[i] = static_cast<T>(rows[i] / static_cast<T>(static_cast<double>(counts[row])));
    }
  }
};

void run_cuda(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  if (out.numel().as_int() == 0) return;
  const Device device = out.device();
  const DType dtype = combined_dtype(out.dtype());
  const int64_t rows = out.sizes()[0].as_int(), width = out.sizes()[1].as_int();
  const Tensor sum = make_real_tensor(TensorMeta(dtype, out.sizes(), device));
  ERSATZ_CHECK_CUDA(cuda_module::set(sum.raw_data(), 0, sum.numel().as_int() * item_size(dtype), device.index));
  const Tensor index = dense_input(call.tensor(kEmbeddingDenseBackward["indices"]));
  const int64_t n = index.numel().as_int();
  if (n > 0) {
    // Indices out of range and the padding index are skipped. IndexReader's `low` is 0, so negative indices are out of
    // range.
    const int64_t padding = call.integer(kEmbeddingDenseBackward["padding_idx"]);
    Tensor grad = dense_as(call.tensor(kEmbeddingDenseBackward["grad_output"]), dtype);
    Places p;
    p.index = {index, {index.dtype() == DType::I64, rows}}, p.target = sum;
    p.step = width;
    p.sizes = Strides{n, width};
    p.of_index = Strides{1, 0};
    p.of_other = Strides{width, 1};
    p.of_target = Strides{0, 1};
    if (call.boolean(kEmbeddingDenseBackward["scale_grad_by_freq"])) {
      const SymInt count[] = {rows};
      const Tensor counts = make_real_tensor(TensorMeta(DType::I64, count, device));
      ERSATZ_CHECK_CUDA(cuda_module::set(counts.raw_data(), 0, rows * 8, device.index));
      Places counted = p;
      counted.target = counts, counted.other = number_on(device, DType::I64, int64_t(1));
      counted.sizes = Strides{n};
      counted.of_index = Strides{1};
      counted.of_other = counted.of_target = Strides{0};
      counted.step = 1;
      combine(call, counted, Reduction::Sum, padding);
      if (grad.shares_storage(call.tensor(kEmbeddingDenseBackward["grad_output"]))) {
        const Tensor own = make_real_tensor(TensorMeta(dtype, grad.sizes(), device));
        copy_elements(own, grad);
        grad = own;
      }
      dispatch_dtype<kCombined>(dtype, [&]<class Host>() {
        using T = DeviceType_t<Host>;
        cuda_module::launch_each(device.index, n * width,
                                 DivideRows<T>{reinterpret_cast<T*>(grad.raw_data()), index.raw_data(), p.index.read,
                                               item_size(index.dtype()), width,
                                               reinterpret_cast<const int64_t*>(counts.raw_data()), padding});
      });
    }
    p.other = grad;
    combine(call, p, Reduction::Sum, padding);
  }
  copy_elements(out, sum);
}

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach(registry, "aten.embedding_dense_backward.default", run_cuda);
}

}  // namespace ersatz::op_embedding_backward
