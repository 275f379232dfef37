#include "kernels/linalg/cholesky.h"
#include "kernels/linalg/lapack.h"
#include "kernels/linalg/openblas.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/op/copy.h"
#include "runtime/op/kernel.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_cholesky {
namespace {

/// Factorises `matrices` column-major n by n matrices, one after the other in memory, and zeroes the triangle that the
/// factor does not use.
template <class T>
void factorise(T* data, int32_t* info, int64_t matrices, int64_t n, bool upper) {
  for (int64_t m = 0; m < matrices; ++m, data += n * n) {
    info[m] = lapack<"potrf", T>(upper ? 'U' : 'L', n, data, n);
    for (int64_t column = 0; column < n; ++column) {
      for (int64_t row = 0; row < n; ++row) {
        if (upper ? row > column : row < column) data[column * n + row] = T(0);
      }
    }
  }
}

}  // namespace

void run_cpu(KernelCall& call) {
  const Tensor self = call.tensor(kLinalgCholeskyEx["self"]);
  const Tensor &factor = call.outputs[0], &info = call.outputs[1];
  const int64_t n = self.sizes().back().as_int(), matrices = info.numel().as_int();
  const Tensor codes = make_real_tensor(TensorMeta(DType::I32, info.sizes()));
  if (matrices > 0) std::fill_n(codes.data<int32_t>(), matrices, 0);
  if (self.numel().as_int() > 0) {
    if (!openblas::fits(n)) fail_on_value(call, ErrorFamily::Runtime, "matrices of order {} are too large", n);
    TensorMeta column_major(self.dtype(), self.sizes());
    const size_t columns = column_major.sizes.size() - 1;
    column_major.strides[columns - 1] = 1;
    column_major.strides[columns] = n;
    const Tensor dense = make_real_tensor(std::move(column_major));
    copy_elements(dense, self);
    dispatch_dtype<kFloatsAndComplexes.without({DType::F16, DType::BF16})>(self.dtype(), [&]<class T>() {
      factorise(dense.data<T>(), codes.data<int32_t>(), matrices, n, call.boolean(kLinalgCholeskyEx["upper"]));
    });
    copy_elements(factor, dense);
  }
  if (matrices == 0) return;
  copy_elements(info, codes);
  if (!call.boolean(kLinalgCholeskyEx["check_errors"])) return;
  for (int64_t m = 0; m < matrices; ++m) {
    const int32_t code = codes.data<int32_t>()[m];
    if (code != 0) {
      fail_on_value(call, ErrorFamily::Runtime,
                    "matrix {} is not positive definite: its leading minor of order {} is not", m, code);
    }
  }
}

}  // namespace ersatz::op_cholesky
