#include "kernels/reduction/reduce_loops.h"
#include "runtime/dtype_switch.h"
#include "runtime/kernel.h"

namespace ersatz::op_count_nonzero {
namespace {

template <class T>
struct Count {
  using In = T;
  using Acc = int64_t;
  using Total = int64_t;
  using Out = int64_t;

  Acc start() const { return 0; }
  void step(Acc& a, In v) const {
    if constexpr (is_reduced_float(dtype_of<T>)) {
      a += float(v) != 0;
    } else {
      a += v != T(0);
    }
  }
  Total open() const { return 0; }
  void fold(Total& t, const Acc& a) const { t += a; }
  void merge(Total& t, const Total& o) const { t += o; }
  Out finish(const Total& t) const { return t; }
};

void count(const Tensor& in, const Tensor& out, DimMask mask) {
  const ReducePlan plan = plan_reduction(in.meta(), out.meta(), mask);
  dispatch_dtype<kAllDTypes>(in.dtype(), [&]<class T>() {
    reduce(Count<T>(), plan, reinterpret_cast<const T*>(in.raw_data()), out.data<int64_t>());
  });
}

}  // namespace

void run_cpu(KernelCall& call) {
  const Tensor in = call.tensor(0);
  DimMask mask = kAllDims;
  if (call.has(1)) {
    const int64_t dim[] = {call.integer(1)};
    mask = reduced_dims(dim, in.dim());
  }
  count(in, call.outputs[0], mask);
}
void run_dims_cpu(KernelCall& call) {
  count(call.tensor(0), call.outputs[0], reduced_dims(call.ints(1), call.tensor(0).dim()));
}

}  // namespace ersatz::op_count_nonzero
