#include <cmath>
#include <complex>
#include <limits>

#include "kernels/reduction/reduce_loops.h"
#include "kernels/sorting/rows_along.h"
#include "runtime/copy.h"
#include "runtime/dtype_switch.h"
#include "runtime/kernel.h"

namespace ersatz::op_logsumexp {
namespace {

/// `sum` is that of exp(x - top), where top is the largest (real part) so far.
template <class W>
struct Scaled {
  double top = -std::numeric_limits<double>::infinity();
  W sum = W(0);
};

inline double real_part(double v) { return v; }
inline double real_part(const std::complex<double>& v) { return v.real(); }

template <class T>
struct LogSumExp {
  using W = std::conditional_t<is_complex(dtype_of<T>), std::complex<double>, double>;
  using In = T;
  using Acc = Scaled<W>;
  using Total = Scaled<W>;
  using Out = W;

  Acc start() const { return {}; }
  void step(Acc& a, In v) const {
    const W w = W(v);
    const double top = real_part(w);
    merge(a, {top, std::isinf(top) ? W(1) : std::exp(w - top)});  // an infinite element has no difference from itself
  }
  Total open() const { return {}; }
  void fold(Total& t, const Acc& a) const { merge(t, a); }
  void merge(Total& t, const Total& o) const {
    if (o.top == -std::numeric_limits<double>::infinity()) return;  // exp(-inf) adds nothing
    if (o.top > t.top || o.top != o.top) {
      const double scale = t.top == o.top ? 1 : std::exp(t.top - o.top);
      t.sum = t.top == -std::numeric_limits<double>::infinity() ? o.sum : t.sum * scale + o.sum;
      t.top = o.top;
    } else {
      t.sum += o.top == t.top ? o.sum : o.sum * std::exp(o.top - t.top);
    }
  }
  Out finish(const Total& t) const {
    if (std::isinf(t.top)) return W(t.top);
    return std::log(t.sum) + t.top;
  }
};

}  // namespace

void run_cpu(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  const Tensor in = without_lazy_bits(call.tensor(0));
  const Tensor wide = make_real_tensor(TensorMeta(is_complex(in.dtype()) ? DType::C128 : DType::F64, out.sizes()));
  const ReducePlan plan = plan_reduction(in.meta(), wide.meta(), reduced_dims(call.ints(1), in.dim()));
  dispatch_dtype<kAllDTypes>(in.dtype(), [&]<class T>() {
    reduce(LogSumExp<T>(), plan, reinterpret_cast<const T*>(in.raw_data()),
           reinterpret_cast<typename LogSumExp<T>::Out*>(wide.raw_data()));
  });
  if (is_complex(in.dtype()) && !is_complex(out.dtype())) {
    // A real `out=`: the logarithm of the sum's real part, which may be negative.
    const Tensor real = make_real_tensor(TensorMeta(DType::F64, out.sizes()));
    for (int64_t i = 0; i < plan.outputs; ++i) {
      const std::complex<double> v = wide.data<std::complex<double>>()[i];
      real.data<double>()[i] = v.real() + std::log(std::cos(v.imag()));
    }
    copy_elements(out, real);
    return;
  }
  // Everything was read: the output may be the input's memory.
  copy_elements(out, wide);
}

}  // namespace ersatz::op_logsumexp
