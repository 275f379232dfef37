// cumsum, cumprod, cummax, cummin and logcumsumexp on CUDA.
#include <cmath>
#include <limits>

#include "kernels/dense_operand.h"
#include "kernels/pointwise/device_value.h"
#include "kernels/reduction/cummax.h"
#include "kernels/reduction/cumsum.h"
#include "kernels/reduction/device_scan.h"
#include "kernels/reduction/log_add.h"
#include "kernels/reduction/logcumsumexp.h"
#include "kernels/reduction/running.h"
#include "kernels/reduction/truth_folds.h"
#include "runtime/cuda/attach.h"
#include "runtime/cuda/memory.h"
#include "runtime/cuda/status.h"
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
      return a * b;
    } else {
      return a + b;
    }
  }
  ERSATZ_DEVICE void store(int64_t at, const State& s) const { out[at] = T(s); }
};

template <bool Product>
void totals_cuda(KernelCall& call) {
  DenseOutput out(call.outputs[0]);
  Tensor in = call.tensor(kCumsum["self"]);
  if (in.dtype() != out.tensor.dtype()) {
    in = make_real_tensor(TensorMeta(out.tensor.dtype(), in.sizes(), in.device()));
    copy_elements(in, call.tensor(kCumsum["self"]));
  }
  in = dense_input(in);
  dispatch_dtype<kNumbers>(in.dtype(), [&]<class Host>() {
    using T = DeviceType_t<Host>;
    run_scan(in.device().index, Totals<T, Product>{reinterpret_cast<T*>(out.tensor.raw_data())},
             reinterpret_cast<const T*>(in.raw_data()), scan_extent(in.sizes(), call.integer(kCumsum["dim"])));
  });
  out.finish();
}

/// The extreme element so far and its index; of equal ones, and of NaNs, the last.
template <class T>
struct Extremes {
  using In = T;
  using C = Compute_t<T>;
  struct State {
    C value;
    int64_t index;  // -1: nothing yet
  };
  bool largest;
  T* values;
  int64_t* indices;
  ERSATZ_DEVICE State start() const { return {C(0), -1}; }
  ERSATZ_DEVICE State load(const In& v, int64_t index) const { return {C(v), index}; }
  ERSATZ_DEVICE State combine(const State& a, const State& b) const {
    if (a.index < 0 || b.index < 0) return a.index < 0 ? b : a;
    const bool a_nan = a.value != a.value, b_nan = b.value != b.value;
    if (a_nan != b_nan) return a_nan ? a : b;
    if (a_nan || a.value == b.value) return a.index > b.index ? a : b;
    return (largest ? a.value > b.value : a.value < b.value) ? a : b;
  }
  ERSATZ_DEVICE void store(int64_t at, const State& s) const {
    values[at] = T(s.value);
    indices[at] = s.index;
  }
};

template <bool Largest>
void extremes_cuda(KernelCall& call) {
  if (call.tensor(op_cummax::kCummax["self"]).dim() == 0) {  // of any dtype: there is nothing to compare
    copy_elements(call.outputs[0], call.tensor(op_cummax::kCummax["self"]));
    const int device = call.outputs[1].device().index;
    ERSATZ_CHECK_CUDA(cuda_module::set(call.outputs[1].raw_data(), 0, sizeof(int64_t), device));
    return;
  }
  const Tensor in = dense_input(call.tensor(op_cummax::kCummax["self"]));
  DenseOutput values(call.outputs[0]), indices(call.outputs[1]);
  folds::dispatch_ordered<DeviceScans>(in.dtype(), [&]<class T>() {
    run_scan(in.device().index,
             Extremes<T>{Largest, reinterpret_cast<T*>(values.tensor.raw_data()),
                         reinterpret_cast<int64_t*>(indices.tensor.raw_data())},
             reinterpret_cast<const T*>(in.raw_data()),
             scan_extent(in.sizes(), call.integer(op_cummax::kCummax["dim"])));
  });
  values.finish();
  indices.finish();
}

template <class T>
struct LogTotals {
  using In = T;
  using W = std::conditional_t<kIsDeviceComplex<T>, DeviceComplex<double>, double>;
  struct State {
    W sum;
    int64_t count;  // 0: nothing yet
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
  const Tensor in = dense_input(call.tensor(op_logcumsumexp::kLogcumsumexp["self"]));
  DenseOutput out(call.outputs[0]);
  dispatch_dtype<kFloatsAndComplexes>(in.dtype(), [&]<class Host>() {
    using T = DeviceType_t<Host>;
    run_scan(in.device().index, LogTotals<T>{reinterpret_cast<T*>(out.tensor.raw_data())},
             reinterpret_cast<const T*>(in.raw_data()),
             scan_extent(in.sizes(), call.integer(op_logcumsumexp::kLogcumsumexp["dim"])));
  });
  out.finish();
}

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach(registry, "aten.cumsum.default", totals_cuda<false>);
  cuda_module::attach(registry, "aten.cumprod.default", totals_cuda<true>);
  cuda_module::attach(registry, "aten.cummax.default", extremes_cuda<true>);
  cuda_module::attach(registry, "aten.cummin.default", extremes_cuda<false>);
  cuda_module::attach(registry, "aten.logcumsumexp.default", log_totals_cuda);
}

}  // namespace ersatz::op_cumsum
