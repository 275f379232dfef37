// trace on CUDA: one block sums the diagonal.
#include "kernels/compute_type.h"
#include "kernels/dense_operand.h"
#include "kernels/pointwise/device_value.h"
#include "kernels/shape/diag.h"
#include "kernels/shape/fill_elements.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/cuda/attach.h"
#include "runtime/cuda/launch.h"
#include "runtime/op/copy.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_diag {
namespace {

struct Plus {
  template <class T>
  ERSATZ_DEVICE T operator()(const T& a, const T& b) const {
    return a + b;
  }
};

template <class T>
struct SumDiagonal {
  using Wide = std::conditional_t<std::is_integral_v<T>, int64_t, Compute_t<T>>;
  using Result = std::conditional_t<std::is_integral_v<T>, int64_t, T>;
  const T* from;
  Result* to;
  int64_t n, step;

  ERSATZ_DEVICE void operator()(const cuda_module::Block& block) const {
    Wide sum(0);
    for (int64_t i = block.thread(); i < n; i += block.threads()) sum += convert_value<Wide>(from[i * step]);
    sum = block.reduce(sum, Plus());
    if (block.thread() == 0) *to = convert_value<Result>(sum);
  }
};

void trace_cuda(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  const Tensor self = plain_input(call.tensor(kTrace["self"]));
  const int64_t n = std::min(self.sizes()[0].as_int(), self.sizes()[1].as_int());
  if (n == 0) return fill_elements(out, 0);
  const bool lazy = out.meta().conj || out.meta().neg;
  const Tensor sum = lazy ? make_real_tensor(TensorMeta(out.dtype(), out.sizes(), out.device())) : out;
  dispatch_dtype<kAllDTypes>(self.dtype(), [&]<class Host>() {
    using T = DeviceType_t<Host>;
    using Result = typename SumDiagonal<T>::Result;
    cuda_module::launch_blocks(
        out.device().index, 1, cuda_module::threads_for_row(n), 0,
        SumDiagonal<T>{reinterpret_cast<const T*>(self.raw_data()), reinterpret_cast<Result*>(sum.raw_data()), n,
                       self.strides()[0].as_int() + self.strides()[1].as_int()});
  });
  if (lazy) copy_elements(out, sum);
}

}  // namespace

void attach_cuda(Registry& registry) { cuda_module::attach(registry, "aten.trace.default", trace_cuda); }

}  // namespace ersatz::op_diag
