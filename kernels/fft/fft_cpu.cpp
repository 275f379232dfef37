#include <cmath>

#include "kernels/fft/fft.h"
#include "kernels/fft/fft_layout.h"
#include "kernels/fft/transform_lines.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/base/parallel.h"
#include "runtime/op/copy.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_fft {
namespace {

int64_t size_of(const Tensor& t, int64_t dim) { return t.sizes()[static_cast<size_t>(dim)].as_int(); }
DimVec resized(std::span<const SymInt> sizes, int64_t dim, int64_t n) {
  DimVec result(sizes);
  result[static_cast<size_t>(dim)] = n;
  return result;
}

/// Returns a view of the first `length` elements along `dim`.
Tensor head(const Tensor& t, int64_t dim, int64_t length) {
  TensorMeta meta = t.meta();
  meta.sizes = resized(t.sizes(), dim, length);
  return make_view(t, std::move(meta));
}

/// Returns a new tensor whose stride along `dim` is 1.
Tensor new_lines(DType dtype, std::span<const SymInt> sizes, int64_t dim) {
  TensorMeta meta(dtype, sizes);
  SymInt step = meta.sizes[static_cast<size_t>(dim)];
  for (size_t k = meta.sizes.size(); k-- > 0;) {
    if (k == static_cast<size_t>(dim)) {
      meta.strides[k] = 1;
    } else {
      meta.strides[k] = step;
      step = step * meta.sizes[k];
    }
  }
  return make_real_tensor(std::move(meta));
}
Tensor copied_lines(const Tensor& t, DType dtype, int64_t dim) {
  const Tensor lines = new_lines(dtype, t.sizes(), dim);
  copy_elements(lines, t);
  return lines;
}
bool has_dense_lines(const Tensor& t, DType dtype, int64_t dim) {
  return t.dtype() == dtype && t.strides()[static_cast<size_t>(dim)].as_int() == 1;
}
/// Returns `out` if `out` has `dtype` and stride 1 along `dim`. Otherwise returns a temporary tensor, which the caller
/// copies to `out`.
Tensor lines_for(const Tensor& out, const Tensor& input, DType dtype, int64_t dim) {
  return has_dense_lines(out, dtype, dim) && !out.shares_storage(input) ? out : new_lines(dtype, out.sizes(), dim);
}

/// Returns the dtype to compute in. f32 is precise enough if all radices have dedicated code (2, 3, 4, 5 and 8). Other
/// radices are computed by long sums, in f64.
DType computed_in(const Tensor& t, std::span<const int64_t> dims, int64_t last_size) {
  if (real_dtype(t.dtype()) == DType::F64) return DType::F64;
  for (const int64_t d : dims) {
    if (has_sums(d == dims.back() ? last_size : size_of(t, d))) return DType::F64;
  }
  return DType::F32;
}

double elements_over(const Tensor& t, std::span<const int64_t> dims) {
  double n = 1;
  for (int64_t d : dims) n *= static_cast<double>(size_of(t, d));
  return n;
}
double factor_of(int64_t normalization, double n) {
  return normalization == 0 ? 1 : normalization == 1 ? 1 / std::sqrt(n) : 1 / n;
}

/// Transforms the lines of `from` along `dim`, multiplies them by `factor`, and writes them to `to`. `to` may be
/// `from`.
void transform(const Tensor& from, const Tensor& to, int64_t dim, bool forward, double factor = 1) {
  const RowsAlong<2> rows(dim, {&from, &to});
  dispatch_dtype<kComplexes>(from.dtype(), [&]<class C>() {
    transform_lines(from.data<C>(), to.data<C>(), rows, forward, static_cast<typename C::value_type>(factor));
  });
}

/// True if pairs of adjacent real numbers along `dim` can be read as complex numbers.
bool has_pairs(const Tensor& t, DType dtype, int64_t dim) {
  bool even = has_dense_lines(t, dtype, dim) && size_of(t, dim) % 2 == 0 && t.storage_offset().as_int() % 2 == 0;
  for (size_t k = 0; k < t.sizes().size(); ++k) {
    even = even && (k == static_cast<size_t>(dim) || t.strides()[k].as_int() % 2 == 0);
  }
  return even && !t.meta().neg;
}
/// Returns a view of `t` in which each pair of adjacent numbers along `dim` is a complex number.
Tensor pairs_of(const Tensor& t, int64_t dim) {
  TensorMeta meta(complex_dtype(t.dtype()), resized(t.sizes(), dim, size_of(t, dim) / 2));
  for (size_t k = 0; k < meta.sizes.size(); ++k) {
    meta.strides[k] = k == static_cast<size_t>(dim) ? 1 : t.strides()[k].as_int() / 2;
  }
  meta.offset = t.storage_offset().as_int() / 2;
  return make_view(t, std::move(meta));
}
/// Returns a view of the real parts of `t`.
Tensor real_parts(const Tensor& t) {
  TensorMeta meta = t.meta();
  meta.dtype = real_dtype(t.dtype());
  for (SymInt& stride : meta.strides) stride = stride * SymInt(2);
  meta.offset = meta.offset * SymInt(2);
  return make_view(t, std::move(meta));
}

template <class C>
C product(C a, C b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}
template <class C>
std::vector<C> roots_of(int64_t n) {
  const auto roots = unit_roots(n);
  return std::vector<C>(roots.begin(), roots.end());
}

/// Calls f(line of `from`, line of `to`) for each line along `dim`. REQUIRES: both tensors have stride 1 along `dim`.
template <class From, class To, class F>
void for_each_line(const Tensor& from, const Tensor& to, int64_t dim, F&& f) {
  const RowsAlong<2> rows(dim, {&from, &to});
  const From* const source = reinterpret_cast<const From*>(from.raw_data());
  To* const target = reinterpret_cast<To*>(to.raw_data());
  parallel_for(rows.rows, std::max<int64_t>((1 << 13) / rows.n, 1), [&](int64_t begin, int64_t end) {
    for (int64_t l = begin; l < end; ++l) {
      const auto at = rows.at(l);
      f(source + at[0], target + at[1]);
    }
  });
}

/// Computes the spectra of lines of n real numbers, where n is even. `spectra` first has the spectra of these lines
/// read as n / 2 complex numbers. The n / 2 elements of a line become n / 2 + 1.
void spectra_of_pairs(const Tensor& spectra, int64_t dim, int64_t n) {
  dispatch_dtype<kComplexes>(spectra.dtype(), [&]<class C>() {
    const auto roots = roots_of<C>(n);
    const typename C::value_type half(0.5);
    for_each_line<C, C>(spectra, spectra, dim, [&](const C*, C* line) {
      const int64_t m = n / 2;
      const C first = line[0];
      line[0] = first.real() + first.imag(), line[m] = first.real() - first.imag();
      for (int64_t k = 1; 2 * k <= m; ++k) {
        const C a = line[k], b = std::conj(line[m - k]), even = (a + b) * half, odd = (a - b) * half,
                turned = product(odd, roots[static_cast<size_t>(k)]), rest(-turned.imag(), turned.real());
        line[k] = even - rest, line[m - k] = std::conj(even + rest);
      }
    });
  });
}
/// The inverse of spectra_of_pairs, times 2: the n / 2 + 1 elements of a line become n / 2 pairs. Missing elements
/// count as 0. The imaginary parts of the first and last element, which are 0 in the spectrum of real numbers, are not
/// read.
void pairs_of_spectra(const Tensor& spectra, const Tensor& pairs, int64_t dim) {
  dispatch_dtype<kComplexes>(spectra.dtype(), [&]<class C>() {
    const int64_t m = size_of(pairs, dim), known = size_of(spectra, dim);
    const auto roots = roots_of<C>(2 * m);
    for_each_line<C, C>(spectra, pairs, dim, [&](const C* line, C* to) {
      const auto at = [&](int64_t k) { return k < known ? line[k] : C(0); };
      const auto first = at(0).real(), last = at(m).real();
      to[0] = {first + last, first - last};
      for (int64_t k = 1; 2 * k <= m; ++k) {
        const C a = at(k), b = std::conj(at(m - k)), sum = a + b,
                turned = product(a - b, std::conj(roots[static_cast<size_t>(k)])), rest(-turned.imag(), turned.real());
        to[k] = sum + rest, to[m - k] = std::conj(sum - rest);
      }
    });
  });
}

/// Makes spectra of real lines exactly symmetric: element 0 becomes real. If `whole` is true, element n - i becomes the
/// conjugate of element i. A transform is symmetric only up to rounding, and the sign of a rounded imaginary part
/// decides whether an angle is pi or -pi.
void make_symmetric(const Tensor& spectra, int64_t dim, bool whole) {
  dispatch_dtype<kComplexes>(spectra.dtype(), [&]<class C>() {
    const int64_t n = size_of(spectra, dim);
    for_each_line<C, C>(spectra, spectra, dim, [&](const C*, C* line) {
      line[0] = line[0].real();
      for (int64_t i = 1; whole && 2 * i < n; ++i) line[n - i] = std::conj(line[i]);
    });
  });
}
/// Writes whole symmetric spectra, given their first halves. Missing elements count as 0.
void whole_spectra(const Tensor& halves, const Tensor& whole, int64_t dim) {
  dispatch_dtype<kComplexes>(halves.dtype(), [&]<class C>() {
    const int64_t n = size_of(whole, dim), known = size_of(halves, dim);
    for_each_line<C, C>(halves, whole, dim, [&](const C* line, C* to) {
      to[0] = line[0].real();
      for (int64_t i = 1; 2 * i < n; ++i) to[i] = i < known ? line[i] : C(0), to[n - i] = std::conj(to[i]);
    });
  });
}

}  // namespace

