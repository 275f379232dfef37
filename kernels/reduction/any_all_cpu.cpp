#include "kernels/reduction/reduce_loops.h"
#include "runtime/dtype_switch.h"
#include "runtime/kernel.h"

namespace ersatz::op_any_all {
namespace {

template <class T, bool Any>
struct Truth {
  using In = T;
  using Acc = uint8_t;
  using Total = uint8_t;
  using Out = uint8_t;  // bool and u8 alike

  static bool holds(T v) {
    if constexpr (is_reduced_float(dtype_of<T>)) {
      return float(v) != 0;
    } else {
      return v != T(0);
    }
  }
  Acc start() const { return !Any; }
  void step(Acc& a, In v) const { a = Any ? a | uint8_t(holds(v)) : a & uint8_t(holds(v)); }
  Total open() const { return !Any; }
  void fold(Total& t, const Acc& a) const { t = Any ? t | a : t & a; }
  void merge(Total& t, const Total& o) const { fold(t, o); }
  Out finish(const Total& t) const { return t; }
};

/// Which dims the call reduces: all, one, or a list (an empty one: none).
DimMask mask_of(const KernelCall& call, int64_t rank) {
  if (call.args.size() == 1 || !call.has(1)) return kAllDims;
  if (call.args[1].kind() == Value::Kind::Int) {
    const int64_t dim[] = {call.integer(1)};
    return reduced_dims(dim, rank);
  }
  return call.ints(1).empty() ? 0 : reduced_dims(call.ints(1), rank);
}

template <bool Any>
void run(KernelCall& call) {
  const Tensor in = call.tensor(0), &out = call.outputs[0];
  const ReducePlan plan = plan_reduction(in.meta(), out.meta(), mask_of(call, in.dim()));
  dispatch_dtype<kAllDTypes>(in.dtype(), [&]<class T>() {
    reduce(Truth<T, Any>(), plan, reinterpret_cast<const T*>(in.raw_data()),
           reinterpret_cast<uint8_t*>(out.raw_data()));
  });
}

}  // namespace

void run_any_cpu(KernelCall& call) { run<true>(call); }
void run_all_cpu(KernelCall& call) { run<false>(call); }

}  // namespace ersatz::op_any_all
