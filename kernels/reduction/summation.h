// The sums behind `sum` and `mean`: element types, accumulators, and the call into the loops.
//
// f16, bf16 and f32 are summed in f32 by pieces of 1024 and the pieces in f64; integers wrap around in 64 bits.
#pragma once

#include <complex>
#include <type_traits>

#include "kernels/reduction/reduce_loops.h"
#include "runtime/copy.h"
#include "runtime/dtype_switch.h"

namespace ersatz {

template <class T>
struct SumTypes {  // integers and bool
  using Acc = uint64_t;
  using Total = uint64_t;
  using Out = int64_t;
};
template <>
struct SumTypes<half> {
  using Acc = float;
  using Total = double;
  using Out = half;
};
template <>
struct SumTypes<bfloat16> {
  using Acc = float;
  using Total = double;
  using Out = bfloat16;
};
template <>
struct SumTypes<float> {
  using Acc = float;
  using Total = double;
  using Out = float;
};
template <>
struct SumTypes<double> {
  using Acc = double;
  using Total = double;
  using Out = double;
};
template <>
struct SumTypes<std::complex<float>> {
  using Acc = std::complex<float>;
  using Total = std::complex<double>;
  using Out = std::complex<float>;
};
template <>
struct SumTypes<std::complex<double>> {
  using Acc = std::complex<double>;
  using Total = std::complex<double>;
  using Out = std::complex<double>;
};

template <class T>
struct Summation {
  using In = T;
  using Acc = typename SumTypes<T>::Acc;
  using Total = typename SumTypes<T>::Total;
  using Out = typename SumTypes<T>::Out;
  double divisor = 1;  ///< the mean's element count

  Acc start() const { return Acc(0); }
  void step(Acc& a, In v) const { a += Acc(v); }
  Total open() const { return Total(0); }
  void fold(Total& t, const Acc& a) const { t += Total(a); }
  void merge(Total& t, const Total& o) const { t += o; }
  Out finish(const Total& t) const {
    if constexpr (std::is_integral_v<Total>) {
      return Out(t);
    } else {
      return Out(t / divisor);
    }
  }
};

/// out = sum (or mean) of in over `mask`, in the dtype of out. REQUIRES: out is i64, a float or complex.
inline void sum_into(const Tensor& input, const Tensor& out, DimMask mask, bool mean) {
  Tensor in = input;
  const bool counts = out.dtype() == DType::I64 && is_integral(in.dtype());
  if ((in.dtype() != out.dtype() && !counts) || in.meta().conj || in.meta().neg) {
    in = make_real_tensor(TensorMeta(out.dtype(), input.sizes(), input.device()));
    copy_elements(in, input);
  }
  const ReducePlan plan = plan_reduction(in.meta(), out.meta(), mask);
  dispatch_dtype<kAllDTypes>(in.dtype(), [&]<class T>() {
    const Summation<T> op{mean ? double(plan.count) : 1.0};
    reduce(op, plan, reinterpret_cast<const T*>(in.raw_data()),
           reinterpret_cast<typename Summation<T>::Out*>(out.raw_data()));
  });
}

}  // namespace ersatz
