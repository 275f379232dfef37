#include "kernels/linalg/column_major.h"
#include "kernels/linalg/lapack.h"
#include "kernels/linalg/lstsq.h"
#include "kernels/linalg/openblas.h"
#include "kernels/shape/broadcast.h"
#include "kernels/shape/clone.h"
#include "kernels/shape/slice.h"
#include "kernels/shape/squeeze.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_lstsq {
namespace {

/// One least-squares problem of column-major matrices, which LAPACK overwrites: the first `columns` rows of `b` become
/// the solution.
template <class T>
struct Problem {
  using Real = Real_t<T>;
  int64_t rows, columns, right;
  T *a, *b;
  Real rcond;
  Real* values;  ///< memory for min(rows, columns) singular values, which gelsd and gelss write
  int32_t rank = 0;

  int64_t rows_of_b() const { return std::max(rows, columns); }

  int gels() {
    return with_workspace<T>([&](T* work, int64_t length) {
      return lapack<"gels", T>('N', rows, columns, right, a, rows, b, rows_of_b(), work, length);
    });
  }
  int gelsy() {
    std::vector<int32_t> pivots(static_cast<size_t>(columns));
    std::vector<Real> reals(static_cast<size_t>(2 * columns));
    return with_workspace<T>([&](T* work, int64_t length) {
      if constexpr (kIsComplex<T>) {
        return lapack<"gelsy", T>(rows, columns, right, a, rows, b, rows_of_b(), pivots.data(), &rcond, &rank, work,
                                  length, reals.data());
      } else {
        return lapack<"gelsy", T>(rows, columns, right, a, rows, b, rows_of_b(), pivots.data(), &rcond, &rank, work,
                                  length);
      }
    });
  }
  int gelss() {
    std::vector<Real> reals(static_cast<size_t>(5 * std::min(rows, columns)));
    return with_workspace<T>([&](T* work, int64_t length) {
      if constexpr (kIsComplex<T>) {
        return lapack<"gelss", T>(rows, columns, right, a, rows, b, rows_of_b(), values, &rcond, &rank, work, length,
                                  reals.data());
      } else {
        return lapack<"gelss", T>(rows, columns, right, a, rows, b, rows_of_b(), values, &rcond, &rank, work, length);
      }
    });
  }
  /// Calls gelsd twice: the first call returns the sizes of the three workspaces.
  int gelsd() {
    std::vector<T> work(1);
    std::vector<Real> reals(1);
    std::vector<int32_t> integers(1);
    const auto run = [&](int64_t length) {
      if constexpr (kIsComplex<T>) {
        return lapack<"gelsd", T>(rows, columns, right, a, rows, b, rows_of_b(), values, &rcond, &rank, work.data(),
                                  length, reals.data(), integers.data());
      } else {
        return lapack<"gelsd", T>(rows, columns, right, a, rows, b, rows_of_b(), values, &rcond, &rank, work.data(),
                                  length, integers.data());
      }
    };
    if (const int info = run(-1); info != 0) return info;
    const auto length = std::max<size_t>(1, static_cast<size_t>(std::real(work[0])));
    work.resize(length);
    reals.resize(std::max<size_t>(1, static_cast<size_t>(reals[0])));
    integers.resize(std::max<size_t>(1, static_cast<size_t>(integers[0])));
    return run(static_cast<int64_t>(length));
  }
  /// Fills the singular values and the solution with NaN, for a matrix that is not finite. Returns 0 like a successful
  /// call.
  int leave_unknown() {
    constexpr Real unknown = std::numeric_limits<Real>::quiet_NaN();
    std::fill_n(values, std::min(rows, columns), unknown);
    std::fill_n(b, rows_of_b() * right, T(unknown));
    return 0;
  }
  int solve(LstsqDriver driver) {
    switch (driver) {
      case LstsqDriver::Gels:
        return gels();
      case LstsqDriver::Gelsy:
        return gelsy();
      case LstsqDriver::Gelsd:
        return gelsd();
      default:
        return gelss();
    }
  }
  /// Returns the residual of column `k`: the sum of squares of the rows of `b` below the solution.
  Real residual(int64_t k) const {
    Real sum = 0;
    for (int64_t i = columns; i < rows; ++i) sum += std::norm(b[k * rows_of_b() + i]);
    return sum;
  }
};

/// Returns a copy of the part of `t` for A's own batch, with sizes `own`. If A was broadcast, `t` has the results of
/// each matrix several times, and ATen returns them once.
Tensor of_own_batch(Tensor t, const DimVec& own) {
  for (size_t d = 0; d < own.size(); ++d) t = ops::slice(t, static_cast<int64_t>(d), SymInt(0), own[d]);
  return ops::clone(t, MemoryFormat::Contiguous);  // ops::contiguous would not copy a contiguous `t`
}

}  // namespace

