// Sums and products: element types, accumulators, and what `sum`, `mean`, `nansum` and `prod` do with them on any
// device (`Engine`: HostReduction or DeviceReduction).
//
// f16, bf16 and f32 are summed in f32 by pieces of 1024 and the pieces in f64; integers wrap around in 64 bits.
#pragma once

#include <type_traits>

#include "kernels/compute_type.h"
#include "kernels/reduction/nansum.h"
#include "kernels/reduction/reduce_dims.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/cuda/device_complex.h"
#include "runtime/op/copy.h"
#include "runtime/op/kernel.h"
#include "runtime/tensor/tensor.h"

namespace ersatz {

template <class T>
struct Summation {
  using In = T;
  using Acc = std::conditional_t<std::is_integral_v<T>, uint64_t, Compute_t<T>>;
  using Total = Total_t<T>;
  using Out = std::conditional_t<std::is_integral_v<T>, int64_t, T>;
  double divisor = 1;  ///< the mean's element count

  ERSATZ_HD Acc start() const { return Acc(0); }
  ERSATZ_HD void step(Acc& a, In v) const { a += Acc(v); }
  ERSATZ_HD Total open() const { return Total(0); }
  ERSATZ_HD void fold(Total& t, const Acc& a) const { t += Total(a); }
  ERSATZ_HD void merge(Total& t, const Total& o) const { t += o; }
  ERSATZ_HD Out finish(const Total& t) const {
    if constexpr (std::is_integral_v<Total>) {
      return Out(t);
    } else {
      return Out(t / divisor);
    }
  }
};

/// NaNs count as zeros.
template <class T>
struct NanSummation : Summation<T> {
  using Base = Summation<T>;
  ERSATZ_HD void step(typename Base::Acc& a, T v) const {
    const auto x = typename Base::Acc(v);
    a += x == x ? x : typename Base::Acc(0);
  }
};

/// Floats without NaNs, each truncated to an integer dtype, which wraps around.
struct NanTruncation : Summation<uint8_t> {
  using In = double;
  DType dtype;
  ERSATZ_HD void step(Acc& a, double x) const {
    if (x != x) return;
    const auto whole = int64_t(x);
    switch (dtype) {
      case DType::Bool:
        a += x != 0;
        break;
      case DType::U8:
        a += uint8_t(whole);
        break;
      case DType::I8:
        a += uint64_t(int8_t(whole));
        break;
      case DType::I16:
        a += uint64_t(int16_t(whole));
        break;
      case DType::I32:
        a += uint64_t(int32_t(x));  // out of range: what the machine's conversion gives, as in a copy
        break;
      default:
        a += uint64_t(whole);
    }
  }
};

template <class T>
struct Product {
  using In = T;
  // Totals in the accumulation type, so that overflow is where f32 has it.
  using Acc = typename Summation<T>::Acc;
  using Total = Acc;
  using Out = typename Summation<T>::Out;

