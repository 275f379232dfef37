// Distances between rows on CUDA. `width` threads compute one distance together and read adjacent columns. For
// gradients, one thread computes one element of the gradient, by summing over the distances of the element's row in
// order.
#include "kernels/compute_type.h"
#include "kernels/linalg/pairwise_distance.h"
#include "kernels/linalg/row_distances.h"
#include "kernels/shape/fill_elements.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/cuda/attach.h"
#include "runtime/cuda/launch.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_pairwise_distance {
namespace {

constexpr DTypeSet kTaken{DType::F32, DType::F64};
constexpr int kThreads = 256;

template <class T>
struct Measure {
  RowPairs pairs;
  RowNorm<Compute_t<T>> norm;
  const T *x1, *x2;
  T* to;
  int64_t m, count;
  int width;  ///< the number of threads that compute one distance

  ERSATZ_DEVICE void operator()(const cuda_module::Block& block) const {
    using C = Compute_t<T>;
    const int64_t i = block.index() * (block.threads() / width) + block.thread() / width;
    const int place = block.thread() % width;
    C sum = 0;
    if (i < count) {
      int64_t row, other;
      pairs.find(i, row, other);
      for (int64_t c = place; c < m; c += width) {
        const C diff = C(x1[row * m + c]) - C(x2[other * m + c]);
        sum = norm.add(sum, diff < 0 ? -diff : diff);
      }
    }
    sum = block.reduce(sum, norm, width);
    if (i < count && place == 0) to[i] = T(norm.finish(sum));
  }
};

template <class T>
void measure(const RowPairs& pairs, const Tensor& x1, const Tensor& x2, int64_t m, double p, const Tensor& out) {
  int width = 1;
  while (width < cuda_module::Block::kWarp && width < m) width *= 2;
  const int64_t count = out.numel().as_int(), each = kThreads / width;
  cuda_module::launch_blocks(
      out.device().index, (count + each - 1) / each, kThreads, 0,
      Measure<T>{pairs, RowNorm<Compute_t<T>>(p), reinterpret_cast<const T*>(x1.raw_data()),
                 reinterpret_cast<const T*>(x2.raw_data()), reinterpret_cast<T*>(out.raw_data()), m, count, width});
}

template <class T>
struct AddSlopes {
  RowPairs pairs;
  RowNorm<T> norm;
  const T *x1, *x2, *grads, *distances;
  T* to;
  int64_t m;

  ERSATZ_DEVICE void operator()(int64_t i) const {
    const int64_t row = quotient(i, m), c = i - row * m;
    const T x = x1[i];
    double sum = 0;
    for (int64_t j = 0; j < pairs.others; ++j) {
      int64_t other;
      const int64_t at = pairs.distance(row, j, other);
      if (at >= 0) sum += static_cast<double>(norm.slope(x - x2[other * m + c], grads[at], distances[at]));
    }
    to[i] = static_cast<T>(sum);
  }
};

template <class T>
void add_slopes(const RowPairs& pairs, const Tensor& x1, const Tensor& x2, int64_t m, double p, const Tensor& grads,
                const Tensor& distances, int64_t rows, const Tensor& out) {
  const auto in = [](const Tensor& t) { return reinterpret_cast<const T*>(t.raw_data()); };
  cuda_module::launch_each(out.device().index, rows * m,
                           AddSlopes<T>{pairs, RowNorm<T>(p), in(x1), in(x2), in(grads), in(distances),
                                        reinterpret_cast<T*>(out.raw_data()), m});
}

void run_cdist_cuda(KernelCall& call) {
  DenseOutput out(call.outputs[0]);
  if (out.tensor.numel().as_int() == 0) return;
  const RowMatrices of(call.tensor(kCdistForward["x1"]), call.tensor(kCdistForward["x2"]),
                       leading_sizes(out.tensor.sizes(), 2));
  if (of.m == 0) {
    fill_elements(out.tensor, 0);
  } else {
    dispatch_dtype<kFloats>(out.tensor.dtype(), [&]<class T>() {
      measure<T>(of.pairs(), of.x1, of.x2, of.m, call.real(kCdistForward["p"]), out.tensor);
    });
  }
  out.finish();
}

void run_cdist_backward_cuda(KernelCall& call) {
  static constexpr auto& k = kCdistBackward;
  const double p = call.real(k["p"]);
  DenseOutput out(call.outputs[0]);
  if (has_slopes(out.tensor, call.tensor(k["x2"]), p)) {
    const RowMatrices of(call.tensor(k["x1"]), call.tensor(k["x2"]), leading_sizes(out.tensor.sizes(), 2));
    const Tensor grads = dense_input(call.tensor(k["grad_output"])), distances = dense_input(call.tensor(k["cdist"]));
    dispatch_dtype<kTaken>(out.tensor.dtype(), [&]<class T>() {
      add_slopes<T>(of.pairs(), of.x1, of.x2, of.m, p, grads, distances, of.count * of.rows, out.tensor);
    });
  } else {
    fill_elements(out.tensor, 0);
  }
  out.finish();
}

void run_pdist_cuda(KernelCall& call) {
  const Tensor self = call.tensor(kPdistForward["self"]);
  DenseOutput out(call.outputs[0]);
  if (out.tensor.numel().as_int() == 0) return;
  const int64_t rows = self.sizes()[0].as_int(), m = self.sizes()[1].as_int();
  if (m == 0) {
    fill_elements(out.tensor, 0);
  } else {
    dispatch_dtype<kTaken>(self.dtype(), [&]<class T>() {
      measure<T>(RowPairs::of_one(rows), self, self, m, call.real(kPdistForward["p"]), out.tensor);
    });
  }
  out.finish();
}

void run_pdist_backward_cuda(KernelCall& call) {
  static constexpr auto& k = kPdistBackward;
  const double p = call.real(k["p"]);
  const Tensor self = call.tensor(k["self"]);
  DenseOutput out(call.outputs[0]);
  fill_elements(out.tensor, 0);
  if (has_slopes(out.tensor, self, p)) {
    const RowPairs pairs = RowPairs::of_one(self.sizes()[0].as_int());
    const Tensor grads = first_of_rows(call.tensor(k["grad_output"]), pairs.before(pairs.rows));
    dispatch_dtype<kTaken>(self.dtype(), [&]<class T>() {
      add_slopes<T>(pairs, self, self, self.sizes()[1].as_int(), p, grads, call.tensor(k["pdist"]), pairs.rows,
                    out.tensor);
    });
  }
  out.finish();
}

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach(registry, "aten._cdist_forward.default", run_cdist_cuda);
  cuda_module::attach(registry, "aten._cdist_backward.default", run_cdist_backward_cuda);
  cuda_module::attach(registry, "aten._pdist_forward.default", run_pdist_cuda);
  cuda_module::attach(registry, "aten._pdist_backward.default", run_pdist_backward_cuda);
}

}  // namespace ersatz::op_pairwise_distance
