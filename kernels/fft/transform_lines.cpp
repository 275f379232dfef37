#include "kernels/fft/transform_lines.h"

#include <cmath>
#include <memory>
#include <numbers>

#include "kernels/fft/line_loops.h"
#include "kernels/loop_levels.h"
#include "runtime/base/parallel.h"

namespace ersatz {
namespace {

template <class T>
const LineLoops<T>& line_loops() {
  static const LineLoopTable table = best_loops<LineLoopTable>(ERSATZ_LEVELS(fill_line_loops));
  if constexpr (std::is_same_v<T, float>) {
    return table.of_float;
  } else {
    return table.of_double;
  }
}

/// Returns the radices of the stages, whose product is n.
std::vector<int64_t> line_radices(int64_t n) {
  std::vector<int64_t> radices;
  while (n % 8 == 0 && n != 16) radices.push_back(8), n /= 8;
  for (int64_t radix : {4, 2, 3, 5}) {
    for (; n % radix == 0; n /= radix) radices.push_back(radix);
  }
  for (int64_t radix = 7; radix * radix <= n; radix += 2) {
    for (; n % radix == 0; n /= radix) radices.push_back(radix);
  }
  if (n > 1) radices.push_back(n);
  return radices;
}

bool has_own_code(int64_t radix) { return radix <= 5 || radix == 8; }

/// Memory for `count` numbers, aligned to a cache line. A CacheLine is 64 bytes of it.
struct alignas(64) CacheLine {
  char bytes[64];
};
template <class T>
class WorkSpace {
 public:
  explicit WorkSpace(int64_t count)
      : lines_(std::make_unique_for_overwrite<CacheLine[]>(static_cast<size_t>(count) * sizeof(T) / sizeof(CacheLine) +
                                                           1)) {}
  T* data() const { return reinterpret_cast<T*>(lines_.get()); }

 private:
  std::unique_ptr<CacheLine[]> lines_;
};

}  // namespace

std::vector<std::complex<double>> unit_roots(int64_t n) {
  std::vector<std::complex<double>> roots(static_cast<size_t>(n));
  for (int64_t k = 0; k < n; ++k) {
    const auto at = [&](int64_t i) { return roots[static_cast<size_t>(i)]; };
    std::complex<double>& root = roots[static_cast<size_t>(k)];
    if (2 * k > n) {
      root = std::conj(at(n - k));
    } else if (4 * k > n && n % 2 == 0) {
      root = -std::conj(at(n / 2 - k));
    } else if (8 * k > n && n % 4 == 0) {
      root = {-at(n / 4 - k).imag(), -at(n / 4 - k).real()};
    } else {
      const double angle = 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n);
      root = {std::cos(angle), -std::sin(angle)};
    }
  }
  return roots;
}

bool has_sums(int64_t n) {
  for (const int64_t radix : line_radices(n)) {
    if (!has_own_code(radix)) return true;
  }
  return false;
}

namespace {

/// The stages of transforms of n points. The object owns the radices and twiddle factors that the stages point to.
template <class T>
struct Stages {
  explicit Stages(int64_t n) : n(n), radices(line_radices(n)) {
    const auto roots = unit_roots(n);
    const auto add = [&](int64_t power) {
      const std::complex<double> root = roots[static_cast<size_t>(power)];
      twiddles.push_back(static_cast<T>(root.real()));
      twiddles.push_back(static_cast<T>(root.imag()));
    };
    int64_t left = n;
    for (const int64_t radix : radices) {
      if (!has_own_code(radix)) {
        for (int64_t k = 0; k < radix; ++k) add(k * (n / radix));
      }
      for (int64_t p = 1; p < left / radix; ++p) {
        for (int64_t k = 1; k < radix; ++k) add(p * k * (n / left));
      }
      left /= radix;
    }
  }
  LineStages<T> view() const { return {n, static_cast<int64_t>(radices.size()), radices.data(), twiddles.data()}; }

