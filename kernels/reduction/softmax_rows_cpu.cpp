#include "kernels/reduction/softmax_rows.h"

#include <cmath>
#include <limits>
#include <memory>

#include "kernels/dense_operand.h"
#include "kernels/pointwise/copy_engine.h"
#include "kernels/pointwise/row_table.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/base/parallel.h"

namespace ersatz {
namespace {

constexpr int64_t kLanes = 16;    // side by side, so that loops over a row vectorise
constexpr int64_t kPiece = 4096;  // elements whose exponentials are summed in their own dtype
constexpr int64_t kTile = 64;     // columns that go side by side

template <class C>
constexpr C kLowest = -std::numeric_limits<C>::infinity();

template <class C>
C larger(C a, C b) {
  return b > a || b != b ? b : a;  // NaN wins
}

template <class C>
C largest(const C* x, int64_t n) {
  C lanes[kLanes];
  for (C& lane : lanes) lane = kLowest<C>;
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    for (int64_t l = 0; l < kLanes; ++l) lanes[l] = larger(lanes[l], x[i + l]);
  }
  for (; i < n; ++i) lanes[0] = larger(lanes[0], x[i]);
  C top = lanes[0];
  for (C lane : lanes) top = larger(top, lane);
  return top;
}

template <class C>
double total(const C* x, int64_t n) {
  double sum = 0;
  for (int64_t begin = 0; begin < n; begin += kPiece) {
    const int64_t end = std::min(n, begin + kPiece);
    C lanes[kLanes] = {};
    int64_t i = begin;
    for (; i + kLanes <= end; i += kLanes) {
      for (int64_t l = 0; l < kLanes; ++l) lanes[l] += x[i + l];
    }
    for (; i < end; ++i) lanes[0] += x[i];
    for (C lane : lanes) sum += double(lane);
  }
  return sum;
}

/// Rows and columns in C, the dtype that is computed in. `exponential` is the vectorised loop of this machine.
template <class C>
class Softmax {
 public:
  explicit Softmax(SoftmaxKind kind) : kind_(kind), exp_(pointwise::find_row(pointwise::Row::exp, dtype_of<C>)) {}

  /// y = softmax(x) of a row; they may be the same. `scratch` holds n elements.
  void row(const C* x, C* y, int64_t n, C* scratch) const {
    const C top = largest(x, n);
    if (kind_ == SoftmaxKind::HiddenRowsAreZero && top == kLowest<C>) {
      std::fill_n(y, n, C(0));
      return;
    }
    C* powers = kind_ == SoftmaxKind::Logarithms ? scratch : y;
    for (int64_t i = 0; i < n; ++i) powers[i] = x[i] - top;
    exponential(powers, n);
    const double sum = total(powers, n);
    if (kind_ == SoftmaxKind::Logarithms) {
      const C logarithm = C(std::log(sum));
      for (int64_t i = 0; i < n; ++i) y[i] = (x[i] - top) - logarithm;
    } else {
      const C factor = C(1 / sum);
      for (int64_t i = 0; i < n; ++i) y[i] *= factor;
    }
  }

  /// `width` columns of n elements, which lie `inner` apart. `scratch` holds n * width elements.
  void columns(const C* x, C* y, int64_t n, int64_t inner, int64_t width, C* scratch) const {
    C top[kTile], sum[kTile];
    double wide[kTile];
    for (int64_t j = 0; j < width; ++j) top[j] = kLowest<C>, sum[j] = 0, wide[j] = 0;
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t j = 0; j < width; ++j) top[j] = larger(top[j], x[i * inner + j]);
    }
    for (int64_t i = 0; i < n; ++i) {
      C* powers = scratch + i * width;
      for (int64_t j = 0; j < width; ++j) powers[j] = x[i * inner + j] - top[j];
      exponential(powers, width);
      for (int64_t j = 0; j < width; ++j) sum[j] += powers[j];
      if (i % kPiece == kPiece - 1 || i == n - 1) {
        for (int64_t j = 0; j < width; ++j) wide[j] += double(sum[j]), sum[j] = 0;
      }
    }
    if (kind_ == SoftmaxKind::Logarithms) {
      for (int64_t j = 0; j < width; ++j) sum[j] = C(std::log(wide[j]));
      for (int64_t i = 0; i < n; ++i) {
        for (int64_t j = 0; j < width; ++j) y[i * inner + j] = (x[i * inner + j] - top[j]) - sum[j];
      }
      return;
    }
    for (int64_t j = 0; j < width; ++j) sum[j] = C(1 / wide[j]);
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t j = 0; j < width; ++j) y[i * inner + j] = scratch[i * width + j] * sum[j];
    }
    if (kind_ != SoftmaxKind::HiddenRowsAreZero) return;
    for (int64_t j = 0; j < width; ++j) {
      if (top[j] != kLowest<C>) continue;
      for (int64_t i = 0; i < n; ++i) y[i * inner + j] = 0;
    }
  }

 private:
  void exponential(C* x, int64_t n) const {
    void* data[] = {x, x};
    exp_(data, n, {});
  }
  SoftmaxKind kind_;
  pointwise::RowKernel exp_;
};

