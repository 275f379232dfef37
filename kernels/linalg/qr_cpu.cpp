#include "kernels/dense_operand.h"
#include "kernels/linalg/column_major.h"
#include "kernels/linalg/lapack.h"
#include "kernels/linalg/qr.h"
#include "kernels/shape/slice.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/op/copy.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_qr {

Kernel run_qr_cpu, run_geqrf_cpu, run_householder_cpu, run_ormqr_cpu;

namespace {

struct Shape {
  int64_t rows, columns, matrices;
  explicit Shape(const Tensor& t)
      : rows(t.sizes()[static_cast<size_t>(t.dim() - 2)].as_int()), columns(t.sizes().back().as_int()) {
    matrices = rows * columns == 0 ? 0 : t.numel().as_int() / (rows * columns);
  }
};

/// Overwrites `a` with reflectors and R, and writes the reflectors' scales to `tau`.
void factor(const Tensor& a, const Tensor& tau) {
  const Shape s(a);
  dispatch_dtype<kLapackDTypes>(a.dtype(), [&]<class T>() {
    for (int64_t i = 0; i < s.matrices; ++i)
      with_workspace<T>([&](T* work, int64_t length) {
        return lapack<"geqrf", T>(s.rows, s.columns, a.data<T>() + i * s.rows * s.columns, s.rows,
                                  tau.data<T>() + i * std::min(s.rows, s.columns), work, length);
      });
  });
}
/// Overwrites each matrix of `a`, which contains reflectors, with their product. `tau` has one scale for each
/// reflector.
void multiply_out(const Tensor& a, const Tensor& tau) {
  const Shape s(a);
  const int64_t scales = tau.sizes().back().as_int();
  dispatch_dtype<kLapackDTypes>(a.dtype(), [&]<class T>() {
    for (int64_t i = 0; i < s.matrices; ++i)
      with_workspace<T>([&](T* work, int64_t length) {
        T *reflectors = a.data<T>() + i * s.rows * s.columns, *of = tau.data<T>() + i * scales;
        if constexpr (kIsComplex<T>) {
          return lapack<"ungqr", T>(s.rows, s.columns, scales, reflectors, s.rows, of, work, length);
        } else {
          return lapack<"orgqr", T>(s.rows, s.columns, scales, reflectors, s.rows, of, work, length);
        }
      });
  });
}
Tensor make_scales(const Tensor& a) {
  DimVec sizes = leading_sizes(a.sizes(), 2);
  sizes.push_back(sym_min(a.sizes()[sizes.size()], a.sizes().back()));
  return make_real_tensor(TensorMeta(a.dtype(), sizes));
}

}  // namespace

void run_geqrf_cpu(KernelCall& call) {
  const Tensor a = column_major_copy(call.tensor(kGeqrf["self"])), tau = make_scales(a);
  factor(a, tau);
  give(call.outputs[0], a), give(call.outputs[1], tau);
}
void run_householder_cpu(KernelCall& call) {
  const Tensor a = column_major_copy(call.tensor(kHouseholder["input"]));
  multiply_out(a, dense_input(call.tensor(kHouseholder["tau"])));
  give(call.outputs[0], a);
}

void run_qr_cpu(KernelCall& call) {
  const std::string_view mode = call[kQr["mode"]].as_string();
  const Tensor a = column_major_copy(call.tensor(kQr["A"])), tau = make_scales(a);
  factor(a, tau);
  const Tensor &q = call.outputs[0], &r = call.outputs[1];
  const SymInt rows = r.sizes()[static_cast<size_t>(r.dim() - 2)];
  if (r.numel().as_int() > 0)
    copy_elements(r, call_op<"aten.triu.default">(ops::slice(a, -2, SymInt(0), rows), int64_t(0)));
  if (mode == "r" || q.numel().as_int() == 0) return;
  // `columns` has the sizes of Q. Its first columns are the reflectors, and the other columns, which complete Q, are
  // zeros.
  const Tensor columns = make_real_tensor(column_major_meta(a.dtype(), leading_sizes(q.sizes(), 0), Device()));
  std::memset(columns.raw_data(), 0, static_cast<size_t>(columns.numel().as_int()) * item_size(columns.dtype()));
  const SymInt both = sym_min(q.sizes().back(), a.sizes().back());
  give(ops::slice(columns, -1, SymInt(0), both), ops::slice(a, -1, SymInt(0), both));
  multiply_out(columns, tau);
  copy_elements(q, columns);
}

void run_ormqr_cpu(KernelCall& call) {
  const bool left = call.boolean(kOrmqr["left"]), transpose = call.boolean(kOrmqr["transpose"]);
  const Tensor a = column_major_copy(call.tensor(kOrmqr["self"])), tau = dense_input(call.tensor(kOrmqr["input2"])),
               c = column_major_copy(call.tensor(kOrmqr["input3"]));
  const Shape of_a(a), s(c);
  const int64_t scales = tau.sizes().back().as_int();
  const char side = left ? 'L' : 'R';
  dispatch_dtype<kLapackDTypes>(a.dtype(), [&]<class T>() {
    for (int64_t i = 0; i < s.matrices; ++i)
      with_workspace<T>([&](T* work, int64_t length) {
        T *reflectors = a.data<T>() + i * of_a.rows * of_a.columns, *of = tau.data<T>() + i * scales,
          *product = c.data<T>() + i * s.rows * s.columns;
        if constexpr (kIsComplex<T>) {
          return lapack<"unmqr", T>(side, transpose ? 'C' : 'N', s.rows, s.columns, scales, reflectors, of_a.rows, of,
                                    product, s.rows, work, length);
        } else {
          return lapack<"ormqr", T>(side, transpose ? 'T' : 'N', s.rows, s.columns, scales, reflectors, of_a.rows, of,
                                    product, s.rows, work, length);
        }
      });
  });
  give(call.outputs[0], c);
}

}  // namespace ersatz::op_qr
