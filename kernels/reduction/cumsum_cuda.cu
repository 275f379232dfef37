// cumsum and cumprod on CUDA.
#include "kernels/dense_operand.h"
#include "kernels/pointwise/device_value.h"
#include "kernels/reduction/cumsum.h"
#include "kernels/reduction/device_scan.h"
#include "kernels/reduction/running.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/cuda/attach.h"
#include "runtime/op/copy.h"

namespace ersatz::op_cumsum {
namespace {

template <class T, bool Product>
struct Totals {
  using In = T;
  using State = Running_t<T>;
  T* out;
  ERSATZ_DEVICE State start() const { return State(Product ? 1 : 0); }
  ERSATZ_DEVICE State load(const In& v, int64_t) const { return State(v); }
  ERSATZ_DEVICE State combine(const State& a, const State& b) const {
    if constexpr (Product) {
      return product(a, b);
    } else {
      return a + b;
    }
  }
  ERSATZ_DEVICE void store(int64_t at, const State& s) const { out[at] = T(s); }
};

template <bool Product>
void totals_cuda(KernelCall& call) {
  if (call.outputs[0].numel().as_int() == 0) return;
  DenseOutput out(call.outputs[0]);
  Tensor in = call.tensor(kCumsum["self"]);
  if (in.dtype() != out.tensor.dtype()) {
    in = make_real_tensor(TensorMeta(out.tensor.dtype(), in.sizes(), in.device()));
    copy_elements(in, call.tensor(kCumsum["self"]));
  }
  in = dense_input(in);
  if (in.dim() == 0) {  // nothing is added, so any dtype is accepted
    copy_elements(out.tensor, in);
    out.finish();
    return;
  }
  dispatch_dtype<kNumbers>(in.dtype(), [&]<class Host>() {
    using T = DeviceType_t<Host>;
    run_scan(in.device().index, Totals<T, Product>{reinterpret_cast<T*>(out.tensor.raw_data())},
             reinterpret_cast<const T*>(in.raw_data()), scan_extent(in.sizes(), call.integer(kCumsum["dim"])));
  });
  out.finish();
}

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach(registry, "aten.cumsum.default", totals_cuda<false>);
  cuda_module::attach(registry, "aten.cumprod.default", totals_cuda<true>);
}

}  // namespace ersatz::op_cumsum
