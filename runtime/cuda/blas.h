// Matrix products on a CUDA device, in the library's terms: column-major with leading dimensions.
//
// This interface has two implementations: blas_cuda.cpp on cuBLASLt, and tests/emulated_cuda/blas.cpp as loops on the
// host that read exactly the layouts described here. The kernels plan which layouts to pass and what to copy first
// (kernels/linalg/product_plan.h). Any thread; work goes to the device's current stream.
#pragma once

#include <complex>
#include <cstdint>

#include "runtime/base/dtype.h"

namespace ersatz::cuda_module {

/// How an operand is read: as stored, as its transpose, or as its conjugate transpose.
enum class Read : uint8_t { AsItIs, Transposed, ConjugateTransposed };

/// A stored column-major matrix: element (i, j) of batch b is at b * batch_stride + j * ld + i. `Read` applies after
/// that.
struct ProductOperand {
  const void* data = nullptr;
  Read read = Read::AsItIs;
  int64_t ld = 1, batch_stride = 0;  ///< in elements; batch stride 0: one matrix for all
};

/// c[m,n] = alpha * a[m,k] @ b[k,n] + beta * c + bias, for each of `batch`. c is column-major, never transposed.
/// f16 and bf16 are summed in f32 and rounded once; f32 too, or in TF32 where that is allowed.
/// REQUIRES: m, n, k, batch > 0; ld >= rows of the stored matrix; dtype a float or complex.
struct MatrixProduct {
  DType dtype = DType::F32;
  int64_t m = 0, n = 0, k = 0, batch = 1;
  ProductOperand a, b;
  void* c = nullptr;
  int64_t ldc = 1, c_batch_stride = 0;
  std::complex<double> alpha = 1, beta = 0;  ///< beta 0: c is not read
  const void* bias = nullptr;                ///< null, or m elements that are added to each column; beta is then 0
  bool allow_tf32 = false;
};

/// Whether the library can add a bias to a product of that dtype.
constexpr bool takes_bias(DType t) { return t == DType::F32 || t == DType::F16 || t == DType::BF16; }

/// cuBLASLt's version number: 130100 for 13.1.0. 0 if it cannot be loaded, or if the device has none.
int blas_version();

/// Returns false, with nothing written, if the library does not support that bias. Raises NotSupported if the library
/// is missing (with its name and a suggestion), or if it refuses the product.
bool run(int device, const MatrixProduct& product);

}  // namespace ersatz::cuda_module
