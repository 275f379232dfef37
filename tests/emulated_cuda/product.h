// The loops of a matrix product, on the host. They read only the elements that the descriptor names.
#pragma once

#include <complex>

#include "runtime/base/dtype_switch.h"
#include "runtime/base/error.h"
#include "runtime/cuda/blas.h"

namespace ersatz::cuda_module::emulated {

template <class T>
struct Sum {
  using type = double;
};
template <class T>
struct Sum<std::complex<T>> {
  using type = std::complex<double>;
};

template <class T>
struct Reader {
  using S = typename Sum<T>::type;
  const T* data;
  Read read;
  int64_t ld;
  S operator()(int64_t i, int64_t j) const {
    if (read == Read::AsItIs) return S(data[j * ld + i]);
    const S v(data[i * ld + j]);
    if constexpr (is_complex(dtype_of<T>)) {
      if (read == Read::ConjugateTransposed) return std::conj(v);
    }
    return v;
  }
};

template <class S>
S factor(std::complex<double> v) {
  if constexpr (std::is_same_v<S, double>) {
    return v.real();
  } else {
    return v;
  }
}

inline void require_layout(const ProductOperand& o, int64_t rows, int64_t cols, const char* which) {
  const int64_t stored = o.read == Read::AsItIs ? rows : cols;
  ERSATZ_ASSERT(o.ld >= stored && o.ld > 0 && o.batch_stride >= 0,
                "operand {} has leading dimension {} for {} stored rows, batch stride {}", which, o.ld, stored,
                o.batch_stride);
}

template <class T>
void multiply_as(const MatrixProduct& p) {
  using S = typename Sum<T>::type;
  const S alpha = factor<S>(p.alpha), beta = factor<S>(p.beta);
  for (int64_t z = 0; z < p.batch; ++z) {
    const Reader<T> a{static_cast<const T*>(p.a.data) + z * p.a.batch_stride, p.a.read, p.a.ld};
    const Reader<T> b{static_cast<const T*>(p.b.data) + z * p.b.batch_stride, p.b.read, p.b.ld};
    T* c = static_cast<T*>(p.c) + z * p.c_batch_stride;
    for (int64_t j = 0; j < p.n; ++j) {
      for (int64_t i = 0; i < p.m; ++i) {
        S sum(0);
        for (int64_t l = 0; l < p.k; ++l) sum += a(i, l) * b(l, j);
        S value = alpha * sum;
        if (beta != S(0)) value += beta * S(c[j * p.ldc + i]);
        if (p.bias) value += S(static_cast<const T*>(p.bias)[i]);
        c[j * p.ldc + i] = T(value);
      }
    }
  }
}

/// Runs the product. It is summed in double or complex double and rounded once. REQUIRES: what MatrixProduct requires.
inline void multiply(const MatrixProduct& p) {
  require_layout(p.a, p.m, p.k, "a");
  require_layout(p.b, p.k, p.n, "b");
  require_layout({p.c, Read::AsItIs, p.ldc, p.c_batch_stride}, p.m, p.n, "c");
  dispatch_dtype<kFloatsAndComplexes>(p.dtype, [&]<class T>() { multiply_as<T>(p); });
}

}  // namespace ersatz::cuda_module::emulated
