#include <limits>

#include "kernels/reduction/reduce_loops.h"
#include "kernels/sorting/rows_along.h"
#include "runtime/dtype_switch.h"
#include "runtime/kernel.h"

namespace ersatz::op_extrema {
namespace {

/// f16 and bf16 are compared as floats, bool as a number.
template <class T>
using Compared = std::conditional_t<is_reduced_float(dtype_of<T>), float, T>;

template <class T, bool Largest>
struct Extreme {
  using In = T;
  using Acc = Compared<T>;
  using Total = Compared<T>;
  using Out = T;
  using Limits = std::numeric_limits<Compared<T>>;

  Acc start() const {
    if constexpr (Limits::has_infinity) return Largest ? -Limits::infinity() : Limits::infinity();
    return Largest ? Limits::lowest() : Limits::max();
  }
  void take(Acc& a, Acc v) const { a = (Largest ? v > a : v < a) || v != v ? v : a; }
  void step(Acc& a, In v) const { take(a, Acc(v)); }
  Total open() const { return start(); }
  void fold(Total& t, const Acc& a) const { take(t, a); }
  void merge(Total& t, const Total& o) const { take(t, o); }
  Out finish(const Total& t) const { return Out(t); }
};

template <bool Largest>
void run(const Tensor& input, const Tensor& out, DimMask mask) {
  if (out.numel().as_int() == 0) return;
  const Tensor in = without_lazy_bits(input);
  const ReducePlan plan = plan_reduction(in.meta(), out.meta(), mask);
  dispatch_dtype<kReals | kBool>(in.dtype(), [&]<class T>() {
    reduce(Extreme<T, Largest>(), plan, reinterpret_cast<const T*>(in.raw_data()),
           reinterpret_cast<T*>(out.raw_data()));
  });
}

template <bool Largest>
void run_dims(KernelCall& call) {
  run<Largest>(call.tensor(0), call.outputs[0], reduced_dims(call.ints(1), call.tensor(0).dim()));
}

}  // namespace

void run_amax_cpu(KernelCall& call) { run_dims<true>(call); }
void run_amin_cpu(KernelCall& call) { run_dims<false>(call); }
void run_max_cpu(KernelCall& call) { run<true>(call.tensor(0), call.outputs[0], kAllDims); }
void run_min_cpu(KernelCall& call) { run<false>(call.tensor(0), call.outputs[0], kAllDims); }

void run_aminmax_cpu(KernelCall& call) {
  const Tensor in = call.tensor(0);
  DimMask mask = kAllDims;
  if (call.has(1)) {
    const int64_t dim[] = {call.integer(1)};
    mask = reduced_dims(dim, in.dim());
  }
  run<false>(in, call.outputs[0], mask);
  run<true>(in, call.outputs[1], mask);
}

}  // namespace ersatz::op_extrema