  int64_t n;
  std::vector<int64_t> radices;
  std::vector<T> twiddles;
};

/// Returns a number `a` if a line is best split into lines of a points and lines of n / a points. Both numbers are then
/// multiples of `lanes` and nearly equal. Returns 0 if n has no suitable factor, or if `lanes` lines of n points fit
/// into the L1 cache.
int64_t first_side(int64_t n, int64_t lanes) {
  constexpr int64_t kFewest = 256;
  if (n < kFewest) return 0;
  for (auto a = static_cast<int64_t>(std::sqrt(static_cast<double>(n))) / lanes * lanes; a > 0; a -= lanes) {
    if (n % a == 0 && n / a % lanes == 0 && !has_sums(a) && !has_sums(n / a)) return a;
  }
  return 0;
}

/// Transforms `lanes` lines at once.
template <class T>
void transform_blocks(const T* from, T* to, const RowsAlong<2>& rows, bool inverse, T factor) {
  const Stages<T> stages(rows.n);
  const LineLoops<T>& loops = line_loops<T>();
  const int64_t lanes = loops.lanes, blocks = (rows.rows + lanes - 1) / lanes;
  parallel_for(blocks, std::max<int64_t>((1 << 13) / (rows.n * lanes), 1), [&](int64_t begin, int64_t end) {
    const WorkSpace<T> work(4 * lanes * rows.n);
    std::vector<int64_t> starts(static_cast<size_t>(lanes)), written(starts);
    for (int64_t block = begin; block < end; ++block) {
      const int64_t first = block * lanes, count = std::min(lanes, rows.rows - first);
      for (int64_t l = 0; l < count; ++l) {
        const auto at = rows.at(first + l);
        starts[static_cast<size_t>(l)] = 2 * at[0], written[static_cast<size_t>(l)] = 2 * at[1];
      }
      loops.block(stages.view(), {{from, starts.data(), 2 * rows.step[0]},
                                  {to, written.data(), 2 * rows.step[1]},
                                  count,
                                  inverse,
                                  factor,
                                  work.data()});
    }
  });
}

/// Transforms each line of n points as lines of `a` points and lines of n / a points.
template <class T>
void transform_split(const T* from, T* to, const RowsAlong<2>& rows, int64_t a, bool inverse, T factor) {
  const int64_t n = rows.n, b = n / a;
  const Stages<T> first(a), second(b);
  std::vector<T> between(static_cast<size_t>(2 * n));
  const auto roots = unit_roots(n);
  for (int64_t k = 0; k < a; ++k) {
    for (int64_t j = 0; j < b; ++j) {
      const std::complex<double> root = roots[static_cast<size_t>(j * k)];
      between[static_cast<size_t>(k * b + j)] = static_cast<T>(root.real());
      between[static_cast<size_t>(n + k * b + j)] = static_cast<T>(root.imag());
    }
  }
  const auto copy = [n](const T* source, int64_t step, T* target, int64_t target_step) {
    for (int64_t i = 0; i < n; ++i) {
      target[i * target_step] = source[i * step], target[i * target_step + 1] = source[i * step + 1];
    }
  };
  const LineLoops<T>& loops = line_loops<T>();
  parallel_for(rows.rows, std::max<int64_t>((1 << 13) / n, 1), [&](int64_t begin, int64_t end) {
    const WorkSpace<T> work(2 * n + 4 * loops.lanes * std::max(a, b)), dense(2 * n);
    for (int64_t l = begin; l < end; ++l) {
      const auto at = rows.at(l);
      const T* source = from + 2 * at[0];
      T* const target = to + 2 * at[1];
      if (rows.step[0] != 1) copy(source, 2 * rows.step[0], dense.data(), 2), source = dense.data();
      T* const written = rows.step[1] == 1 ? target : dense.data();
      loops.split({first.view(), second.view(), between.data(), source, written, inverse, factor, work.data()});
      if (written != target) copy(written, 2, target, 2 * rows.step[1]);
    }
  });
}

/// Splits each line if its points are adjacent, or if there are fewer lines than a vector has lanes. Otherwise
/// transforms neighbouring lines together, because they share cache lines.
template <class T>
void transform_numbers(const T* from, T* to, const RowsAlong<2>& rows, bool inverse, T factor) {
  const int64_t lanes = line_loops<T>().lanes, a = first_side(rows.n, lanes);
  const bool dense = rows.step[0] == 1 && rows.step[1] == 1;
  if (a > 0 && (dense || rows.rows < lanes)) return transform_split(from, to, rows, a, inverse, factor);
  transform_blocks(from, to, rows, inverse, factor);
}

}  // namespace

void transform_lines(const std::complex<float>* from, std::complex<float>* to, const RowsAlong<2>& rows, bool forward,
                     float factor) {
  transform_numbers(reinterpret_cast<const float*>(from), reinterpret_cast<float*>(to), rows, !forward, factor);
}
void transform_lines(const std::complex<double>* from, std::complex<double>* to, const RowsAlong<2>& rows, bool forward,
                     double factor) {
  transform_numbers(reinterpret_cast<const double*>(from), reinterpret_cast<double*>(to), rows, !forward, factor);
}

}  // namespace ersatz