  /// Products of halves are rounded each time, as ATen's are: they overflow where halves do.
  ERSATZ_HD static Acc rounded(Acc a) {
    if constexpr (is_reduced_float(kDeviceDType<T>)) {
      return Acc(T(a));
    } else {
      return a;
    }
  }
  ERSATZ_HD Acc start() const { return Acc(1); }
  ERSATZ_HD void step(Acc& a, In v) const { a = rounded(product(a, Acc(v))); }
  ERSATZ_HD Total open() const { return Total(1); }
  ERSATZ_HD void fold(Total& t, const Acc& a) const { t = rounded(product(t, a)); }
  ERSATZ_HD void merge(Total& t, const Total& o) const { t = rounded(product(t, o)); }
  ERSATZ_HD Out finish(const Total& t) const { return Out(t); }
};

namespace sums {

inline Tensor made_like(const Tensor& t, DType dtype) {
  return make_real_tensor(TensorMeta(dtype, t.sizes(), t.device()));
}
inline Tensor converted(const Tensor& t, DType dtype) {
  Tensor copy = made_like(t, dtype);
  copy_elements(copy, t);
  return copy;
}

/// The input of a reduction that is computed in the dtype of `out`: i64 (of any integers), a float or complex.
inline Tensor operand(const Tensor& in, const Tensor& out) {
  const bool counts = out.dtype() == DType::I64 && is_integral(in.dtype());
  const bool as_it_is = (in.dtype() == out.dtype() || counts) && !in.meta().conj && !in.meta().neg;
  return as_it_is ? in : converted(in, out.dtype());
}

/// The dims argument `i`: None means all.
inline DimMask dims_of(const KernelCall& call, Position i) {
  return call.has(i) ? reduced_dims(call.ints(i), call.tensor(kReduced["self"]).dim()) : kAllDims;
}

/// out = sum (or mean) of in over `mask`, in the dtype of out. REQUIRES: out is i64, a float or complex.
template <class Engine>
void sum_into(const Tensor& input, const Tensor& out, DimMask mask, bool mean) {
  const Tensor in = operand(input, out);
  const int64_t outputs = std::max<int64_t>(out.numel().as_int(), 1);
  const double divisor = mean ? double(in.numel().as_int() / outputs) : 1.0;
  dispatch_dtype<kAllDTypes>(in.dtype(), [&]<class T>() {
    Engine::run(Summation<typename Engine::template Element<T>>{divisor}, in, out, mask);
  });
}

/// Sums come out as i64, float or complex; another dtype that was asked for is converted to.
template <class Engine>
void sum_as(const Tensor& in, const Tensor& out, DimMask mask) {
  if (!is_integral(out.dtype()) || out.dtype() == DType::I64) return sum_into<Engine>(in, out, mask, false);
  // A sum in i8 of f32 elements truncates each element, then wraps around.
  const Tensor wide = made_like(out, DType::I64);
  sum_into<Engine>(converted(in, out.dtype()), wide, mask, false);
  copy_elements(out, wide);
}

template <class Engine>
void nansum(KernelCall& call) {
  Tensor in = call.tensor(op_nansum::kNansum["self"]);
  const Tensor& out = call.outputs[0];
  const DimMask mask = dims_of(call, op_nansum::kNansum["dim"]);
  if (!is_float(in.dtype()) || is_complex(out.dtype())) return sum_as<Engine>(in, out, mask);
  if (!is_integral(out.dtype())) {
    if (in.dtype() != out.dtype() || in.meta().neg) in = converted(in, out.dtype());  // NaNs stay NaNs
    dispatch_dtype<kFloats>(in.dtype(), [&]<class T>() { Engine::run(NanSummation<T>(), in, out, mask); });
    return;
  }
  if (in.meta().neg || in.dtype() != DType::F64) in = converted(in, DType::F64);
  const Tensor wide = made_like(out, DType::I64);
  Engine::run(NanTruncation{{}, out.dtype()}, in, wide, mask);
  copy_elements(out, wide);
}

template <class Engine>
void multiply(const Tensor& in, const Tensor& out, DimMask mask) {
  // Products of integers are rare: devices, where each kernel is compiled for long, have one for all of them.
  constexpr DTypeSet kSet = Engine::kOnDevice ? kFloatsAndComplexes | DTypeSet{DType::I64} : kAllDTypes;
  if (Engine::kOnDevice && !kSet.has(in.dtype())) return multiply<Engine>(converted(in, DType::I64), out, mask);
  dispatch_dtype<kSet>(in.dtype(),
                       [&]<class T>() { Engine::run(Product<typename Engine::template Element<T>>(), in, out, mask); });
}

template <class Engine>
void prod(const Tensor& input, const Tensor& out, DimMask mask) {
  const Tensor in = operand(input, out);
  if (!is_integral(out.dtype()) || out.dtype() == DType::I64) return multiply<Engine>(in, out, mask);
  const Tensor wide = made_like(out, DType::I64);
  multiply<Engine>(in, wide, mask);
  copy_elements(out, wide);
}

}  // namespace sums
}  // namespace ersatz
