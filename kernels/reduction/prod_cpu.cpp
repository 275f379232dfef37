#include "kernels/reduction/summation.h"
#include "kernels/sorting/rows_along.h"
#include "runtime/kernel.h"

namespace ersatz::op_prod {
namespace {

template <class T>
struct Product {
  using In = T;
  // The same widths as sums; totals in the accumulation type, so that overflow is where f32 has it.
  using Acc = typename SumTypes<T>::Acc;
  using Total = Acc;
  using Out = typename SumTypes<T>::Out;

  /// Products of halves are rounded each time, as ATen's are: they overflow where halves do.
  static Acc rounded(Acc a) {
    if constexpr (is_reduced_float(dtype_of<T>)) {
      return Acc(T(a));
    } else {
      return a;
    }
  }
  Acc start() const { return Acc(1); }
  void step(Acc& a, In v) const { a = rounded(a * Acc(v)); }
  Total open() const { return Total(1); }
  void fold(Total& t, const Acc& a) const { t = rounded(t * a); }
  void merge(Total& t, const Total& o) const { t = rounded(t * o); }
  Out finish(const Total& t) const { return Out(t); }
};

/// out in i64 (of integers), float or complex.
void multiply(const Tensor& in, const Tensor& out, DimMask mask) {
  const ReducePlan plan = plan_reduction(in.meta(), out.meta(), mask);
  dispatch_dtype<kAllDTypes>(in.dtype(), [&]<class T>() {
    reduce(Product<T>(), plan, reinterpret_cast<const T*>(in.raw_data()),
           reinterpret_cast<typename Product<T>::Out*>(out.raw_data()));
  });
}

void run(const Tensor& input, const Tensor& out, DimMask mask) {
  Tensor in = without_lazy_bits(input);
  const bool counts = out.dtype() == DType::I64 && is_integral(in.dtype());
  if (in.dtype() != out.dtype() && !counts) {
    in = make_real_tensor(TensorMeta(out.dtype(), input.sizes()));
    copy_elements(in, input);
  }
  if (!is_integral(out.dtype()) || out.dtype() == DType::I64) return multiply(in, out, mask);
  Tensor wide = make_real_tensor(TensorMeta(DType::I64, out.sizes()));
  multiply(in, wide, mask);
  copy_elements(out, wide);
}

}  // namespace

void run_cpu(KernelCall& call) { run(call.tensor(0), call.outputs[0], kAllDims); }

void run_dim_cpu(KernelCall& call) {
  const Tensor in = call.tensor(0);
  const int64_t dim[] = {call.integer(1)};
  run(in, call.outputs[0], reduced_dims(dim, in.dim()));
}

}  // namespace ersatz::op_prod
