#include "kernels/compute_type.h"
#include "kernels/dense_operand.h"
#include "kernels/shape/diag.h"
#include "kernels/shape/fill_elements.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/op/copy.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_diag {
namespace {

template <class T>
void sum_diagonal(const Tensor& out, const Tensor& self, int64_t n) {
  using Wide = std::conditional_t<std::is_integral_v<T>, uint64_t, Compute_t<T>>;  // sums of integers wrap around
  const T* from = reinterpret_cast<const T*>(self.raw_data());
  const int64_t step = self.strides()[0].as_int() + self.strides()[1].as_int();
  Wide sum{};
  for (int64_t i = 0; i < n; ++i) sum += Wide(from[i * step]);
  using Result = std::conditional_t<std::is_integral_v<T>, int64_t, T>;
  *reinterpret_cast<Result*>(out.raw_data()) = Result(sum);
}

}  // namespace

void trace_cpu(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  const Tensor self = call.tensor(kTrace["self"]);
  const int64_t n = std::min(self.sizes()[0].as_int(), self.sizes()[1].as_int());
  if (n == 0) return fill_elements(out, 0);
  const Tensor plain = self.meta().conj || self.meta().neg ? dense_input(self) : self;
  const bool lazy = out.meta().conj || out.meta().neg;
  const Tensor sum = lazy ? make_real_tensor(TensorMeta(out.dtype(), out.sizes())) : out;
  dispatch_dtype<kAllDTypes>(self.dtype(), [&]<class T>() { sum_diagonal<T>(sum, plain, n); });
  if (lazy) copy_elements(out, sum);
}

}  // namespace ersatz::op_diag
