// Matrix products on a CUDA device. Matrices are column-major with leading dimensions, as in BLAS.
//
// This interface has two implementations: blas_cuda.cpp calls cuBLASLt, and tests/emulated_cuda/blas.cpp has loops on
// the host that read exactly the layouts described here. kernels/linalg/product_plan.h decides which layouts are passed
// and which operands are copied first. Any thread may call these functions; work is queued on the device's current
// stream.
#pragma once

#include <complex>
#include <cstdint>

#include "runtime/base/dtype.h"

namespace ersatz::cuda_module {

/// Says how a product reads an operand: as stored, transposed, or as the conjugate transpose.
enum class Read : uint8_t { AsItIs, Transposed, ConjugateTransposed };

/// A stored column-major matrix: element (i, j) of batch b is at b * batch_stride + j * ld + i. `read` is applied to
/// the stored matrix.
struct ProductOperand {
  const void* data = nullptr;
  Read read = Read::AsItIs;
  int64_t ld = 1, batch_stride = 0;  ///< in elements; batch_stride 0: all batches use one matrix
};

/// Computes c[m,n] = alpha * a[m,k] @ b[k,n] + beta * c + bias, for each of `batch` matrices. c is column-major and
/// never transposed. Products of f16 and bf16 are summed in f32 and rounded once; f32 is multiplied in f32, or in TF32
/// if `allow_tf32`.
/// REQUIRES: m, n, k, batch > 0; ld >= rows of the stored matrix; dtype a float or complex.
struct MatrixProduct {
  DType dtype = DType::F32;
  int64_t m = 0, n = 0, k = 0, batch = 1;
  ProductOperand a, b;
  void* c = nullptr;
  int64_t ldc = 1, c_batch_stride = 0;
  std::complex<double> alpha = 1, beta = 0;  ///< if beta is 0, c is not read
  const void* bias = nullptr;                ///< null, or m elements that are added to each column. REQUIRES: beta is
                                             ///< then 0
  bool allow_tf32 = false;
};

/// Returns whether the library can add a bias to a product of that dtype.
constexpr bool takes_bias(DType t) { return t == DType::F32 || t == DType::F16 || t == DType::BF16; }

/// Returns cuBLASLt's version number, 130100 for 13.1.0; 0 if cuBLASLt cannot be loaded or the device is emulated.
int blas_version();

/// Computes the product. Returns false and writes nothing if the library does not support the bias. Raises NotSupported
/// if the library is missing (with its name and a suggestion) or refuses the product.
bool run(int device, const MatrixProduct& product);

}  // namespace ersatz::cuda_module
