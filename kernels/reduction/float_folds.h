// Norms and logarithms of sums of exponentials: the structs for the reduction engine, and the bodies of the ops.
// `Engine` is HostReduction or DeviceReduction.
#pragma once

#include <cmath>
#include <limits>

#include "kernels/dense_operand.h"
#include "kernels/pointwise/device_value.h"
#include "kernels/reduction/logsumexp.h"
#include "kernels/reduction/reduce_dims.h"
#include "kernels/reduction/vector_norm.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/op/copy.h"
#include "runtime/op/kernel.h"

namespace ersatz {
namespace folds {

inline Tensor row_major(const Tensor& like, DType dtype) {
  return make_real_tensor(TensorMeta(dtype, like.sizes(), like.device()));
}

enum class NormOrder : uint8_t { Count, One, Two, Largest, Smallest, Power };

ERSATZ_HD_CALL inline double magnitude_of(double re, double im) {
  return complex_math::abs(DeviceComplex<double>(re, im));
}
template <class T>
ERSATZ_HD double magnitude(const T& v) {
  if constexpr (kIsDeviceComplex<T>) {
    return magnitude_of(v.real(), v.imag());
  } else {
    return std::fabs(double(v));
  }
}

ERSATZ_HD_CALL inline double power(double x, double p) { return std::pow(x, p); }

/// Returns exp(v). The overloads for f64 and complex numbers are not inlined; the one for float is.
template <class C>
ERSATZ_HD C exponential(C v) {
  return std::exp(v);
}
ERSATZ_HD_CALL inline double exponential(double v) { return std::exp(v); }
ERSATZ_HD_CALL inline DeviceComplex<double> exponential(const DeviceComplex<double>& v) { return complex_math::exp(v); }

/// The fold of a norm. `Fixed` is the norm's order. If it is Power, the order is the member `order`.
template <class T, NormOrder Fixed>
struct Norm {
  using In = T;
  using Acc = double;
  using Total = double;
  using Out = double;
  NormOrder order;
  double p;

  ERSATZ_HD NormOrder kind() const { return Fixed == NormOrder::Power ? order : Fixed; }
  ERSATZ_HD Acc start() const { return kind() == NormOrder::Smallest ? std::numeric_limits<double>::infinity() : 0; }
  ERSATZ_HD void step(Acc& a, In v) const {
    const double x = magnitude(v);
    switch (kind()) {
      case NormOrder::Count:
        a += x != 0;
        break;
      case NormOrder::One:
        a += x;
        break;
      case NormOrder::Two:
        a += x * x;
        break;
      case NormOrder::Power:
        a += power(x, p);
        break;
      default:
        merge(a, x);
    }
  }
  ERSATZ_HD Total open() const { return start(); }
  ERSATZ_HD void fold(Total& t, const Acc& a) const { merge(t, a); }
  ERSATZ_HD void merge(Total& t, const Total& o) const {
    if (kind() == NormOrder::Largest) {
      t = o > t || o != o ? o : t;
    } else if (kind() == NormOrder::Smallest) {
      t = o < t || o != o ? o : t;
    } else {
      t += o;
    }
  }
  ERSATZ_HD Out finish(const Total& t) const {
    if (kind() == NormOrder::Two) return std::sqrt(t);
    return kind() == NormOrder::Power ? power(t, 1 / p) : t;
  }
};

inline NormOrder norm_order(double p) {
  if (p == 0) return NormOrder::Count;
  if (p == 1) return NormOrder::One;
  if (p == 2) return NormOrder::Two;
  if (std::isinf(p)) return p > 0 ? NormOrder::Largest : NormOrder::Smallest;
  return NormOrder::Power;
}

template <class Engine>
void vector_norm(KernelCall& call) {
  const Tensor in = call.tensor(op_vector_norm::kNorm["self"]), &out = call.outputs[0];
  const bool whole = call.args.size() <= 3 || !call.has(op_vector_norm::kNorm["dim"]);
  const DimMask mask = whole ? kAllDims : reduced_dims(call.ints(op_vector_norm::kNorm["dim"]), in.dim());
  const double p = call.has(op_vector_norm::kNorm["{}"]) ? call.scalar(op_vector_norm::kNorm["{}"]).to_double() : 2;
  const NormOrder order = norm_order(p);
  // The engine writes f64 to a row-major tensor, because `out` may have any strides and any float dtype.
  const Tensor norms = row_major(out, DType::F64);
  dispatch_dtype<kFloatsAndComplexes>(in.dtype(), [&]<class T>() {
    using E = typename Engine::template Element<T>;
    order == NormOrder::Two ? Engine::run(Norm<E, NormOrder::Two>{order, p}, in, norms, mask)
                            : Engine::run(Norm<E, NormOrder::Power>{order, p}, in, norms, mask);
  });
  copy_elements(out, norms);
}

/// A scaled sum of exponentials. `top` is the largest element (or real part) so far, and `sum` the sum of exp(x - top).
template <class W, class C>
struct Scaled {
  C top = -std::numeric_limits<C>::infinity();
  W sum = W(0);
};

/// Fold of logsumexp. W is the type that exponentials are computed in: C, or complex numbers of parts C. If elements
/// are complex and Result is real, the result is the logarithm of the sum's real part, which may be negative.
template <class T, class W, class C, class Result>
struct LogSumExp {
  using In = T;
  using Acc = Scaled<W, C>;
  using Total = Scaled<W, C>;
  using Out = Result;

