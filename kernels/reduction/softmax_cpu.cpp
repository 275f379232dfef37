#include <cmath>
#include <limits>
#include <memory>

#include "kernels/dense_operand.h"
#include "runtime/dtype_switch.h"
#include "runtime/kernel.h"
#include "runtime/parallel.h"

namespace ersatz::op_softmax {
namespace {

template <class T>
struct Wide {
  using type = float;
};
template <>
struct Wide<double> {
  using type = double;
};

template <class C>
C larger(C a, C b) {
  return b > a || b != b ? b : a;  // NaN wins
}

/// A row-major tensor as [outer, n, inner]: n elements `inner` apart are normalised; `inner` columns go side by side.
struct Extent {
  int64_t outer, n, inner;
};

/// `width` columns of one outer block. `scratch` holds n * width values.
template <class T, class C>
void normalise_columns(const T* x, T* y, int64_t n, int64_t inner, int64_t width, bool log, C* scratch, C* top,
                       double* sum) {
  for (int64_t j = 0; j < width; ++j) {
    top[j] = -std::numeric_limits<C>::infinity();
    sum[j] = 0;
  }
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < width; ++j) top[j] = larger(top[j], C(x[i * inner + j]));
  }
  for (int64_t i = 0; i < n; ++i) {
    C* row = scratch + i * width;
    for (int64_t j = 0; j < width; ++j) row[j] = std::exp(C(x[i * inner + j]) - top[j]);
    for (int64_t j = 0; j < width; ++j) sum[j] += double(row[j]);
  }
  if (log) {
    for (int64_t j = 0; j < width; ++j) sum[j] = std::log(sum[j]);
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t j = 0; j < width; ++j) y[i * inner + j] = T((C(x[i * inner + j]) - top[j]) - C(sum[j]));
    }
  } else {
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t j = 0; j < width; ++j) y[i * inner + j] = T(scratch[i * width + j] / C(sum[j]));
    }
  }
}

template <class T>
void normalise(const Extent& e, const T* in, T* out, bool log) {
  using C = typename Wide<T>::type;
  constexpr int64_t kTile = 64;
  const int64_t tiles = (e.inner + kTile - 1) / kTile;
  const int64_t work = e.n * std::min(e.inner, kTile);
  parallel_for(e.outer * tiles, std::max<int64_t>(1, (1 << 13) / (work + 1)), [&](int64_t b, int64_t end) {
    std::unique_ptr<C[]> scratch(new C[work]);
    C top[kTile];
    double sum[kTile];
    for (int64_t t = b; t < end; ++t) {
      const int64_t j = t % tiles * kTile, at = t / tiles * e.n * e.inner + j;
      normalise_columns(in + at, out + at, e.n, e.inner, std::min(kTile, e.inner - j), log, scratch.get(), top, sum);
    }
  });
}

void run(KernelCall& call, bool log) {
  if (call.outputs[0].numel().as_int() == 0) return;
  DenseOutput out(call.outputs[0]);
  Tensor in = call.tensor(0);
  if (in.dtype() != out.tensor.dtype()) {
    in = make_real_tensor(TensorMeta(out.tensor.dtype(), in.sizes()));
    copy_elements(in, call.tensor(0));
  }
  in = dense_input(in);
  Extent e{1, 1, 1};
  const int64_t rank = in.dim(),
                dim = call.integer(1) < 0 ? call.integer(1) + std::max<int64_t>(rank, 1) : call.integer(1);
  for (int64_t d = 0; d < rank; ++d) {
    (d < dim ? e.outer : d == dim ? e.n : e.inner) *= in.sizes()[size_t(d)].as_int();
  }
  dispatch_dtype<kFloats>(in.dtype(), [&]<class T>() {
    normalise<T>(e, reinterpret_cast<const T*>(in.raw_data()), reinterpret_cast<T*>(out.tensor.raw_data()), log);
  });
  out.finish();
}

}  // namespace

void run_softmax_cpu(KernelCall& call) { run(call, false); }
void run_log_softmax_cpu(KernelCall& call) { run(call, true); }

}  // namespace ersatz::op_softmax
