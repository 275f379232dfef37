#include <kissfft/kissfft.hh>

#include <cmath>

#include "kernels/fft/fft.h"
#include "kernels/fft/fft_layout.h"
#include "kernels/sorting/rows_along.h"
#include "runtime/base/parallel.h"
#include "runtime/op/copy.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_fft {
namespace {

using Complex = std::complex<double>;
using Plan = kissfft<double>;

/// The elements in row-major order as c128.
Tensor working_copy(const Tensor& self) {
  const Tensor work = make_real_tensor(TensorMeta(DType::C128, self.sizes()));
  copy_elements(work, self);
  return work;
}

/// Lines along `dim` of a row-major tensor: how many, how long, and how far apart their elements lie.
struct Lines {
  int64_t count, length, step;

  Lines(const Tensor& t, int64_t dim) {
    const auto sizes = as_ints(t.sizes());
    length = sizes[static_cast<size_t>(dim)];
    step = t.strides()[static_cast<size_t>(dim)].as_int();
    count = t.numel().as_int() / length;
  }
  int64_t start(int64_t line) const { return line / step * step * length + line % step; }
};

/// Calls f(plan, first line, last line) on pieces of `count` lines; a plan has scratch memory and serves one thread.
template <class F>
void for_each_piece(int64_t count, int64_t size, bool inverse, F&& f) {
  const Plan plan(static_cast<size_t>(size), inverse);
  parallel_for(count, std::max<int64_t>((1 << 13) / size, 1), [&](int64_t begin, int64_t end) {
    Plan own = plan;
    f(own, begin, end);
  });
}

template <class From, class To>
void transform_lines(const Tensor& from, const Tensor& to, int64_t dim, bool forward, double factor) {
  const RowsAlong<2> lines(dim, {&from, &to});
  const auto n = static_cast<size_t>(lines.n);
  const From* source = reinterpret_cast<const From*>(from.raw_data());
  To* target = reinterpret_cast<To*>(to.raw_data());
  for_each_piece(lines.rows, lines.n, !forward, [&](Plan& plan, int64_t begin, int64_t end) {
    std::vector<Complex> in(n), out(n);
    for (int64_t l = begin; l < end; ++l) {
      const auto [first, first_written] = lines.at(l);
      for (size_t i = 0; i < n; ++i) in[i] = Complex(source[first + int64_t(i) * lines.step[0]]);
      if (n == 1) {
        out[0] = in[0];
      } else {
        plan.transform(in.data(), out.data());
      }
      for (size_t i = 0; i < n; ++i) target[first_written + int64_t(i) * lines.step[1]] = To(out[i] * factor);
    }
  });
}

/// Spectra of real lines are symmetric: elements 0 and n / 2 are real, element n - i is the conjugate of element i. The
/// complex transform reaches this up to rounding only, and the sign of a rounded imaginary part decides whether an angle
/// is pi or -pi; so the symmetry is made exact.
void make_symmetric(const Tensor& work, int64_t dim) {
  const Lines lines(work, dim);
  const int64_t n = lines.length;
  for (int64_t l = 0; l < lines.count; ++l) {
    Complex* line = work.data<Complex>() + lines.start(l);
    line[0] = line[0].real();
    for (int64_t i = 1; 2 * i <= n; ++i) {
      Complex &v = line[i * lines.step], &mirrored = line[(n - i) * lines.step];
      mirrored = 2 * i == n ? Complex(v.real()) : std::conj(v);
    }
  }
}

/// Lines of `from` along `dim`, transformed, times `factor`, become those of `to`. Both are complex and of one size;
/// they may be the same.
void transform(const Tensor& from, const Tensor& to, int64_t dim, bool forward, double factor = 1) {
  using Narrow = std::complex<float>;
  const bool narrow = from.dtype() == DType::C64;
  if (to.dtype() == DType::C64) {
    (narrow ? transform_lines<Narrow, Narrow> : transform_lines<Complex, Narrow>)(from, to, dim, forward, factor);
  } else {
    (narrow ? transform_lines<Narrow, Complex> : transform_lines<Complex, Complex>)(from, to, dim, forward, factor);
  }
}

double elements_over(const Tensor& t, std::span<const int64_t> dims) {
  double n = 1;
  for (int64_t d : dims) n *= static_cast<double>(t.sizes()[static_cast<size_t>(d)].as_int());
  return n;
}

double factor_of(int64_t normalization, double n) {
  return normalization == 0 ? 1 : normalization == 1 ? 1 / std::sqrt(n) : 1 / n;
}

void scale(const Tensor& t, int64_t normalization, double n) {
  if (normalization == 0) return;
  const double factor = factor_of(normalization, n);
  const int64_t count = t.numel().as_int();
  if (t.dtype() == DType::C128) {
    Complex* v = t.data<Complex>();
    for (int64_t i = 0; i < count; ++i) v[i] *= factor;
  } else {
    double* v = t.data<double>();
    for (int64_t i = 0; i < count; ++i) v[i] *= factor;
  }
}

/// The first `length` of a dim.
Tensor head(const Tensor& t, int64_t dim, SymInt length) {
  TensorMeta meta = t.meta();
  meta.sizes[static_cast<size_t>(dim)] = length;
  return make_view(t, std::move(meta));
}

/// Real numbers from one half of a symmetric spectrum; the other half follows from it.
void to_real(const Tensor& real, const Tensor& work, int64_t dim) {
  const Lines from(work, dim), to(real, dim);
  const Complex* data = work.data<Complex>();
  double* result = real.data<double>();
  const int64_t n = to.length;
  for_each_piece(to.count, n, true, [&](Plan& plan, int64_t begin, int64_t end) {
    std::vector<Complex> in(static_cast<size_t>(n)), out(in);
    for (int64_t l = begin; l < end; ++l) {
      const Complex* line = data + from.start(l);
      for (int64_t i = 0; i < n; ++i) {
        const int64_t mirrored = i <= n / 2 ? i : n - i;
        const Complex v = mirrored < from.length ? line[mirrored * from.step] : Complex(0);
        in[static_cast<size_t>(i)] = mirrored == 0 || 2 * mirrored == n ? Complex(v.real())
                                     : i <= n / 2                       ? v
                                                                        : std::conj(v);
      }
      if (n == 1) {
        out = in;
      } else {
        plan.transform(in.data(), out.data());
      }
      double* to_line = result + to.start(l);
      for (int64_t i = 0; i < n; ++i) to_line[i * to.step] = out[static_cast<size_t>(i)].real();
    }
  });
}

}  // namespace