  ERSATZ_HD static C real_part(const W& v) {
    if constexpr (kIsDeviceComplex<W>) {
      return v.real();
    } else {
      return v;
    }
  }
  ERSATZ_HD static bool infinite(C v) { return v - v != v - v && v == v; }

  ERSATZ_HD Acc start() const { return {}; }
  ERSATZ_HD void step(Acc& a, In v) const {
    const W w = W(v);
    const C top = real_part(w);
    if constexpr (kIsDeviceComplex<W>) {
      merge(a, {top, infinite(top) ? W(1) : exponential(w - top)});  // inf - inf is NaN
    } else {
      merge(a, {top, top == top ? W(1) : top});
    }
  }
  ERSATZ_HD Total open() const { return {}; }
  ERSATZ_HD void fold(Total& t, const Acc& a) const { merge(t, a); }
  ERSATZ_HD void merge(Total& t, const Total& o) const {
    constexpr C kNothing = -std::numeric_limits<C>::infinity();
    if (o.top == kNothing) return;  // exp(-inf) adds nothing
    const bool higher = o.top > t.top || o.top != o.top;
    const C scale = t.top == o.top ? C(1) : exponential(higher ? t.top - o.top : o.top - t.top);
    if (higher) {
      t.sum = t.top == kNothing ? o.sum : t.sum * scale + o.sum;
      t.top = o.top;
    } else {
      t.sum += o.sum * scale;
    }
  }
  ERSATZ_HD Out finish(const Total& t) const {
    if constexpr (kIsDeviceComplex<W>) {
      const W result = infinite(t.top) ? W(t.top) : complex_math::log(t.sum) + t.top;
      if constexpr (kIsDeviceComplex<Out>) {
        return result;
      } else {
        return result.real() + std::log(std::cos(result.imag()));
      }
    } else {
      return infinite(t.top) ? t.top : std::log(t.sum) + t.top;
    }
  }
};

template <class Engine>
void logsumexp(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  Tensor in = call.tensor(op_logsumexp::kLogsumexp["self"]);
  const DimMask mask = reduced_dims(call.ints(op_logsumexp::kLogsumexp["dim"]), in.dim());
  if (is_integral(in.dtype())) {
    const Tensor wide = row_major(in, DType::F64);
    copy_elements(wide, in);
    in = wide;
  }
  in = plain_input(in);
  // The engine writes to a new tensor, because `out` may be in the memory of the input, which is read until the end.
  Tensor result;
  const auto run = [&]<class T, class W, class C, class Result>(DType dtype) {
    result = row_major(out, dtype);
    Engine::run(LogSumExp<T, W, C, Result>(), in, result, mask);
  };
  if (is_complex(in.dtype())) {
    dispatch_dtype<kComplexes>(in.dtype(), [&]<class T>() {
      using E = typename Engine::template Element<T>;
      using W = DeviceComplex<double>;
      is_complex(out.dtype()) ? run.template operator()<E, W, double, W>(DType::C128)
                              : run.template operator()<E, W, double, double>(DType::F64);
    });
  } else {
    dispatch_dtype<kFloats>(in.dtype(), [&]<class T>() {
      using C = std::conditional_t<Engine::kOnDevice && !std::is_same_v<T, double>, float, double>;
      run.template operator()<T, C, C, C>(dtype_of<C>);
    });
  }
  copy_elements(out, result);
}

}  // namespace folds
}  // namespace ersatz
