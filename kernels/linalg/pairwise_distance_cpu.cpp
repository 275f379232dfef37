#include "kernels/linalg/distance_loops.h"
#include "kernels/linalg/pairwise_distance.h"
#include "kernels/linalg/row_distances.h"
#include "kernels/loop_levels.h"
#include "kernels/shape/fill_elements.h"
#include "kernels/wide_operand.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/base/parallel.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_pairwise_distance {

Kernel run_cdist_cpu, run_cdist_backward_cpu, run_pdist_cpu, run_pdist_backward_cpu;

namespace {

constexpr DTypeSet kTaken{DType::F32, DType::F64};

const DistanceLoopTable& loop_table() {
  static const DistanceLoopTable table = best_loops<DistanceLoopTable>(ERSATZ_LEVELS(fill_distance_loops));
  return table;
}
void run_loops(const DistanceProblem<float>& problem) { loop_table().of_float(problem); }
void run_loops(const DistanceProblem<double>& problem) { loop_table().of_double(problem); }

/// `x` transposed from [rows, m] to [m, rows], the layout that the loops read.
template <class T>
struct Columns {
  int64_t pitch;
  std::vector<T> numbers;

  Columns(const T* x, int64_t rows, int64_t m)
      : pitch(pitch_of(rows)), numbers(static_cast<size_t>(m * pitch + kDistancePadding)) {
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t c = 0; c < m; ++c) numbers[static_cast<size_t>(c * pitch + i)] = x[i * m + c];
    }
  }
  /// Returns an odd number of cache lines. With a power of two, all rows of `numbers` would map to few sets of the L1
  /// cache.
  static int64_t pitch_of(int64_t rows) {
    constexpr int64_t kLine = 64 / sizeof(T);
    return ((rows + kLine - 1) / kLine | 1) * kLine;
  }
};

/// Writes the gradient of each element of x1 to `to`: the sum over all distances of its row of derivative times
/// incoming gradient.
template <class T>
void add_slopes(const RowPairs& pairs, const T* x1, const T* x2, int64_t m, double p, const T* grads,
                const T* distances, int64_t rows, T* to) {
  const RowNorm<double> norm(p);
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
  const Tensor& result = call.outputs[0];
  if (result.numel().as_int() == 0) return;
  const double p = call.real(kCdistForward["p"]);
  const RowMatrices of(wide_operand(call.tensor(kCdistForward["x1"])), wide_operand(call.tensor(kCdistForward["x2"])),
                       leading_sizes(result.sizes(), 2));
  if (of.m == 0) return fill_elements(result, 0);
  const bool narrow = is_reduced_float(result.dtype());
  DenseOutput out(narrow ? make_real_tensor(TensorMeta(DType::F32, result.sizes())) : result);
  dispatch_dtype<kTaken>(out.tensor.dtype(), [&]<class T>() {
    for (int64_t i = 0; i < of.count; ++i) {
      const Columns<T> columns(of.x2.data<T>() + i * of.others * of.m, of.others, of.m);
      const T* x = of.x1.data<T>() + i * of.rows * of.m;
      T* y = out.tensor.data<T>() + i * of.rows * of.others;
      parallel_for(of.rows, std::max<int64_t>(1, (1 << 16) / (of.others * of.m + 1)), [&](int64_t begin, int64_t end) {
        // For p = inf, NaN is ignored (the last argument, `nan_counts`, is false), like in at::cdist.
        run_loops(DistanceProblem<T>{x + begin * of.m, end - begin, of.m, columns.numbers.data(), of.others,
                                     columns.pitch, y + begin * of.others, p, false});
      });
    }
  });
  out.finish();
  if (narrow) copy_elements(result, out.tensor);
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
  const double p = call.real(kPdistForward["p"]);
  const Tensor self = call.tensor(kPdistForward["self"]);
  DenseOutput out(call.outputs[0]);
  if (out.tensor.numel().as_int() == 0) return;
  const int64_t n = self.sizes()[0].as_int(), m = self.sizes()[1].as_int();
  if (m == 0) {
    fill_elements(out.tensor, 0);
  } else {
    dispatch_dtype<kTaken>(self.dtype(), [&]<class T>() {
      const T* x = self.data<T>();
      const Columns<T> columns(x, n, m);
      T* y = out.tensor.data<T>();
      for (int64_t i = 0; i + 1 < n; y += n - ++i) {
        run_loops(
            DistanceProblem<T>{x + i * m, 1, m, columns.numbers.data() + i + 1, n - i - 1, columns.pitch, y, p, true});
      }
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
