#include "kernels/compute_type.h"
#include "kernels/linalg/pairwise_distance.h"
#include "kernels/linalg/row_distances.h"
#include "kernels/shape/fill_elements.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_pairwise_distance {

Kernel run_cdist_cpu, run_cdist_backward_cpu, run_pdist_cpu, run_pdist_backward_cpu;

namespace {

constexpr DTypeSet kTaken{DType::F32, DType::F64};

/// to[i] = the distance of the rows of pair i, of m columns; differences are rounded as their dtype rounds.
template <class T>
void measure(const RowPairs& pairs, const T* x1, const T* x2, int64_t m, const RowNorm<double>& norm, int64_t count,
             T* to) {
  using C = Compute_t<T>;
  for (int64_t i = 0; i < count; ++i) {
    int64_t row, other;
    pairs.find(i, row, other);
    double sum = 0;
    for (int64_t c = 0; c < m; ++c) {
      sum = norm.add(sum, std::fabs(static_cast<double>(C(x1[row * m + c]) - C(x2[other * m + c]))));
    }
    to[i] = T(static_cast<C>(m == 0 ? 0 : norm.finish(sum)));
  }
}

/// The gradient of each element of x1: the slopes of all distances of its row.
template <class T>
void add_slopes(const RowPairs& pairs, const T* x1, const T* x2, int64_t m, double p, const T* grads,
                const T* distances, int64_t rows, T* to) {
  const RowNorm<double> norm(p, NanIn::Neither);
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t c = 0; c < m; ++c) {
      double sum = 0;
      for (int64_t j = 0; j < pairs.others; ++j) {
        int64_t other;
        const int64_t at = pairs.distance(row, j, other);
        if (at < 0) continue;
        sum += norm.slope(static_cast<double>(x1[row * m + c] - x2[other * m + c]), static_cast<double>(grads[at]),
                          static_cast<double>(distances[at]));
      }
      to[row * m + c] = static_cast<T>(sum);
    }
  }
}

}  // namespace

void run_cdist_cpu(KernelCall& call) {
  DenseOutput out(call.outputs[0]);
  const int64_t n = out.tensor.numel().as_int();
  if (n == 0) return;
  const RowMatrices of(call.tensor(kCdistForward["x1"]), call.tensor(kCdistForward["x2"]),
                       leading_sizes(out.tensor.sizes(), 2));
  dispatch_dtype<kFloats>(out.tensor.dtype(), [&]<class T>() {
    measure(of.pairs(), reinterpret_cast<const T*>(of.x1.raw_data()), reinterpret_cast<const T*>(of.x2.raw_data()),
            of.m, RowNorm<double>(call.real(kCdistForward["p"]), NanIn::Count), n,
            reinterpret_cast<T*>(out.tensor.raw_data()));
  });
  out.finish();
}

void run_cdist_backward_cpu(KernelCall& call) {
  static constexpr auto& k = kCdistBackward;
  const double p = call.real(k["p"]);
  DenseOutput out(call.outputs[0]);
  fill_elements(out.tensor, 0);
  if (has_slopes(out.tensor, call.tensor(k["x2"]), p)) {
    const RowMatrices of(call.tensor(k["x1"]), call.tensor(k["x2"]), leading_sizes(out.tensor.sizes(), 2));
    const Tensor grads = dense_input(call.tensor(k["grad_output"])), distances = dense_input(call.tensor(k["cdist"]));
    dispatch_dtype<kTaken>(out.tensor.dtype(), [&]<class T>() {
      add_slopes(of.pairs(), of.x1.data<T>(), of.x2.data<T>(), of.m, p, grads.data<T>(), distances.data<T>(),
                 of.count * of.rows, out.tensor.data<T>());
    });
  }
  out.finish();
}

void run_pdist_cpu(KernelCall& call) {
  const Tensor self = call.tensor(kPdistForward["self"]);
  DenseOutput out(call.outputs[0]);
  const int64_t n = out.tensor.numel().as_int();
  if (n == 0) return;
  const int64_t rows = self.sizes()[0].as_int(), m = self.sizes()[1].as_int();
  if (m == 0) {
    fill_elements(out.tensor, 0);
  } else {
    dispatch_dtype<kTaken>(self.dtype(), [&]<class T>() {
      measure(RowPairs::of_one(rows), self.data<T>(), self.data<T>(), m,
              RowNorm<double>(call.real(kPdistForward["p"]), NanIn::CountAndLargest), n, out.tensor.data<T>());
    });
  }
  out.finish();
}

void run_pdist_backward_cpu(KernelCall& call) {
  static constexpr auto& k = kPdistBackward;
  const double p = call.real(k["p"]);
  const Tensor self = call.tensor(k["self"]), distances = call.tensor(k["pdist"]);
  DenseOutput out(call.outputs[0]);
  fill_elements(out.tensor, 0);
  if (has_slopes(out.tensor, self, p)) {
    const RowPairs pairs = RowPairs::of_one(self.sizes()[0].as_int());
    const Tensor grads = first_of_rows(call.tensor(k["grad_output"]), pairs.before(pairs.rows));
    dispatch_dtype<kTaken>(self.dtype(), [&]<class T>() {
      add_slopes(pairs, self.data<T>(), self.data<T>(), self.sizes()[1].as_int(), p, grads.data<T>(),
                 distances.data<T>(), pairs.rows, out.tensor.data<T>());
    });
  }
  out.finish();
}

}  // namespace ersatz::op_pairwise_distance
