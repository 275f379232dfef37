#include "kernels/linalg/openblas.h"

#include <dlfcn.h>

#include <optional>
#include <string>

#include "kernels/linalg/gemm_loops.h"
#include "kernels/linalg/lapack.h"
#include "kernels/missing_library.h"
#include "runtime/base/error.h"

namespace ersatz::openblas {
namespace {

// The int arguments are values of CBLAS's enums: 102 is column-major, 111 not transposed, 112 transposed.
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

/// Returns the handle of OpenBLAS, or null if the library is absent. OpenBLAS is set to one thread.
void* opened() {
  static void* const handle = [] {
    void* const found = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    if (found) symbol<void (*)(int)>(found, "openblas_set_num_threads")(1);
    return found;
  }();
  return handle;
}

std::optional<Library> load() {
  void* const handle = opened();
  if (!handle) {
    say_missing_library("libopenblas.so.0", "libopenblas0",
                        "matrix products are made by loops of ersatz's own, slower");
    return std::nullopt;
  }
  return Library{symbol<SGemm>(handle, "cblas_sgemm"), symbol<DGemm>(handle, "cblas_dgemm"),
                 symbol<XGemm>(handle, "cblas_cgemm"), symbol<XGemm>(handle, "cblas_zgemm")};
}

const std::optional<Library>& library() {
  static const std::optional<Library> loaded = load();
  return loaded;
}

constexpr int kColumnMajor = 102;
constexpr int op(bool transpose) { return transpose ? 112 : 111; }

}  // namespace

void gemm(const GemmShape& s, float alpha, const float* a, const float* b, float beta, float* c) {
  if (!library()) return gemm_loops(s, alpha, a, b, beta, c);
  library()->sgemm(kColumnMajor, op(s.transpose_a), op(s.transpose_b), int(s.m), int(s.n), int(s.k), alpha, a,
                   int(s.lda), b, int(s.ldb), beta, c, int(s.ldc));
}
void gemm(const GemmShape& s, double alpha, const double* a, const double* b, double beta, double* c) {
  if (!library()) return gemm_loops(s, alpha, a, b, beta, c);
  library()->dgemm(kColumnMajor, op(s.transpose_a), op(s.transpose_b), int(s.m), int(s.n), int(s.k), alpha, a,
                   int(s.lda), b, int(s.ldb), beta, c, int(s.ldc));
}
void gemm(const GemmShape& s, std::complex<float> alpha, const std::complex<float>* a, const std::complex<float>* b,
          std::complex<float> beta, std::complex<float>* c) {
  if (!library()) return gemm_loops(s, alpha, a, b, beta, c);
  library()->cgemm(kColumnMajor, op(s.transpose_a), op(s.transpose_b), int(s.m), int(s.n), int(s.k), &alpha, a,
                   int(s.lda), b, int(s.ldb), &beta, c, int(s.ldc));
}
void gemm(const GemmShape& s, std::complex<double> alpha, const std::complex<double>* a, const std::complex<double>* b,
          std::complex<double> beta, std::complex<double>* c) {
  if (!library()) return gemm_loops(s, alpha, a, b, beta, c);
  library()->zgemm(kColumnMajor, op(s.transpose_a), op(s.transpose_b), int(s.m), int(s.n), int(s.k), &alpha, a,
                   int(s.lda), b, int(s.ldb), &beta, c, int(s.ldc));
}

void* lapack_routine(char kind, std::string_view name) {
  void* const handle = opened();
  if (!handle) {
    fail(ErrorKind::NotSupported, ErrorFamily::NotImplemented,
         "{}: needs LAPACK, which is in libopenblas.so.0 (Debian package libopenblas0): there is none here", name);
  }
  return symbol<void*>(handle, (kind + std::string(name) + "_").c_str());
}

}  // namespace ersatz::openblas
