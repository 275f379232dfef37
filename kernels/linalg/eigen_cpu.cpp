#include <algorithm>
#include <cmath>

#include "kernels/linalg/column_major.h"
#include "kernels/linalg/eigen.h"
#include "kernels/linalg/lapack.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_eigen {

Kernel run_eigh_cpu, run_eig_cpu, run_eigvals_cpu;

namespace {

void check(const KernelCall& call, int64_t matrix, int info) {
  if (info != 0)
    fail_on_value(call, ErrorFamily::Runtime,
                  "the eigenvalues of matrix {} do not converge, or it is not finite (info {})", matrix, info);
}

/// Writes the eigenvalues of the Hermitian n by n matrix `a` to `values`. LAPACK overwrites `a`: if `job` is V, with
/// the eigenvectors. Returns LAPACK's info.
template <class T>
int eigh(char job, char triangle, int64_t n, T* a, Real_t<T>* values) {
  if constexpr (kIsComplex<T>) {
    std::vector<Real_t<T>> room(static_cast<size_t>(std::max<int64_t>(1, 3 * n - 2)));
    return with_workspace<T>([&](T* work, int64_t length) {
      return lapack<"heev", T>(job, triangle, n, a, n, values, work, length, room.data());
    });
  } else {
    return with_workspace<T>(
        [&](T* work, int64_t length) { return lapack<"syev", T>(job, triangle, n, a, n, values, work, length); });
  }
}

/// Writes the eigenvalues of the n by n matrix `a` to `values` and, unless `vectors` is null, the eigenvectors to
/// `vectors`. LAPACK overwrites `a`. Returns LAPACK's info.
template <class T, class C = std::complex<Real_t<T>>>
int eig(int64_t n, T* a, C* values, C* vectors) {
  const char job = vectors ? 'V' : 'N';
  const size_t room = static_cast<size_t>(n);
  T unused{};
  if constexpr (kIsComplex<T>) {
    std::vector<Real_t<T>> real_work(2 * room);
    return with_workspace<T>([&](T* work, int64_t length) {
      return lapack<"geev", T>('N', job, n, a, n, values, &unused, int64_t{1}, vectors ? vectors : &unused,
                               vectors ? n : int64_t{1}, work, length, real_work.data());
    });
  } else {
    std::vector<T> re(room), im(room), packed(vectors ? room * room : 1);
    const int info = with_workspace<T>([&](T* work, int64_t length) {
      return lapack<"geev", T>('N', job, n, a, n, re.data(), im.data(), &unused, int64_t{1}, packed.data(),
                               vectors ? n : int64_t{1}, work, length);
    });
    for (size_t j = 0; j < room; ++j) values[j] = {re[j], im[j]};
    // For two conjugate eigenvalues, LAPACK stores one eigenvector as two columns: its real part and its imaginary
    // part. The second eigenvector is the conjugate of the first.
    for (size_t j = 0; vectors && j < room; ++j) {
      const bool pair = im[j] != 0 && j + 1 < room;
      for (size_t i = 0; i < room; ++i) {
        const T x = packed[j * room + i], y = pair ? packed[(j + 1) * room + i] : T(0);
        vectors[j * room + i] = {x, y};
        if (pair) vectors[(j + 1) * room + i] = {x, -y};
      }
      j += pair;
    }
    return info;
  }
}

/// LAPACK's geev writes outside of its memory if a matrix with several elements has an infinity or NaN. at::linalg_eig
/// refuses this matrix. at::linalg_eigvals does not, and may crash, so both are refused here.
void run_eig(const KernelCall& call, const Tensor& self, bool with_vectors) {
  const Tensor a = column_major_copy(self);
  const int64_t n = self.sizes().back().as_int();
  if (self.numel().as_int() == 0) return;
  const DType dtype = complex_dtype(self.dtype());
  const Tensor values = make_real_tensor(TensorMeta(dtype, leading_sizes(self.sizes(), 1)));
  const Tensor vectors =
      with_vectors ? make_real_tensor(column_major_meta(dtype, leading_sizes(self.sizes(), 0), Device())) : Tensor();
  dispatch_dtype<kLapackDTypes>(self.dtype(), [&]<class T>() {
    using C = std::complex<Real_t<T>>;
    for (int64_t i = 0; i < self.numel().as_int() / (n * n); ++i) {
      if ((with_vectors || n > 1) && !all_finite(a.data<T>() + i * n * n, n * n))
        fail_on_value(call, ErrorFamily::Runtime, "matrix {} should not contain infs or NaNs", i);
      check(call, i,
            eig<T>(n, a.data<T>() + i * n * n, values.data<C>() + i * n,
                   with_vectors ? vectors.data<C>() + i * n * n : nullptr));
    }
  });
  copy_elements(call.outputs[0], values);
  if (with_vectors) copy_elements(call.outputs[1], vectors);
}

}  // namespace

void run_eigh_cpu(KernelCall& call) {
  const Tensor self = call.tensor(kEigh["A"]), a = column_major_copy(self);
  const int64_t n = self.sizes().back().as_int();
  if (self.numel().as_int() == 0) return;
  const char first = call[kEigh["UPLO"]].as_string()[0], triangle = first == 'U' || first == 'u' ? 'U' : 'L';
  const bool with_vectors = call.boolean(kEigh["compute_v"]);
  const Tensor values = make_real_tensor(TensorMeta(real_dtype(self.dtype()), leading_sizes(self.sizes(), 1)));
  dispatch_dtype<kLapackDTypes>(self.dtype(), [&]<class T>() {
    for (int64_t i = 0; i < self.numel().as_int() / (n * n); ++i)
      check(call, i,
            eigh<T>(with_vectors ? 'V' : 'N', triangle, n, a.data<T>() + i * n * n, values.data<Real_t<T>>() + i * n));
  });
  copy_elements(call.outputs[0], values);
  if (with_vectors) copy_elements(call.outputs[1], a);
}
void run_eig_cpu(KernelCall& call) { run_eig(call, call.tensor(kEig["self"]), true); }
void run_eigvals_cpu(KernelCall& call) { run_eig(call, call.tensor(kEigvals["self"]), false); }

}  // namespace ersatz::op_eigen
