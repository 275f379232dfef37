#include "kernels/reduction/summation.h"
#include "runtime/kernel.h"

namespace ersatz::op_nansum {
namespace {

template <class T>
struct NanSummation : Summation<T> {
  using Base = Summation<T>;
  void step(typename Base::Acc& a, T v) const {
    const auto x = typename Base::Acc(v);
    a += x == x ? x : typename Base::Acc(0);
  }
};

/// A copy with zeros for NaNs, converted.
Tensor without_nans(const Tensor& in, DType dtype) {
  const Tensor dense = make_real_tensor(TensorMeta(in.dtype(), in.sizes())),
               converted = make_real_tensor(TensorMeta(dtype, in.sizes()));
  if (in.numel().as_int() == 0) return converted;
  copy_elements(dense, in);
  dispatch_dtype<kFloats>(in.dtype(), [&]<class T>() {
    T* x = reinterpret_cast<T*>(dense.raw_data());
    for (int64_t i = 0; i < in.numel().as_int(); ++i) {
      if (x[i] != x[i]) x[i] = T(0);
    }
  });
  copy_elements(converted, dense);
  return converted;
}

}  // namespace

void run_cpu(KernelCall& call) {
  Tensor in = call.tensor(0);
  const Tensor& out = call.outputs[0];
  const DimMask mask = call.has(1) ? reduced_dims(call.ints(1), in.dim()) : kAllDims;
  if (is_float(in.dtype()) && in.dtype() == out.dtype() && !in.meta().neg) {
    const ReducePlan plan = plan_reduction(in.meta(), out.meta(), mask);
    dispatch_dtype<kFloats>(in.dtype(), [&]<class T>() {
      reduce(NanSummation<T>(), plan, reinterpret_cast<const T*>(in.raw_data()), reinterpret_cast<T*>(out.raw_data()));
    });
    return;
  }
  if (is_float(in.dtype())) in = without_nans(in, out.dtype());
  if (!is_integral(out.dtype()) || (out.dtype() == DType::I64 && is_integral(in.dtype()))) {
    sum_into(in, out, mask, false);
    return;
  }
  // A narrow integer: each element is converted, the sum wraps around.
  const Tensor narrow = make_real_tensor(TensorMeta(out.dtype(), in.sizes())),
               wide = make_real_tensor(TensorMeta(DType::I64, out.sizes()));
  copy_elements(narrow, in);
  sum_into(narrow, wide, mask, false);
  copy_elements(out, wide);
}

}  // namespace ersatz::op_nansum
