#include <cmath>
#include <complex>
#include <vector>

#include "kernels/reduction/reduce_loops.h"
#include "kernels/sorting/rows_along.h"
#include "runtime/copy.h"
#include "runtime/dtype_switch.h"
#include "runtime/kernel.h"

namespace ersatz::op_variance {
namespace {

using Point = std::complex<double>;

template <class T>
Point point(T v) {
  if constexpr (is_complex(dtype_of<T>)) {
    return {double(v.real()), double(v.imag())};
  } else {
    return {double(v), 0};
  }
}

/// Count, mean and sum of squared distances from it.
struct Moments {
  double n = 0;
  Point mean = 0;
  double squares = 0;
};

template <class T>
struct Spread {
  using In = T;
  /// Sums around the first element: no cancellation, and no division per element.
  struct Acc {
    double n;
    Point shift, sum;
    double squares;
  };
  using Total = Moments;
  using Out = Moments;

  Acc start() const { return {0, 0, 0, 0}; }
  void step(Acc& a, In v) const {
    const Point p = point(v);
    if (a.n == 0) a.shift = p;
    const Point d = p - a.shift;
    a.n += 1;
    a.sum += d;
    a.squares += std::norm(d);
  }
  Total open() const { return {}; }
  void fold(Total& t, const Acc& a) const {
    if (a.n == 0) return;
    const Point mean = a.sum / a.n;
    merge(t, {a.n, a.shift + mean, a.squares - std::norm(mean) * a.n});
  }
  void merge(Total& t, const Total& o) const {
    if (o.n == 0) return;
    const double n = t.n + o.n;
    const Point d = o.mean - t.mean;
    t.squares += o.squares + std::norm(d) * (t.n * o.n / n);
    t.mean += d * (o.n / n);
    t.n = n;
  }
  Out finish(const Total& t) const { return t; }
};

double correction_of(const KernelCall& call) {
  const bool whole = call.args.size() == 2;
  const Value& v = call.args[whole ? 1 : 2];
  if (v.is_none()) return 1;
  if (v.kind() == Value::Kind::Bool && call.op.schema.arguments[whole ? 1 : 2].name == "unbiased") return v.as_bool();
  return v.as_scalar().to_double();
}

void run(KernelCall& call, bool root) {
  const Tensor in = without_lazy_bits(call.tensor(0)), &out = call.outputs[0];
  const DimMask mask = call.args.size() == 2 || !call.has(1) ? kAllDims : reduced_dims(call.ints(1), in.dim());
  // Results go through row-major tensors in double: outputs may have any strides and dtype.
  const Tensor spread = make_real_tensor(TensorMeta(DType::F64, out.sizes()));
  const Tensor mean = make_real_tensor(TensorMeta(DType::C128, out.sizes()));
  const ReducePlan plan = plan_reduction(in.meta(), spread.meta(), mask);
  std::vector<Moments> moments(size_t(plan.outputs));
  dispatch_dtype<kFloatsAndComplexes>(in.dtype(), [&]<class T>() {
    reduce(Spread<T>(), plan, reinterpret_cast<const T*>(in.raw_data()), moments.data());
  });
  const double correction = correction_of(call);
  for (size_t i = 0; i < moments.size(); ++i) {
    const double n = moments[i].n, var = n == 0 ? NAN : moments[i].squares / std::max(n - correction, 0.0);
    spread.data<double>()[i] = root ? std::sqrt(var) : var;
    mean.data<Point>()[i] = n == 0 ? Point(NAN, NAN) : moments[i].mean;
  }
  copy_elements(out, spread);
  if (call.outputs.size() > 1) copy_elements(call.outputs[1], mean);
}

}  // namespace

void run_var_cpu(KernelCall& call) { run(call, false); }
void run_std_cpu(KernelCall& call) { run(call, true); }

}  // namespace ersatz::op_variance
