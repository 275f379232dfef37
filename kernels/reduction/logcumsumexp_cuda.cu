// logcumsumexp on CUDA.
#include "kernels/dense_operand.h"
#include "kernels/pointwise/device_value.h"
#include "kernels/reduction/device_scan.h"
#include "kernels/reduction/log_add.h"
#include "kernels/reduction/logcumsumexp.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/cuda/attach.h"

namespace ersatz::op_logcumsumexp {
namespace {

template <class T>
struct LogTotals {
  using In = T;
  using W = std::conditional_t<kIsDeviceComplex<T>, DeviceComplex<double>, double>;
  struct State {
    W sum;
    int64_t count;  // number of elements in `sum`; 0 before the first
  };
  T* out;
  ERSATZ_DEVICE State start() const { return {W(0), 0}; }
  ERSATZ_DEVICE State load(const In& v, int64_t) const { return {W(v), 1}; }
  ERSATZ_DEVICE State combine(const State& a, const State& b) const {
    if (a.count == 0 || b.count == 0) return a.count == 0 ? b : a;
    return {log_add(a.sum, b.sum), 1};
  }
  ERSATZ_DEVICE void store(int64_t at, const State& s) const { out[at] = T(s.sum); }
};

void log_totals_cuda(KernelCall& call) {
  const Tensor in = dense_input(call.tensor(kLogcumsumexp["self"]));
  DenseOutput out(call.outputs[0]);
  dispatch_dtype<kFloatsAndComplexes>(in.dtype(), [&]<class Host>() {
    using T = DeviceType_t<Host>;
    run_scan(in.device().index, LogTotals<T>{reinterpret_cast<T*>(out.tensor.raw_data())},
             reinterpret_cast<const T*>(in.raw_data()), scan_extent(in.sizes(), call.integer(kLogcumsumexp["dim"])));
  });
  out.finish();
}

}  // namespace

void attach_cuda(Registry& registry) { cuda_module::attach(registry, "aten.logcumsumexp.default", log_totals_cuda); }

}  // namespace ersatz::op_logcumsumexp