void c2c_cpu(KernelCall& call) {
  const Tensor self = without_lazy_bits(call.tensor(kFftC2c["self"]));
  const Tensor& out = call.outputs[0];
  if (self.numel().as_int() == 0) return;
  const std::span<const int64_t> dims = call.ints(kFftC2c["dim"]);
  if (dims.empty()) return copy_elements(out, self);
  const bool forward = call.boolean(kFftC2c["forward"]);
  const double factor = factor_of(call.integer(kFftC2c["normalization"]), elements_over(self, dims));
  const DType dtype = complex_dtype(computed_in(self, dims, size_of(self, dims.back())));
  Tensor from = self.dtype() == dtype ? self : copied_lines(self, dtype, dims[0]);
  const bool direct = out.dtype() == dtype && !out.shares_storage(self);
  const Tensor to = direct ? out : new_lines(dtype, self.sizes(), dims.back());
  for (size_t i = 0; i < dims.size(); ++i) {
    transform(from, to, dims[i], forward, i == 0 ? factor : 1);
    from = to;
  }
  if (!direct) copy_elements(out, to);
}

void r2c_cpu(KernelCall& call) {
  const Tensor self = call.tensor(kFftR2c["self"]);
  const Tensor& out = call.outputs[0];
  if (out.numel().as_int() == 0) return;
  const std::span<const int64_t> dims = call.ints(kFftR2c["dim"]);
  const bool whole = !call.boolean(kFftR2c["onesided"]);
  const double factor = factor_of(call.integer(kFftR2c["normalization"]), elements_over(self, dims));
  const int64_t last = dims.back(), n = size_of(self, last);
  const DType real = computed_in(self, dims, n), dtype = complex_dtype(real);
  Tensor spectra;
  if (n % 2 == 0) {
    const Tensor lines = has_pairs(self, real, last) ? self : copied_lines(self, real, last);
    spectra = lines_for(out, self, dtype, last);
    transform(pairs_of(lines, last), head(spectra, last, n / 2), last, true, factor);
    spectra_of_pairs(spectra, last, n);
  } else {
    spectra = copied_lines(self, dtype, last);
    transform(spectra, spectra, last, true, factor);
    spectra = head(spectra, last, size_of(out, last));
  }
  make_symmetric(spectra, last, whole);
  for (int64_t d : dims.first(dims.size() - 1)) transform(spectra, spectra, d, true);
  if (!spectra.is(out)) copy_elements(out, spectra);
}