/// A row-major tensor as [outer, n, inner]: n elements `inner` apart are normalised.
struct Extent {
  int64_t outer, n, inner;
};

int64_t grain(int64_t work) { return std::max<int64_t>(1, (1 << 14) / (work + 1)); }

template <class C>
void rows(const Extent& e, const Softmax<C>& softmax, const std::byte* in, std::byte* out, DType dtype) {
  const int64_t sizes[] = {e.n}, one[] = {1}, bytes = e.n * item_size(dtype);
  parallel_for(e.outer, grain(e.n), [&](int64_t begin, int64_t end) {
    const std::unique_ptr<C[]> scratch(new C[e.n]), wide(dtype == dtype_of<C> ? nullptr : new C[e.n]);
    auto* bytes_of_wide = reinterpret_cast<std::byte*>(wide.get());
    for (int64_t o = begin; o < end; ++o) {
      if (!wide) {
        softmax.row(reinterpret_cast<const C*>(in + o * bytes), reinterpret_cast<C*>(out + o * bytes), e.n,
                    scratch.get());
        continue;
      }
      pointwise::copy_strided(sizes, bytes_of_wide, dtype_of<C>, one, in + o * bytes, dtype, one);
      softmax.row(wide.get(), wide.get(), e.n, scratch.get());
      pointwise::copy_strided(sizes, out + o * bytes, dtype, one, bytes_of_wide, dtype_of<C>, one);
    }
  });
}

template <class C>
void columns(const Extent& e, const Softmax<C>& softmax, const C* in, C* out) {
  const int64_t tiles = (e.inner + kTile - 1) / kTile, work = e.n * std::min(e.inner, kTile);
  parallel_for(e.outer * tiles, grain(work), [&](int64_t begin, int64_t end) {
    const std::unique_ptr<C[]> scratch(new C[work]);
    for (int64_t t = begin; t < end; ++t) {
      const int64_t j = t % tiles * kTile, at = t / tiles * e.n * e.inner + j;
      softmax.columns(in + at, out + at, e.n, e.inner, std::min(kTile, e.inner - j), scratch.get());
    }
  });
}

Tensor dense_in(const Tensor& t, DType dtype) {
  if (t.dtype() == dtype) return dense_input(t);
  Tensor converted = make_real_tensor(TensorMeta(dtype, t.sizes()));
  copy_elements(converted, t);
  return converted;
}

template <class C>
void normalise(const Tensor& in, const Tensor& out, const Extent& e, SoftmaxKind kind) {
  const Softmax<C> softmax(kind);
  if (e.inner == 1) {
    DenseOutput to(out);
    rows(e, softmax, dense_in(in, out.dtype()).raw_data(), to.tensor.raw_data(), out.dtype());
    to.finish();
    return;
  }
  // The elements are rounded to the dtype of the result before they are widened: as `softmax` with a dtype does.
  const Tensor rounded = dense_in(in, out.dtype()), wide = dense_in(rounded, dtype_of<C>);
  if (out.dtype() == dtype_of<C>) {
    DenseOutput to(out);
    columns(e, softmax, wide.data<C>(), to.tensor.template data<C>());
    to.finish();
  } else {
    const Tensor to = make_real_tensor(TensorMeta(dtype_of<C>, out.sizes()));
    columns(e, softmax, wide.data<C>(), to.data<C>());
    copy_elements(out, to);
  }
}

}  // namespace

void softmax_into(const Tensor& in, const Tensor& out, int64_t dim, SoftmaxKind kind) {
  if (out.numel().as_int() == 0) return;
  if (dim < 0) dim += std::max<int64_t>(in.dim(), 1);
  Extent e{1, 1, 1};
  for (int64_t d = 0; d < in.dim(); ++d) {
    (d < dim ? e.outer : d == dim ? e.n : e.inner) *= in.sizes()[size_t(d)].as_int();
  }
  out.dtype() == DType::F64 ? normalise<double>(in, out, e, kind) : normalise<float>(in, out, e, kind);
}

}  // namespace ersatz
