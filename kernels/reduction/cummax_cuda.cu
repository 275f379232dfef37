// cummax and cummin on CUDA.
#include "kernels/compute_type.h"
#include "kernels/dense_operand.h"
#include "kernels/reduction/cummax.h"
#include "kernels/reduction/device_scan.h"
#include "kernels/reduction/truth_folds.h"
#include "runtime/cuda/attach.h"
#include "runtime/cuda/memory.h"
#include "runtime/cuda/status.h"
#include "runtime/op/copy.h"

namespace ersatz::op_cummax {
namespace {

/// The most extreme element so far and its index. Among equal elements, and among NaNs, the last one is chosen.
template <class T>
struct Extremes {
  using In = T;
  using C = Compute_t<T>;
  struct State {
    C value;
    int64_t index;  // -1 before the first element
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
  if (call.tensor(kCummax["self"]).dim() == 0) {  // no elements are compared, so any dtype is accepted
    copy_elements(call.outputs[0], call.tensor(kCummax["self"]));
    const int device = call.outputs[1].device().index;
    ERSATZ_CHECK_CUDA(cuda_module::set(call.outputs[1].raw_data(), 0, sizeof(int64_t), device));
    return;
  }
  const Tensor in = dense_input(call.tensor(kCummax["self"]));
  DenseOutput values(call.outputs[0]), indices(call.outputs[1]);
  folds::dispatch_ordered(in.dtype(), [&]<class T>() {
    run_scan(in.device().index,
             Extremes<T>{Largest, reinterpret_cast<T*>(values.tensor.raw_data()),
                         reinterpret_cast<int64_t*>(indices.tensor.raw_data())},
             reinterpret_cast<const T*>(in.raw_data()), scan_extent(in.sizes(), call.integer(kCummax["dim"])));
  });
  values.finish();
  indices.finish();
}

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach(registry, "aten.cummax.default", extremes_cuda<true>);
  cuda_module::attach(registry, "aten.cummin.default", extremes_cuda<false>);
}

}  // namespace ersatz::op_cummax
