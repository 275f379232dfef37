#include <cmath>
#include <complex>
#include <limits>

#include "kernels/reduction/reduce_loops.h"
#include "runtime/copy.h"
#include "runtime/dtype_switch.h"
#include "runtime/kernel.h"

namespace ersatz::op_vector_norm {
namespace {

enum class Order { Count, One, Two, Largest, Smallest, Power };

template <class T>
double magnitude(T v) {
  if constexpr (is_complex(dtype_of<T>)) {
    return std::abs(std::complex<double>(v.real(), v.imag()));
  } else {
    return std::fabs(double(v));
  }
}

/// `Fixed` is a known order, or Power for one that is looked at per element.
template <class T, Order Fixed>
struct Norm {
  using In = T;
  using Acc = double;
  using Total = double;
  using Out = double;
  Order order;
  double p;

  Order kind() const { return Fixed == Order::Power ? order : Fixed; }
  Acc start() const { return kind() == Order::Smallest ? std::numeric_limits<double>::infinity() : 0; }
  void step(Acc& a, In v) const {
    const double x = magnitude(v);
    switch (kind()) {
      case Order::Count:
        a += x != 0;
        break;
      case Order::One:
        a += x;
        break;
      case Order::Two:
        a += x * x;
        break;
      case Order::Power:
        a += std::pow(x, p);
        break;
      default:
        merge(a, x);
    }
  }
  Total open() const { return start(); }
  void fold(Total& t, const Acc& a) const { merge(t, a); }
  void merge(Total& t, const Total& o) const {
    if (kind() == Order::Largest) {
      t = o > t || o != o ? o : t;
    } else if (kind() == Order::Smallest) {
      t = o < t || o != o ? o : t;
    } else {
      t += o;
    }
  }
  Out finish(const Total& t) const {
    if (kind() == Order::Two) return std::sqrt(t);
    return kind() == Order::Power ? std::pow(t, 1 / p) : t;
  }
};

Order order_of(double p) {
  if (p == 0) return Order::Count;
  if (p == 1) return Order::One;
  if (p == 2) return Order::Two;
  if (std::isinf(p)) return p > 0 ? Order::Largest : Order::Smallest;
  return Order::Power;
}

}  // namespace

void run_cpu(KernelCall& call) {
  const Tensor in = call.tensor(0), &out = call.outputs[0];
  const bool whole = call.args.size() <= 3 || !call.has(2);
  const double p = call.has(1) ? call.scalar(1).to_double() : 2;
  const Order order = order_of(p);
  // Through a row-major result in double: the output may have any strides and float dtype.
  const Tensor norms = make_real_tensor(TensorMeta(DType::F64, out.sizes()));
  const ReducePlan plan =
      plan_reduction(in.meta(), norms.meta(), whole ? kAllDims : reduced_dims(call.ints(2), in.dim()));
  dispatch_dtype<kFloatsAndComplexes>(in.dtype(), [&]<class T>() {
    const T* x = reinterpret_cast<const T*>(in.raw_data());
    double* y = norms.data<double>();
    order == Order::Two ? reduce(Norm<T, Order::Two>{order, p}, plan, x, y)
                        : reduce(Norm<T, Order::Power>{order, p}, plan, x, y);
  });
  copy_elements(out, norms);
}

}  // namespace ersatz::op_vector_norm
