#include <cmath>
#include <numbers>

#include "kernels/random/draw.h"
#include "runtime/copy.h"
#include "runtime/dtype_switch.h"
#include "runtime/parallel.h"

namespace ersatz {
namespace {

using Words = std::array<uint32_t, 4>;

constexpr int64_t kGrain = 1 << 12;  // blocks: some 40 us of Philox

/// Calls f(first element, words) for each block of `per_block` elements.
template <class F>
void for_each_block(int64_t n, int64_t per_block, Generator& generator, F&& f) {
  const int64_t blocks = (n + per_block - 1) / per_block;
  if (blocks == 0) return;
  const GeneratorState start = generator.reserve(static_cast<uint64_t>(blocks));
  parallel_for(blocks, kGrain, [&](int64_t b, int64_t e) {
    for (int64_t k = b; k < e; ++k)
      f(k * per_block, philox_4x32_10(start.seed, start.offset + static_cast<uint64_t>(k)));
  });
}

/// A dense tensor in row-major order to draw into: `out` itself where it is one.
class RowMajor {
 public:
  explicit RowMajor(const Tensor& out)
      : out_(out), dense_(out.is_contiguous() ? out : make_real_tensor(TensorMeta(out.dtype(), out.sizes()))) {}
  ~RowMajor() = default;
  const Tensor& tensor() const { return dense_; }
  void finish() const {
    if (!dense_.is(out_)) copy_elements(out_, dense_);
  }

