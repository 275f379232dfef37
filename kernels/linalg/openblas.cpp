#include "kernels/linalg/openblas.h"

#include <dlfcn.h>

#include <string>

#include "kernels/linalg/lapack.h"
#include "runtime/base/error.h"

namespace ersatz::openblas {
namespace {

// The C interface's enums are ints: 102 column-major, 111 as it is, 112 transposed.
using SGemm = void (*)(int, int, int, int, int, int, float, const float*, int, const float*, int, float, float*, int);
using DGemm = void (*)(int, int, int, int, int, int, double, const double*, int, const double*, int, double, double*,
                       int);
using XGemm = void (*)(int, int, int, int, int, int, const void*, const void*, int, const void*, int, const void*,
                       void*, int);

struct Library {
  SGemm sgemm;
  DGemm dgemm;
  XGemm cgemm, zgemm;
};

template <class F>
F symbol(void* handle, const char* name) {
  void* found = dlsym(handle, name);
  if (!found) {
    fail(ErrorKind::NotSupported, ErrorFamily::NotImplemented, "openblas: the loaded library has no {}", name);
  }
  return reinterpret_cast<F>(found);
}

void* open_library() {
  void* handle = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char* why = dlerror();
    fail(ErrorKind::NotSupported, ErrorFamily::NotImplemented,
         "openblas: matrix products need libopenblas.so.0 (Debian package libopenblas0): {}", why ? why : "not found");
  }
  symbol<void (*)(int)>(handle, "openblas_set_num_threads")(1);
  return handle;
}
void* opened() {
  static void* const handle = open_library();
  return handle;
}

Library load() {
  void* const handle = opened();
  return {symbol<SGemm>(handle, "cblas_sgemm"), symbol<DGemm>(handle, "cblas_dgemm"),
          symbol<XGemm>(handle, "cblas_cgemm"), symbol<XGemm>(handle, "cblas_zgemm")};
}

const Library& library() {
  static const Library loaded = load();
  return loaded;
}

constexpr int kColumnMajor = 102;
constexpr int op(bool transpose) { return transpose ? 112 : 111; }

}  // namespace

void gemm(const GemmShape& s, float alpha, const float* a, const float* b, float beta, float* c) {
  library().sgemm(kColumnMajor, op(s.transpose_a), op(s.transpose_b), int(s.m), int(s.n), int(s.k), alpha, a,
                  int(s.lda), b, int(s.ldb), beta, c, int(s.ldc));
}
void gemm(const GemmShape& s, double alpha, const double* a, const double* b, double beta, double* c) {
  library().dgemm(kColumnMajor, op(s.transpose_a), op(s.transpose_b), int(s.m), int(s.n), int(s.k), alpha, a,
                  int(s.lda), b, int(s.ldb), beta, c, int(s.ldc));
}
void gemm(const GemmShape& s, std::complex<float> alpha, const std::complex<float>* a, const std::complex<float>* b,
          std::complex<float> beta, std::complex<float>* c) {
  library().cgemm(kColumnMajor, op(s.transpose_a), op(s.transpose_b), int(s.m), int(s.n), int(s.k), &alpha, a,
                  int(s.lda), b, int(s.ldb), &beta, c, int(s.ldc));
}
void gemm(const GemmShape& s, std::complex<double> alpha, const std::complex<double>* a, const std::complex<double>* b,
          std::complex<double> beta, std::complex<double>* c) {
  library().zgemm(kColumnMajor, op(s.transpose_a), op(s.transpose_b), int(s.m), int(s.n), int(s.k), &alpha, a,
                  int(s.lda), b, int(s.ldb), &beta, c, int(s.ldc));
}

void* lapack_routine(char kind, std::string_view name) {
  return symbol<void*>(opened(), (kind + std::string(name) + "_").c_str());
}

}  // namespace ersatz::openblas