void c2c_cpu(KernelCall& call) {
  const Tensor self = without_lazy_bits(call.tensor(kFftC2c["self"]));
  if (self.numel().as_int() == 0) return;
  const std::span<const int64_t> dims = call.ints(kFftC2c["dim"]);
  if (dims.empty()) return copy_elements(call.outputs[0], self);
  const bool forward = call.boolean(kFftC2c["forward"]);
  const double factor = factor_of(call.integer(kFftC2c["normalization"]), elements_over(self, dims));
  Tensor from = self;
  if (dims.size() > 1) {
    const Tensor work = make_real_tensor(TensorMeta(DType::C128, self.sizes()));
    for (const int64_t d : dims.first(dims.size() - 1)) {
      transform(from, work, d, forward);
      from = work;
    }
  }
  transform(from, call.outputs[0], dims.back(), forward, factor);
}

void r2c_cpu(KernelCall& call) {
  const Tensor self = call.tensor(kFftR2c["self"]);
  const Tensor& out = call.outputs[0];
  if (out.numel().as_int() == 0) return;
  const std::span<const int64_t> dims = call.ints(kFftR2c["dim"]);
  Tensor work = working_copy(self);
  transform(work, work, dims.back(), true);
  make_symmetric(work, dims.back());
  if (call.boolean(kFftR2c["onesided"]))
    work = working_copy(head(work, dims.back(), out.sizes()[static_cast<size_t>(dims.back())]));
  for (int64_t d : dims.first(dims.size() - 1)) transform(work, work, d, true);
  scale(work, call.integer(kFftR2c["normalization"]), elements_over(self, dims));
  copy_elements(out, work);
}

void c2r_cpu(KernelCall& call) {
  const Tensor &out = call.outputs[0], self = call.tensor(kFftC2r["self"]);
  if (out.numel().as_int() == 0) return;
  const std::span<const int64_t> dims = call.ints(kFftC2r["dim"]), before = dims.first(dims.size() - 1);
  const Tensor work = working_copy(self);
  for (int64_t d : before) transform(work, work, d, false);
  const int64_t last = real_dim(self.meta(), dims), n = call.integer(kFftC2r["last_dim_size"]);
  DimVec sizes(out.sizes());
  sizes[static_cast<size_t>(last)] = n;
  const Tensor real = make_real_tensor(TensorMeta(DType::F64, sizes));
  to_real(real, work, last);
  scale(real, call.integer(kFftC2r["normalization"]), elements_over(self, before) * static_cast<double>(n));
  copy_elements(out, head(real, last, out.sizes()[static_cast<size_t>(last)]));
}

}  // namespace ersatz::op_fft
