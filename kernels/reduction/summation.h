// Sums and products: the structs for the reduction engine, and the bodies of `sum`, `mean`, `nansum` and `prod`.
// `Engine` is HostReduction or DeviceReduction.
//
// f16, bf16 and f32 are summed in f32 in pieces of 1024 elements; the sums of the pieces are added in f64. Integers
// wrap around in 64 bits.
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
  double divisor = 1;  ///< number of elements if the op is `mean`

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

/// A sum in which a NaN counts as zero.
template <class T>
struct NanSummation : Summation<T> {
  using Base = Summation<T>;
  ERSATZ_HD void step(typename Base::Acc& a, T v) const {
    const auto x = typename Base::Acc(v);
    a += x == x ? x : typename Base::Acc(0);
  }
};

/// A sum of floats that leaves out NaNs. Each number is truncated to an integer dtype. The sum wraps around.
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
        a += uint64_t(int32_t(x));  // numbers out of range convert as in a copy
        break;
      default:
        a += uint64_t(whole);
    }
  }
};

template <class T>
struct Product {
  using In = T;
  // Total is the type Acc, not f64, so that a product of f32 overflows exactly when f32 does.
  using Acc = typename Summation<T>::Acc;
  using Total = Acc;
  using Out = typename Summation<T>::Out;

  /// Rounds products of f16 and bf16 after each step, as PyTorch does, so that they overflow like these dtypes.
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

/// Converts the input of a reduction to the dtype of `out`, except integers if `out` is i64. REQUIRES: `out` is a
/// float, complex or i64.
inline Tensor operand(const Tensor& in, const Tensor& out) {
  const bool counts = out.dtype() == DType::I64 && is_integral(in.dtype());
  const bool as_it_is = (in.dtype() == out.dtype() || counts) && !in.meta().conj && !in.meta().neg;
  return as_it_is ? in : converted(in, out.dtype());
}

/// Returns the mask for the argument `dim` at position i; None means all dims.
inline DimMask dims_of(const KernelCall& call, Position i) {
  return call.has(i) ? reduced_dims(call.ints(i), call.tensor(kReduced["self"]).dim()) : kAllDims;
}

/// Writes the sum (or mean) of the input over `mask` to `out`, in the dtype of `out`. REQUIRES: this dtype is i64,
/// float or complex.
template <class Engine>
void sum_into(const Tensor& input, const Tensor& out, DimMask mask, bool mean) {
  const Tensor in = operand(input, out);
  const int64_t outputs = std::max<int64_t>(out.numel().as_int(), 1);
  const double divisor = mean ? double(in.numel().as_int() / outputs) : 1.0;
  dispatch_dtype<kAllDTypes>(in.dtype(), [&]<class T>() {
    Engine::run(Summation<typename Engine::template Element<T>>{divisor}, in, out, mask);
  });
}

/// Writes the sum of `in` to `out`. If `out` is another integer dtype than i64, the sum is computed in i64 and
/// converted.
template <class Engine>
void sum_as(const Tensor& in, const Tensor& out, DimMask mask) {
  if (!is_integral(out.dtype()) || out.dtype() == DType::I64) return sum_into<Engine>(in, out, mask, false);
  // For an i8 `out`, for example, each f32 element is first truncated to i8. Then the sum wraps around.
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
    if (in.dtype() != out.dtype() || in.meta().neg) in = converted(in, out.dtype());  // a NaN stays a NaN
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
  // Products of integers are rare and device kernels are slow to compile. So devices have one kernel, of i64, for all
  // integers.
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
