#include "kernels/linalg/column_major.h"
#include "kernels/linalg/lapack.h"
#include "kernels/linalg/triangular.h"
#include "kernels/shape/broadcast.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_triangular {

Kernel run_cpu, run_old_cpu;

namespace {

/// The options with which BLAS's trsm reads the triangular matrix.
struct Read {
  bool left = true, upper, transpose = false, unit;
};

/// Writes the solution X to `out`, which has the broadcast sizes of `b`.
void solve(const Tensor& triangle, const Tensor& b, const Read& how, const Tensor& out) {
  if (out.numel().as_int() == 0) return;
  const Tensor x = column_major_copy(broadcast_view(b, out.sizes()), triangle.dtype());
  const int64_t m = out.sizes()[static_cast<size_t>(out.dim() - 2)].as_int(), n = out.sizes().back().as_int();
  const int64_t order = how.left ? m : n;
  DimVec square = leading_sizes(out.sizes(), 2);
  square.push_back(order);
  square.push_back(order);
  const Tensor a = column_major_copy(broadcast_view(triangle, square));
  dispatch_dtype<kLapackDTypes>(x.dtype(), [&]<class T>() {
    const T one(1);
    for (int64_t i = 0; i < out.numel().as_int() / (m * n); ++i)
      blas<"trsm", T>(how.left ? 'L' : 'R', how.upper ? 'U' : 'L', how.transpose ? 'T' : 'N', how.unit ? 'U' : 'N', m,
                      n, &one, a.data<T>() + i * order * order, order, x.data<T>() + i * m * n, m);
  });
  copy_elements(out, x);
}

}  // namespace

void run_cpu(KernelCall& call) {
  solve(call.tensor(kSolve["self"]), call.tensor(kSolve["B"]),
        {.left = call.boolean(kSolve["left"]),
         .upper = call.boolean(kSolve["upper"]),
         .unit = call.boolean(kSolve["unitriangular"])},
        call.outputs[0]);
}
void run_old_cpu(KernelCall& call) {
  const Tensor a = call.tensor(kOldSolve["A"]);
  solve(a, call.tensor(kOldSolve["self"]),
        {.upper = call.boolean(kOldSolve["upper"]),
         .transpose = call.boolean(kOldSolve["transpose"]),
         .unit = call.boolean(kOldSolve["unitriangular"])},
        call.outputs[0]);
  give(call.outputs[1], broadcast_view(a, call.outputs[1].sizes()));
}

}  // namespace ersatz::op_triangular
