// any, all, count_nonzero and the extrema: the structs for the reduction engine, and the bodies of the ops. `Engine` is
// HostReduction or DeviceReduction.
#pragma once

#include <limits>

#include "kernels/compute_type.h"
#include "kernels/dense_operand.h"
#include "kernels/pointwise/device_value.h"
#include "kernels/reduction/any_all.h"
#include "kernels/reduction/count_nonzero.h"
#include "kernels/reduction/extrema.h"
#include "kernels/reduction/reduce_dims.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/op/kernel.h"

namespace ersatz {
namespace folds {

template <class T>
ERSATZ_HD bool is_nonzero(const T& v) {
  if constexpr (is_reduced_float(kDeviceDType<T>)) {
    return float(v) != 0;
  } else {
    return v != T(0);
  }
}

/// Fold of `any` and `all`: whether a true element was found (any), or a false one (all). Out is bool or u8.
template <class T>
struct Truth {
  using In = T;
  using Acc = uint8_t;
  using Total = uint8_t;
  using Out = uint8_t;
  uint8_t any;

  ERSATZ_HD Acc start() const { return 0; }
  ERSATZ_HD void step(Acc& a, In v) const { a |= uint8_t(uint8_t(is_nonzero(v)) == any); }
  ERSATZ_HD Total open() const { return 0; }
  ERSATZ_HD void fold(Total& t, const Acc& a) const { t |= a; }
  ERSATZ_HD void merge(Total& t, const Total& o) const { t |= o; }
  ERSATZ_HD Out finish(const Total& t) const { return t == any; }
};

template <class T>
struct Count {
  using In = T;
  using Acc = int64_t;
  using Total = int64_t;
  using Out = int64_t;

  ERSATZ_HD Acc start() const { return 0; }
  ERSATZ_HD void step(Acc& a, In v) const { a += is_nonzero(v); }
  ERSATZ_HD Total open() const { return 0; }
  ERSATZ_HD void fold(Total& t, const Acc& a) const { t += a; }
  ERSATZ_HD void merge(Total& t, const Total& o) const { t += o; }
  ERSATZ_HD Out finish(const Total& t) const { return t; }
};

template <class T, bool Largest>
struct Extreme {
  using In = T;
  using Acc = Compute_t<T>;
  using Total = Compute_t<T>;
  using Out = T;
  using Limits = std::numeric_limits<Compute_t<T>>;

  ERSATZ_HD Acc start() const {
    if constexpr (Limits::has_infinity) return Largest ? -Limits::infinity() : Limits::infinity();
    return Largest ? Limits::lowest() : Limits::max();
  }
  ERSATZ_HD void take(Acc& a, Acc v) const { a = (Largest ? v > a : v < a) || v != v ? v : a; }
  ERSATZ_HD void step(Acc& a, In v) const { take(a, Acc(v)); }
  ERSATZ_HD Total open() const { return start(); }
  ERSATZ_HD void fold(Total& t, const Acc& a) const { take(t, a); }
  ERSATZ_HD void merge(Total& t, const Total& o) const { take(t, o); }
  ERSATZ_HD Out finish(const Total& t) const { return Out(t); }
};

/// Returns the mask for the argument `dim` at position i; None means all dims.
inline DimMask dim_of(const KernelCall& call, Position i) {
  if (call.args.size() <= i || !call.has(i)) return kAllDims;
  const int64_t dim[] = {call.integer(i)};
  return reduced_dims(dim, call.tensor(kReduced["self"]).dim());
}

/// Calls f for the type of `t`. bool, i8 and u8 use one type, because any byte that is not 0 is true in all three.
template <class F>
void dispatch_truth(DType t, F&& f) {
  if (t == DType::Bool || t == DType::I8) t = DType::U8;
  dispatch_dtype<kNumbers.without({DType::I8})>(t, f);
}

/// Calls f for the type of `t`. bool uses u8, because bytes 0 and 1 have the order of false and true.
template <class F>
void dispatch_ordered(DType t, F&& f) {
  dispatch_dtype<kReals>(t == DType::Bool ? DType::U8 : t, f);
}

/// Kernel of any and all over all dims, one dim or a list of dims. An empty list reduces no dim.
template <class Engine, bool Any>
void any_all(KernelCall& call) {
  static constexpr Schemas kArgs2{op_any_all::kAnyAllDim, op_any_all::kAnyAllDims};
  const Tensor in = call.tensor(op_any_all::kEach["self"]), &out = call.outputs[0];
  const bool listed = call.args.size() > 1 && call[kArgs2["dim"]].kind() != Value::Kind::Int && call.has(kArgs2["dim"]);
  const DimMask mask = !listed                            ? dim_of(call, kArgs2["dim"])
                       : call.ints(kArgs2["dim"]).empty() ? 0
                                                          : reduced_dims(call.ints(kArgs2["dim"]), in.dim());
  dispatch_truth(in.dtype(),
                 [&]<class T>() { Engine::run(Truth<typename Engine::template Element<T>>{Any}, in, out, mask); });
}

template <class Engine>
void count_nonzero(KernelCall& call, DimMask mask) {
  static constexpr Schemas kArgs{op_count_nonzero::kCountNonzero, op_count_nonzero::kCountNonzeroDimIntList};
  dispatch_truth(call.tensor(kArgs["self"]).dtype(), [&]<class T>() {
    Engine::run(Count<typename Engine::template Element<T>>(), call.tensor(kArgs["self"]), call.outputs[0], mask);
  });
}

template <class Engine, bool Largest>
void extremum(const Tensor& input, const Tensor& out, DimMask mask) {
  if (out.numel().as_int() == 0) return;
  const Tensor in = input.meta().neg ? dense_input(input) : input;
  dispatch_ordered(in.dtype(), [&]<class T>() { Engine::run(Extreme<T, Largest>(), in, out, mask); });
}

/// Kernel of amax and amin.
template <class Engine, bool Largest>
void extremum_over_dims(KernelCall& call) {
  extremum<Engine, Largest>(
      call.tensor(op_extrema::kAmaxAmin["self"]), call.outputs[0],
      reduced_dims(call.ints(op_extrema::kAmaxAmin["dim"]), call.tensor(op_extrema::kAmaxAmin["self"]).dim()));
}
/// Kernel of max and min over all elements.
template <class Engine, bool Largest>
void extremum_of_all(KernelCall& call) {
  extremum<Engine, Largest>(call.tensor(op_extrema::kExtrema["self"]), call.outputs[0], kAllDims);
}
template <class Engine>
void aminmax(KernelCall& call) {
  const DimMask mask = dim_of(call, op_extrema::kAminmax["dim"]);
  extremum<Engine, false>(call.tensor(op_extrema::kAminmax["self"]), call.outputs[0], mask);
  extremum<Engine, true>(call.tensor(op_extrema::kAminmax["self"]), call.outputs[1], mask);
}

}  // namespace folds
}  // namespace ersatz
