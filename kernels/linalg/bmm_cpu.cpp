#include "kernels/linalg/bmm.h"
#include "kernels/linalg/gemm.h"
#include "kernels/linalg/scaled_self.h"
#include "kernels/shape/fill_elements.h"
#include "runtime/base/parallel.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_bmm {
namespace {

/// Returns matrix `i` of the 3-d tensor `t`. REQUIRES: `first` is matrix 0 of `t`.
MatrixView matrix_of(const Tensor& t, const MatrixView& first, int64_t i) {
  MatrixView m = first;
  if (m.data) m.data += i * t.strides()[0].as_int() * item_size(t.dtype());
  return m;
}

void products(const Tensor& a, const Tensor& b, const Tensor& out, const Scalar& alpha, const Scalar& beta) {
  const int64_t batch = out.sizes()[0].as_int();
  if (out.numel().as_int() == 0) return;
  const MatrixView first_a = matrix_view(a), first_b = matrix_view(b), first_out = matrix_view(out);
  const double flops = 2.0 * double(first_out.rows) * double(first_out.cols) * double(first_a.cols);
  // One task computes several small products. For a large product, matrix_product itself splits the work.
  const int64_t per_task = flops > 4e6 ? batch : std::max<int64_t>(1, int64_t(4e6 / (flops + 1000)));
  parallel_for(batch, per_task, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      matrix_product(out.dtype(), matrix_of(a, first_a, i), matrix_of(b, first_b, i), matrix_of(out, first_out, i),
                     alpha, beta);
    }
  });
}

}  // namespace

void run_cpu(KernelCall& call) {
  // If the inner size is 0, the result is all zeros, for every dtype.
  if (call.tensor(kBmm["self"]).sizes()[2].as_int() == 0) return fill_elements(call.outputs[0], 0);
  products(call.tensor(kBmm["self"]), call.tensor(kBmm["mat2"]), call.outputs[0], int64_t(1), int64_t(0));
}

void run_baddbmm_cpu(KernelCall& call) {
  const Tensor self = call.tensor(kBaddbmm["self"]), &out = call.outputs[0];
  const Scalar beta = call.scalar(kBaddbmm["beta"]), alpha = call.scalar(kBaddbmm["alpha"]);
  if (out.numel().as_int() == 0) return;
  if (call.tensor(kBaddbmm["batch1"]).sizes()[2].as_int() == 0) return write_scaled_self(out, self, beta);
  if (beta.to_complex() != 0.0) {
    int64_t strides[3] = {0, 0, 0};
    const size_t shift = 3 - self.sizes().size();
    for (size_t d = shift; d < 3; ++d) {
      if (self.sizes()[d - shift].as_int() != 1) strides[d] = self.strides()[d - shift].as_int();
    }
    const MatrixView first = matrix_view(out);
    for (int64_t i = 0; i < out.sizes()[0].as_int(); ++i) {
      MatrixView from{self.raw_data() + i * strides[0] * item_size(out.dtype()),
                      first.rows,
                      first.cols,
                      strides[1],
                      strides[2],
                      self.meta().conj};
      copy_matrix(out.dtype(), from, matrix_of(out, first, i));
    }
  }
  products(call.tensor(kBaddbmm["batch1"]), call.tensor(kBaddbmm["batch2"]), out, alpha, beta);
}

}  // namespace ersatz::op_bmm