 private:
  Tensor out_, dense_;
};

float uniform24(uint32_t word) { return static_cast<float>(word >> 8) * 0x1p-24f; }
double uniform53(uint32_t high, uint32_t low) {
  return static_cast<double>(((uint64_t(high) << 32) + low) >> 11) * 0x1p-53;
}

// f32, f16, bf16: one word an element; of narrow dtypes as many top bits as they hold exactly, so that 1 is never met.
template <class T>
float uniform_word(uint32_t word) {
  if constexpr (std::is_same_v<T, half>) return static_cast<float>(word >> 21) * 0x1p-11f;
  if constexpr (std::is_same_v<T, bfloat16>) return static_cast<float>(word >> 24) * 0x1p-8f;
  return uniform24(word);
}

template <class T>
void uniform(T* out, int64_t n, Generator& g, double from, double to) {
  if constexpr (std::is_same_v<T, double>) {
    for_each_block(n, 2, g, [=](int64_t e, const Words& w) {
      for (int64_t i = 0; i < 2 && e + i < n; ++i) out[e + i] = uniform53(w[2 * i], w[2 * i + 1]) * (to - from) + from;
    });
  } else {
    const float scale = static_cast<float>(to - from), shift = static_cast<float>(from);
    for_each_block(n, 4, g, [=](int64_t e, const Words& w) {
      for (int64_t i = 0; i < 4 && e + i < n; ++i) out[e + i] = T(uniform_word<T>(w[i]) * scale + shift);
    });
  }
}

template <class R>
std::pair<R, R> box_muller(R u1, R u2) {
  const R r = std::sqrt(R(-2) * std::log(R(1) - u1));
  const R angle = R(2) * std::numbers::pi_v<R> * u2;
  return {r * std::cos(angle), r * std::sin(angle)};
}

template <class T>
void normal(T* out, int64_t n, Generator& g, double mean, double std) {
  if constexpr (std::is_same_v<T, double>) {
    for_each_block(n, 2, g, [=](int64_t e, const Words& w) {
      const auto [a, b] = box_muller(uniform53(w[0], w[1]), uniform53(w[2], w[3]));
      out[e] = a * std + mean;
      if (e + 1 < n) out[e + 1] = b * std + mean;
    });
  } else {
    const float scale = static_cast<float>(std), shift = static_cast<float>(mean);
    for_each_block(n, 4, g, [=](int64_t e, const Words& w) {
      for (int64_t p = 0; p < 2 && e + 2 * p < n; ++p) {
        const auto [a, b] = box_muller(uniform24(w[2 * p]), uniform24(w[2 * p + 1]));
        out[e + 2 * p] = T(a * scale + shift);
        if (e + 2 * p + 1 < n) out[e + 2 * p + 1] = T(b * scale + shift);
      }
    });
  }
}

/// Calls f(pointer, count) with the real numbers of a dense tensor: a complex element is two of them.
template <class F>
void as_real_numbers(const Tensor& dense, F&& f) {
  const int64_t n = dense.numel().as_int();
  if (n == 0) return;
  if (dense.dtype() == DType::C64) return f(reinterpret_cast<float*>(dense.raw_data()), 2 * n);
  if (dense.dtype() == DType::C128) return f(reinterpret_cast<double*>(dense.raw_data()), 2 * n);
  dispatch_dtype<kFloats>(dense.dtype(), [&]<class T>() { f(dense.data<T>(), n); });
}

template <class T>
void integers(T* out, int64_t n, Generator& g, int64_t low, int64_t high) {
  const uint64_t range = static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
  for_each_block(n, 2, g, [=](int64_t e, const Words& w) {
    for (int64_t i = 0; i < 2 && e + i < n; ++i) {
      const uint64_t bits = (uint64_t(w[2 * i]) << 32) + w[2 * i + 1];
      const uint64_t offset = static_cast<uint64_t>((static_cast<unsigned __int128>(bits) * range) >> 64);
      const int64_t value = static_cast<int64_t>(static_cast<uint64_t>(low) + offset);
      if constexpr (std::is_integral_v<T>) {
        out[e + i] = static_cast<T>(value);
      } else {
        out[e + i] = T(static_cast<double>(value));
      }
    }
  });
}

/// p[e] is the probability of element e, or p[0] that of all.
template <class T>
void bernoulli(T* out, int64_t n, Generator& g, const double* p, bool one_for_all) {
  for_each_block(n, 4, g, [=](int64_t e, const Words& w) {
    for (int64_t i = 0; i < 4 && e + i < n; ++i) {
      out[e + i] = T(uniform24(w[i]) < p[one_for_all ? 0 : e + i] ? 1 : 0);
    }
  });
}

}  // namespace

void draw_uniform(const Tensor& out, Generator& generator, double from, double to) {
  const RowMajor rows(out);
  as_real_numbers(rows.tensor(), [&](auto* data, int64_t n) { uniform(data, n, generator, from, to); });
  rows.finish();
}

void draw_normal(const Tensor& out, Generator& generator, double mean, double std) {
  const RowMajor rows(out);
  // A complex normal number has variance 1 in all: half of it in each part.
  const double part = is_complex(out.dtype()) ? std * std::numbers::sqrt2 / 2 : std;
  const double drawn_mean = is_complex(out.dtype()) ? 0 : mean;
  as_real_numbers(rows.tensor(), [&](auto* data, int64_t n) {
    normal(data, n, generator, drawn_mean, part);
    if (drawn_mean == mean) return;
    using T = std::remove_pointer_t<decltype(data)>;
    for (int64_t i = 0; i < n; i += 2) data[i] = T(data[i] + T(mean));  // the real parts
  });
  rows.finish();
}

void draw_integers(const Tensor& out, Generator& generator, int64_t low, int64_t high) {
  const RowMajor rows(out);
  const int64_t n = out.numel().as_int();
  dispatch_dtype<kReals | kBool>(out.dtype(),
                                 [&]<class T>() { integers(rows.tensor().data<T>(), n, generator, low, high); });
  rows.finish();
}

namespace {
void draw_bernoulli(const Tensor& out, Generator& generator, const double* p, bool one_for_all) {
  const RowMajor rows(out);
  const int64_t n = out.numel().as_int();
  dispatch_dtype<kReals | kBool>(out.dtype(),
                                 [&]<class T>() { bernoulli(rows.tensor().data<T>(), n, generator, p, one_for_all); });
  rows.finish();
}
}  // namespace

void draw_bernoulli(const Tensor& out, Generator& generator, double p) { draw_bernoulli(out, generator, &p, true); }
void draw_bernoulli(const Tensor& out, Generator& generator, const Tensor& p) {
  draw_bernoulli(out, generator, p.data<double>(), false);
}

}  // namespace ersatz