void run_cpu(KernelCall& call, Values& results) {
  const Tensor a = call.tensor(kLstsq["self"]);
  Tensor right_side = call.tensor(kLstsq["b"]);
  const bool one_less = a.dim() == right_side.dim() + 1, vectors = are_vectors(a.meta(), right_side.meta());
  const DimVec batch_of_b = leading_sizes(right_side.sizes(), one_less ? 1 : 2);
  if (vectors) right_side = ops::unsqueeze(right_side, -1);
  const LstsqDriver driver = *lstsq_driver(call[kLstsq["driver"]], DeviceType::CPU);
  const bool by_values = driver == LstsqDriver::Gelsd || driver == LstsqDriver::Gelss;
  const int64_t rows = a.sizes()[static_cast<size_t>(a.dim() - 2)].as_int(), columns = a.sizes().back().as_int(),
                right = right_side.sizes().back().as_int(), most = std::max(rows, columns),
                least = std::min(rows, columns);
  if (!openblas::fits(std::max(most, right)))
    fail_on_value(call, ErrorFamily::Runtime, "{} x {} matrices with {} right sides are too large", rows, columns,
                  right);

  // Sizes of the batch to which A and B broadcast. `matrix` and `buffer` are copies, because LAPACK overwrites both.
  DimVec batch;
  BroadcastMismatch mismatch;
  const TensorMeta of_a(a.dtype(), leading_sizes(a.sizes(), 2)), of_b(a.dtype(), batch_of_b);
  const TensorMeta* const batches[] = {&of_a, &of_b};
  broadcast_sizes(batches, batch, mismatch);
  const auto with = [&](std::initializer_list<int64_t> last) {
    DimVec sizes = batch;
    for (const int64_t n : last) sizes.push_back(n);
    return sizes;
  };
  const Tensor matrix = column_major_copy(broadcast_view(a, with({rows, columns})));
  const Tensor buffer = make_real_tensor(column_major_meta(a.dtype(), with({most, right}), Device()));
  if (buffer.numel().as_int() > 0) {
    std::memset(buffer.raw_data(), 0, static_cast<size_t>(buffer.numel().as_int()) * item_size(a.dtype()));
    if (rows > 0) copy_elements(ops::slice(buffer, -2, 0, rows), broadcast_view(right_side, with({rows, right})));
  }
  const DType real = real_dtype(a.dtype());
  const auto none = [&] { return make_real_tensor(TensorMeta(real, DimVec{SymInt(0)})); };
  const Tensor rank = make_real_tensor(TensorMeta(DType::I64, driver == LstsqDriver::Gels ? DimVec{SymInt(0)} : batch));
  const Tensor values = by_values ? make_real_tensor(TensorMeta(real, with({least}))) : none();
  Tensor residuals =
      rows > columns && driver != LstsqDriver::Gelsy ? make_real_tensor(TensorMeta(real, with({right}))) : none();
  int64_t matrices = 1;
  for (const SymInt& n : batch) matrices *= n.as_int();
  dispatch_dtype<kLapackDTypes>(a.dtype(), [&]<class T>() {
    bool full = true;
    for (int64_t i = 0; i < matrices; ++i) {
      Problem<T> p{rows,
                   columns,
                   right,
                   matrix.data<T>() + i * rows * columns,
                   buffer.data<T>() + i * most * right,
                   {},
                   by_values ? values.data<Real_t<T>>() + i * least : nullptr};
      p.rcond = call.has(kLstsq["rcond"]) ? static_cast<Real_t<T>>(call.real(kLstsq["rcond"]))
                                          : std::numeric_limits<Real_t<T>>::epsilon() * static_cast<Real_t<T>>(most);
      // gelsd and gelss may never return if a matrix has an infinity or NaN.
      const bool finite = !by_values || all_finite(p.a, rows * columns);
      if (!finite && (driver == LstsqDriver::Gelsd || any_nan(p.a, rows * columns)))
        fail_on_value(call, ErrorFamily::Runtime, "matrix {} should not contain infs or NaNs", i);
      const int info = least == 0 ? 0 : finite ? p.solve(driver) : p.leave_unknown();
      if (info > 0 && driver == LstsqDriver::Gels) {
        fail_on_value(call, ErrorFamily::Runtime, "matrix {} is not of full rank: element {} of R's diagonal is zero",
                      i, info);
      } else if (info > 0) {
        fail_on_value(call, ErrorFamily::Runtime, "the singular values of matrix {} did not converge", i);
      }
      full = full && p.rank == columns;
      if (driver != LstsqDriver::Gels) rank.data<int64_t>()[i] = p.rank;
      if (residuals.numel().as_int() == 0) continue;
      for (int64_t k = 0; k < right; ++k) residuals.data<Real_t<T>>()[i * right + k] = p.residual(k);
    }
    if (by_values && !full) residuals = none();
  });
  Tensor solution = ops::slice(buffer, -2, 0, columns);
  if (vectors) solution = ops::squeeze(solution, -1);
  results.emplace_back(make_real_tensor(TensorMeta(a.dtype(), solution.sizes(), solution.strides())));
  give(results.back().tensor(), solution);
  results.emplace_back(residuals);
  results.emplace_back(driver == LstsqDriver::Gels ? rank : of_own_batch(rank, of_a.sizes));
  results.emplace_back(by_values ? of_own_batch(values, of_a.sizes) : values);
}

}  // namespace ersatz::op_lstsq
