#include "kernels/linalg/cholesky_solve.h"
#include "kernels/linalg/column_major.h"
#include "kernels/linalg/lapack.h"
#include "kernels/shape/broadcast.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_cholesky_solve {

Kernel run_inverse_cpu, run_solve_cpu;

void run_inverse_cpu(KernelCall& call) {
  const Tensor self = call.tensor(kInverse["self"]);
  if (self.numel().as_int() == 0) return;
  const bool upper = call.boolean(kInverse["upper"]);
  const Tensor x = column_major_copy(self);
  const int64_t n = self.sizes().back().as_int();
  dispatch_dtype<kLapackDTypes>(self.dtype(), [&]<class T>() {
    for (int64_t i = 0; i < self.numel().as_int() / (n * n); ++i) {
      T* a = x.data<T>() + i * n * n;
      const int info = lapack<"potri", T>(upper ? 'U' : 'L', n, a, n);
      if (info != 0)
        fail_on_value(call, ErrorFamily::Runtime, "factor {} is singular: element {} of its diagonal is zero", i, info);
      for (int64_t column = 0; column < n; ++column) {
        for (int64_t row = 0; row < column; ++row) {
          T &above = a[column * n + row], &below = a[row * n + column];
          T &to = upper ? below : above, &from = upper ? above : below;
          if constexpr (kIsComplex<T>) {
            to = std::conj(from);
          } else {
            to = from;
          }
        }
      }
    }
  });
  copy_elements(call.outputs[0], x);
}

void run_solve_cpu(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  if (out.numel().as_int() == 0) return;
  const int64_t n = out.sizes()[static_cast<size_t>(out.dim() - 2)].as_int(), k = out.sizes().back().as_int();
  const Tensor x = column_major_copy(broadcast_view(call.tensor(kSolve["self"]), out.sizes()));
  DimVec square = leading_sizes(out.sizes(), 1);
  square.push_back(n);
  const Tensor factor = column_major_copy(broadcast_view(call.tensor(kSolve["input2"]), square));
  dispatch_dtype<kLapackDTypes>(x.dtype(), [&]<class T>() {
    for (int64_t i = 0; i < out.numel().as_int() / (n * k); ++i)
      lapack<"potrs", T>(call.boolean(kSolve["upper"]) ? 'U' : 'L', n, k, factor.data<T>() + i * n * n, n,
                         x.data<T>() + i * n * k, n);
  });
  copy_elements(out, x);
}

}  // namespace ersatz::op_cholesky_solve
