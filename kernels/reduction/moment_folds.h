// Mean and sum of squared deviations: the structs for the reduction engine, and the bodies of var and std. `Engine` is
// HostReduction or DeviceReduction.
#pragma once

#include "kernels/compute_type.h"
#include "kernels/reduction/float_folds.h"
#include "kernels/reduction/variance.h"

namespace ersatz {
namespace folds {

ERSATZ_HD inline double squared(double d) { return d * d; }
ERSATZ_HD inline double squared(const DeviceComplex<double>& d) { return d.real() * d.real() + d.imag() * d.imag(); }

/// The mean, the number of elements and the sum of squared deviations. The mean is the first member, so that the struct
/// needs no padding and has at most 32 bytes on every device.
template <class P>
struct Moments {
  P mean = P(0);
  double n = 0;
  double squares = 0;
};

template <class T>
struct Spread {
  using In = T;
  using P = Total_t<T>;
  /// Sums of deviations from the first element. Thus digits do not cancel, and no element needs a division.
  struct Acc {
    double n;
    P shift, sum;
    double squares;
  };
  using Total = Moments<P>;

  ERSATZ_HD Acc start() const { return {0, P(0), P(0), 0}; }
  ERSATZ_HD void step(Acc& a, In v) const {
    const P p = P(v);
    if (a.n == 0) a.shift = p;
    const P d = p - a.shift;
    a.n += 1;
    a.sum += d;
    a.squares += squared(d);
  }
  ERSATZ_HD Total open() const { return {}; }
  ERSATZ_HD void fold(Total& t, const Acc& a) const {
    if (a.n == 0) return;
    const P mean = a.sum / a.n;
    merge(t, {a.shift + mean, a.n, a.squares - squared(mean) * a.n});
  }
  ERSATZ_HD void merge(Total& t, const Total& o) const {
    if (o.n == 0) return;
    const double n = t.n + o.n;
    const P d = o.mean - t.mean;
    t.squares += o.squares + squared(d) * (t.n * o.n / n);
    t.mean += d * (o.n / n);
    t.n = n;
  }
};

template <class P>
struct StoreVariance {
  double* spread;
  P* mean;
  double correction;
  bool root;
  ERSATZ_HD void operator()(int64_t at, const Moments<P>& m) const {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    const double freedom = m.n > correction ? m.n - correction : 0.0;
    const double variance = m.n == 0 ? kNan : m.squares / freedom;
    spread[at] = root ? std::sqrt(variance) : variance;
    if constexpr (std::is_same_v<P, double>) {
      mean[at] = m.n == 0 ? kNan : m.mean;
    } else {
      mean[at] = m.n == 0 ? P(kNan, kNan) : m.mean;
    }
  }
};

inline double correction_of(const KernelCall& call) {
  const bool whole = call.args.size() == op_variance::kVariance.count();
  const size_t at =
      whole ? op_variance::kVariance["unbiased"] : op_variance::kVarianceDim["unbiased"];  // or `correction`
  const Value& v = call.args[at];
  if (v.is_none()) return 1;
  if (v.kind() == Value::Kind::Bool && call.op.schema.arguments[at].name == "unbiased") return v.as_bool();
  return v.as_scalar().to_double();
}

/// Kernel of var, std, var_mean and std_mean.
template <class Engine, bool Root>
void variance(KernelCall& call) {
  const Tensor in = plain_input(call.tensor(op_variance::kEach["self"])), &out = call.outputs[0];
  const DimMask mask = call.args.size() == op_variance::kVariance.count() || !call.has(op_variance::kVarianceDim["dim"])
                           ? kAllDims
                           : reduced_dims(call.ints(op_variance::kVarianceDim["dim"]), in.dim());
  // The engine writes to row-major tensors of f64 (c128 for complex means), because outputs may have any strides and
  // dtypes.
  const Tensor spread = row_major(out, DType::F64);
  const Tensor mean = row_major(out, is_complex(in.dtype()) ? DType::C128 : DType::F64);
  dispatch_dtype<kFloatsAndComplexes>(in.dtype(), [&]<class T>() {
    using E = typename Engine::template Element<T>;
    const StoreVariance<Total_t<E>> sink{reinterpret_cast<double*>(spread.raw_data()),
                                         reinterpret_cast<Total_t<E>*>(mean.raw_data()), correction_of(call), Root};
    Engine::run_to(Spread<E>(), sink, in, spread.meta(), mask);
  });
  copy_elements(out, spread);
  if (call.outputs.size() > 1) copy_elements(call.outputs[1], mean);
}

}  // namespace folds
}  // namespace ersatz
