#include <algorithm>
#include <memory>
#include <type_traits>

#include "kernels/linalg/dot_loops.h"
#include "kernels/linalg/gemm.h"
#include "kernels/linalg/openblas.h"
#include "kernels/loop_levels.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/base/parallel.h"

namespace ersatz {

void fill_dot_loops_baseline(DotLoopTable&) {}

namespace {

// about 50 us on one core; a smaller task costs more time to start than it saves
constexpr int64_t kFlopsPerTask = int64_t(1) << 22;

template <class T>
std::unique_ptr<T[]> scratch(int64_t n) {
  return std::unique_ptr<T[]>(new T[std::max<int64_t>(n, 1)]);
}

template <class T>
T conjugated(T v) {
  if constexpr (is_complex(dtype_of<T>)) {
    return std::conj(v);
  } else {
    return v;
  }
}

/// Copies from[i*fi + j*fj] to to[i*ti + j*tj] for all i < rows and j < cols. The inner loop runs over the dim with the
/// smaller stride of `to`.
template <class To, class From>
void copy_block(int64_t rows, int64_t cols, const From* from, int64_t fi, int64_t fj, To* to, int64_t ti, int64_t tj,
                bool conj) {
  if (ti < tj) {
    std::swap(rows, cols);
    std::swap(fi, fj);
    std::swap(ti, tj);
  }
  for (int64_t i = 0; i < rows; ++i) {
    const From* f = from + i * fi;
    To* t = to + i * ti;
    if (conj) {
      for (int64_t j = 0; j < cols; ++j) t[j * tj] = To(conjugated(f[j * fj]));
    } else if (fj == 1 && tj == 1) {
      for (int64_t j = 0; j < cols; ++j) t[j] = To(f[j]);
    } else {
      for (int64_t j = 0; j < cols; ++j) t[j * tj] = To(f[j * fj]);
    }
  }
}

template <class T>
T* at(const MatrixView& m, int64_t i = 0, int64_t j = 0) {
  return reinterpret_cast<T*>(m.data) + i * m.row_stride + j * m.col_stride;
}

/// An operand in the form that BLAS takes: column-major memory with a leading dimension, to be transposed or not. A
/// matrix whose strides do not fit this form is copied to `packed`.
template <class T>
struct Operand {
  const T* data;
  int64_t ld;
  bool transpose;
  std::unique_ptr<T[]> packed;
};

bool column_major(const MatrixView& m) {
  return (m.row_stride == 1 || m.rows == 1) && (m.cols == 1 || m.col_stride >= std::max<int64_t>(m.rows, 1)) &&
         openblas::fits(m.col_stride);
}

template <class T>
Operand<T> operand(const MatrixView& m) {
  if (!m.conj && column_major(m)) {
    return {at<T>(m), m.cols == 1 ? std::max<int64_t>(m.rows, 1) : m.col_stride, false, nullptr};
  }
  if (!m.conj && column_major(m.transposed())) {
    return {at<T>(m), m.rows == 1 ? std::max<int64_t>(m.cols, 1) : m.row_stride, true, nullptr};
  }
  Operand<T> o{nullptr, m.rows, false, scratch<T>(m.rows * m.cols)};
  copy_block(m.rows, m.cols, at<T>(m), m.row_stride, m.col_stride, o.packed.get(), int64_t(1), m.rows, m.conj);
  o.data = o.packed.get();
  return o;
}

/// Runs f(begin, end) on the thread pool for parts of [0, n), each large enough to be worth a task.
template <class F>
void split(int64_t n, double flops, F&& f) {
  int64_t grain = flops <= kFlopsPerTask ? n : std::max<int64_t>(16, int64_t(double(n) * kFlopsPerTask / flops));
  if (pool_threads() > 1 && grain < n) {
    // There are at most as many parts as threads, because each BLAS call packs its operands again.
    grain = std::max(grain, (n + pool_threads() - 1) / pool_threads());
  }
  parallel_for(n, grain, f);
}

const DotLoopTable& dot_loops() {
  static const DotLoopTable table = best_loops<DotLoopTable>(ERSATZ_LEVELS(fill_dot_loops));
  return table;
}
/// True if a product of few rows with many rows is faster as dot products. This is so if each sum has enough terms to
/// fill vectors, and the product is too large for OpenBLAS's path for small matrices, which does not pack.
template <class T>
bool pays_as_dots(int64_t few, int64_t many, int64_t terms) {
  constexpr int64_t kFewestTerms = 128, kFewestProducts = 1 << 19;
  return std::is_same_v<T, float> && few <= dot_loops().most_rows && terms >= kFewestTerms &&
         many >= kFewestProducts / (few * terms);
}

template <class T>
void blas_product(const MatrixView& a, const MatrixView& b, const MatrixView& c, T alpha, T beta) {
  Operand<T> left = operand<T>(a), right = operand<T>(b);
  const int64_t m = c.rows, n = c.cols, k = a.cols;
  const double flops = 2.0 * double(m) * double(n) * double(k);
  const int64_t pitch = c.cols == 1 ? std::max<int64_t>(m, 1) : c.col_stride;
  auto run = [&](int64_t i0, int64_t i1, int64_t j0, int64_t j1) {
    if constexpr (std::is_same_v<T, float>) {
      // The dot-product loops need operands in which the terms of a sum are adjacent.
      if (left.transpose && !right.transpose && pays_as_dots<T>(n, m, k)) {
        return dot_loops().of_float({right.data + j0 * right.ld, left.data + i0 * left.ld, at<T>(c, i0, j0), right.ld,
                                     left.ld, pitch, j1 - j0, i1 - i0, k, alpha, beta});
      }
    }
    const openblas::GemmShape s{left.transpose, right.transpose, i1 - i0, j1 - j0, k, left.ld, right.ld, pitch};
    openblas::gemm(s, alpha, left.data + (left.transpose ? i0 * left.ld : i0),
                   right.data + (right.transpose ? j0 : j0 * right.ld), beta, at<T>(c, i0, j0));
  };
  if (n >= m) {
    split(n, flops, [&](int64_t j0, int64_t j1) { run(0, m, j0, j1); });
  } else {
    split(m, flops, [&](int64_t i0, int64_t i1) { run(i0, i1, 0, n); });
  }
}

/// Computes the product with plain loops, for integers and for sizes beyond 32 bits. Sums have type Acc and run over k
/// in order.
template <class T, class Acc>
void loop_product(const MatrixView& a, const MatrixView& b, const MatrixView& c, T alpha, T beta) {
  constexpr int64_t kTile = 64;
  const int64_t k = a.cols;
  const double flops = 2.0 * double(c.rows) * double(c.cols) * double(k);
  split(c.rows, flops, [&](int64_t i0, int64_t i1) {
    Acc sums[kTile];
    for (int64_t i = i0; i < i1; ++i) {
      for (int64_t j0 = 0; j0 < c.cols; j0 += kTile) {
        const int64_t width = std::min(kTile, c.cols - j0);
        std::fill_n(sums, width, Acc(0));
        for (int64_t p = 0; p < k; ++p) {
          const T left = *at<T>(a, i, p);
          const Acc x = Acc(a.conj ? conjugated(left) : left);
          const T* row = at<T>(b, p, j0);
          if (b.col_stride == 1 && !b.conj) {
            for (int64_t j = 0; j < width; ++j) sums[j] += x * Acc(row[j]);
          } else {
            for (int64_t j = 0; j < width; ++j) {
              const T v = row[j * b.col_stride];
              sums[j] += x * Acc(b.conj ? conjugated(v) : v);
            }
          }
        }
        for (int64_t j = 0; j < width; ++j) {
          T* out = at<T>(c, i, j0 + j);
          Acc value = Acc(alpha) * sums[j];
          if (beta != T(0)) value += Acc(beta) * Acc(*out);
          *out = T(value);
        }
      }
    }
  });
}

template <class T>
void product(const MatrixView& a, const MatrixView& b, const MatrixView& c, T alpha, T beta) {
  const bool fits = openblas::fits(c.rows) && openblas::fits(c.cols) && openblas::fits(a.cols);
  if (!fits) return loop_product<T, T>(a, b, c, alpha, beta);
  const bool as_column = c.rows == 1 && column_major(c.transposed()) && pays_as_dots<T>(1, c.cols, a.cols);
  if (column_major(c) && !as_column) return blas_product<T>(a, b, c, alpha, beta);
  if (column_major(c.transposed())) {
    return blas_product<T>(b.transposed(), a.transposed(), c.transposed(), alpha, beta);
  }
  auto block = scratch<T>(c.rows * c.cols);
  MatrixView packed{reinterpret_cast<std::byte*>(block.get()), c.rows, c.cols, c.cols, 1};
  if (beta != T(0)) copy_block(c.rows, c.cols, at<T>(c), c.row_stride, c.col_stride, block.get(), c.cols, 1, false);
  blas_product<T>(b.transposed(), a.transposed(), packed.transposed(), alpha, beta);
  copy_block(c.rows, c.cols, block.get(), c.cols, int64_t(1), at<T>(c), c.row_stride, c.col_stride, false);
}

/// Product of f16 or bf16 matrices: converts blocks of the operands to f32, sums in an f32 block, and rounds once at
/// the end.
template <class T>
void half_product(const MatrixView& a, const MatrixView& b, const MatrixView& c, float alpha, float beta) {
  constexpr int64_t kBlock = 512;
  const int64_t k = a.cols;
  const int64_t down = (c.rows + kBlock - 1) / kBlock, across = (c.cols + kBlock - 1) / kBlock;
  const double flops = 2.0 * double(c.rows) * double(c.cols) * double(k);
  parallel_for(down * across, flops <= kFlopsPerTask ? down * across : 1, [&](int64_t begin, int64_t end) {
    const int64_t tall = std::min(kBlock, c.rows), wide = std::min(kBlock, c.cols), deep = std::min(kBlock, k);
    auto left = scratch<float>(tall * deep), right = scratch<float>(deep * wide), sums = scratch<float>(tall * wide);
    for (int64_t task = begin; task < end; ++task) {
      const int64_t i0 = task / across * kBlock, j0 = task % across * kBlock;
      const int64_t m = std::min(kBlock, c.rows - i0), n = std::min(kBlock, c.cols - j0);
      for (int64_t p0 = 0; p0 < k; p0 += kBlock) {
        const int64_t depth = std::min(kBlock, k - p0);
        copy_block(m, depth, at<T>(a, i0, p0), a.row_stride, a.col_stride, left.get(), depth, int64_t(1), false);
        copy_block(depth, n, at<T>(b, p0, j0), b.row_stride, b.col_stride, right.get(), n, int64_t(1), false);
        // BLAS is column-major and `sums` is row-major, so the call computes sums^T = right^T left^T.
        openblas::gemm({false, false, n, m, depth, n, depth, n}, 1.0f, right.get(), left.get(), p0 ? 1.0f : 0.0f,
                       sums.get());
      }
      for (int64_t i = 0; i < m; ++i) {
        for (int64_t j = 0; j < n; ++j) {
          T* out = at<T>(c, i0 + i, j0 + j);
          float value = alpha * sums[i * n + j];
          if (beta != 0) value += beta * float(*out);
          *out = T(value);
        }
      }
    }
  });
}

/// Computes out = beta * out, which is the result if the inner size is 0.
template <class T>
void scale(const MatrixView& c, T beta) {
  for (int64_t i = 0; i < c.rows; ++i) {
    for (int64_t j = 0; j < c.cols; ++j) {
      T* out = at<T>(c, i, j);
      if constexpr (is_reduced_float(dtype_of<T>)) {
        *out = float(beta) == 0 ? T(0.0f) : T(float(beta) * float(*out));
      } else {
        *out = beta == T(0) ? T(0) : T(beta * *out);
      }
    }
  }
}

template <class T>
void dispatch_product(const MatrixView& a, const MatrixView& b, const MatrixView& c, const Scalar& alpha,
                      const Scalar& beta) {
  if (a.cols == 0) return scale<T>(c, beta.to<T>());
  if constexpr (is_reduced_float(dtype_of<T>)) {
    half_product<T>(a, b, c, float(alpha.to_double()), float(beta.to_double()));
  } else if constexpr (is_integral(dtype_of<T>)) {
    // Unsigned sums wrap around without undefined behaviour, and have the same bits as signed sums that wrap around.
    loop_product<T, uint64_t>(a, b, c, alpha.to<T>(), beta.to<T>());
  } else {
    product<T>(a, b, c, alpha.to<T>(), beta.to<T>());
  }
}

}  // namespace

void matrix_product(DType dtype, const MatrixView& a, const MatrixView& b, const MatrixView& out, const Scalar& alpha,
                    const Scalar& beta) {
  if (out.rows == 0 || out.cols == 0) return;  // rules accept dtypes without a kernel if the result is empty
  dispatch_dtype<kNumbers>(dtype, [&]<class T>() { dispatch_product<T>(a, b, out, alpha, beta); });
}

void copy_matrix(DType dtype, const MatrixView& from, const MatrixView& to) {
  dispatch_dtype<kAllDTypes>(dtype, [&]<class T>() {
    copy_block(to.rows, to.cols, at<T>(from), from.row_stride, from.col_stride, at<T>(to), to.row_stride, to.col_stride,
               from.conj);
  });
}

MatrixView matrix_view(const Tensor& t) {
  const size_t d = t.sizes().size();
  auto n = [](SymInt v) { return v.as_int(); };
  if (t.numel().as_int() == 0) return {nullptr, n(t.sizes()[d - 2]), n(t.sizes()[d - 1]), 1, 1};
  return {t.raw_data(),          n(t.sizes()[d - 2]),   n(t.sizes()[d - 1]),
          n(t.strides()[d - 2]), n(t.strides()[d - 1]), t.meta().conj};
}

MatrixView column_view(const Tensor& t) {
  if (t.numel().as_int() == 0) return {nullptr, 0, 1, 1, 1};
  return {t.raw_data(), t.sizes()[0].as_int(), 1, t.strides()[0].as_int(), 1, t.meta().conj};
}

}  // namespace ersatz