void c2r_cpu(KernelCall& call) {
  const Tensor &out = call.outputs[0], self = call.tensor(kFftC2r["self"]);
  if (out.numel().as_int() == 0) return;
  const std::span<const int64_t> dims = call.ints(kFftC2r["dim"]), before = dims.first(dims.size() - 1);
  const int64_t last = real_dim(self.meta(), dims), n = call.integer(kFftC2r["last_dim_size"]);
  const double factor =
      factor_of(call.integer(kFftC2r["normalization"]), elements_over(self, before) * static_cast<double>(n));
  const DType real = computed_in(self, dims, n), dtype = complex_dtype(real);
  const bool as_it_is = before.empty() && has_dense_lines(self, dtype, last) && !self.meta().conj && !self.meta().neg;
  const Tensor spectra = as_it_is ? self : copied_lines(self, dtype, last);
  for (int64_t d : before) transform(spectra, spectra, d, false);
  const DimVec sizes = resized(out.sizes(), last, n);
  Tensor reals;
  if (n % 2 == 0) {
    const bool direct = size_of(out, last) == n && has_pairs(out, real, last) && !out.shares_storage(self);
    reals = direct ? out : new_lines(real, sizes, last);
    const Tensor pairs = pairs_of(reals, last);
    pairs_of_spectra(spectra, pairs, last);
    transform(pairs, pairs, last, false, factor);
  } else {
    const Tensor lines = new_lines(dtype, sizes, last);
    whole_spectra(spectra, lines, last);
    transform(lines, lines, last, false, factor);
    reals = real_parts(lines);
  }
  if (!reals.is(out)) copy_elements(out, head(reals, last, size_of(out, last)));
}

}  // namespace ersatz::op_fft
