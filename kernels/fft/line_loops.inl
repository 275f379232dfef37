// Fourier transforms of lines for the instruction set of the file that includes this one (line_loops_baseline_cpu.cpp,
// line_loops_avx2.cpp or line_loops_avx512.cpp).
//
// The algorithm is Stockham's: each stage reads one array and writes another, and the points stay in order. A point is
// two vectors: the real parts of all lanes, and their imaginary parts.
#include "kernels/fft/line_loops.h"
#include "kernels/vec/lanes.h"

namespace ersatz {
namespace {

using vec::Vec;

template <class T>
struct Point {
  Vec<T> re, im;

  friend Point operator+(Point a, Point b) { return {a.re + b.re, a.im + b.im}; }
  friend Point operator-(Point a, Point b) { return {a.re - b.re, a.im - b.im}; }
};
/// times(...) multiplies a point by a complex or a real number, and turned(...) multiplies by -i.
template <class T>
Point<T> times(Point<T> a, Vec<T> re, Vec<T> im) {
  return {a.re * re - a.im * im, a.re * im + a.im * re};
}
template <class T>
Point<T> times(Point<T> a, Vec<T> x) {
  return {a.re * x, a.im * x};
}
template <class T>
Point<T> turned(Point<T> a) {
  return {a.im, -a.re};
}

template <class T>
Point<T> load_point(const T* p) {
  return {Vec<T>::load(p), Vec<T>::load(p + Vec<T>::kLanes)};
}
template <class T>
void store_point(Point<T> x, T* p) {
  x.re.store(p), x.im.store(p + Vec<T>::kLanes);
}

template <class T>
[[gnu::always_inline]] inline void dft(Point<T> (&x)[2]) {
  const Point<T> a = x[0];
  x[0] = a + x[1], x[1] = a - x[1];
}
template <class T>
[[gnu::always_inline]] inline void dft(Point<T> (&x)[3]) {
  const Point<T> sum = x[1] + x[2], difference = turned(times(x[1] - x[2], Vec<T>(T(0.86602540378443864676)))),
                 rest = x[0] - times(sum, Vec<T>(T(0.5)));
  x[0] = x[0] + sum, x[1] = rest + difference, x[2] = rest - difference;
}
template <class T>
[[gnu::always_inline]] inline void dft4(Point<T>& x0, Point<T>& x1, Point<T>& x2, Point<T>& x3) {
  const Point<T> a = x0 + x2, b = x0 - x2, c = x1 + x3, d = turned(x1 - x3);
  x0 = a + c, x1 = b + d, x2 = a - c, x3 = b - d;
}
template <class T>
[[gnu::always_inline]] inline void dft(Point<T> (&x)[4]) {
  dft4(x[0], x[1], x[2], x[3]);
}
template <class T>
[[gnu::always_inline]] inline void dft(Point<T> (&x)[5]) {
  // The constants are cos and sin of 2 pi / 5 and of 4 pi / 5.
  const Vec<T> c1(T(0.30901699437494742410)), c2(T(-0.80901699437494742410)), s1(T(0.95105651629515357212)),
      s2(T(0.58778525229247312917));
  const Point<T> a = x[1] + x[4], b = x[2] + x[3], c = x[1] - x[4], d = x[2] - x[3];
  const Point<T> e = x[0] + times(a, c1) + times(b, c2), f = x[0] + times(a, c2) + times(b, c1);
  const Point<T> g = turned(times(c, s1) + times(d, s2)), h = turned(times(c, s2) - times(d, s1));
  x[0] = x[0] + a + b, x[1] = e + g, x[4] = e - g, x[2] = f + h, x[3] = f - h;
}
template <class T>
[[gnu::always_inline]] inline void dft(Point<T> (&x)[8]) {
  const Vec<T> half(T(0.70710678118654752440));
  dft4(x[0], x[2], x[4], x[6]);
  dft4(x[1], x[3], x[5], x[7]);
  // Multiplies the odd points by powers of exp(-2 pi i / 8).
  const Point<T> b = times(x[3] + turned(x[3]), half), c = turned(x[5]), d = times(turned(x[7]) - x[7], half),
                 evens[] = {x[0], x[2], x[4], x[6]}, odds[] = {x[1], b, c, d};
  for (int k = 0; k < 4; ++k) x[k] = evens[k] + odds[k], x[k + 4] = evens[k] - odds[k];
}

/// Runs one stage: `m` groups of `inner` transforms of `radix` points. RETURNS: the twiddle factors of the next stage.
template <int radix, class T>
const T* stage(int64_t m, int64_t inner, const T* twiddles, const T* from, T* to) {
  constexpr int64_t w = 2 * Vec<T>::kLanes;
  const auto transform = [&](int64_t p, int64_t q, auto&& finish) __attribute__((always_inline)) {
    Point<T> x[radix];
    for (int k = 0; k < radix; ++k) x[k] = load_point(from + w * (q + inner * (p + m * k)));
    dft(x);
    for (int k = 0; k < radix; ++k) store_point(finish(x[k], k), to + w * (q + inner * (radix * p + k)));
  };
  for (int64_t q = 0; q < inner; ++q) transform(0, q, [](Point<T> x, int) { return x; });
  for (int64_t p = 1; p < m; ++p, twiddles += 2 * (radix - 1)) {
    for (int64_t q = 0; q < inner; ++q) {
      transform(p, q, [&](Point<T> x, int k) {
        return k == 0 ? x : times(x, Vec<T>(twiddles[2 * k - 2]), Vec<T>(twiddles[2 * k - 1]));
      });
    }
  }
  return twiddles;
}

/// Runs one stage of any radix, by sums over all `radix` points. RETURNS: the twiddle factors of the next stage.
template <class T>
const T* any_stage(int64_t radix, int64_t m, int64_t inner, const T* twiddles, const T* from, T* to) {
  constexpr int64_t w = 2 * Vec<T>::kLanes;
  const T* const roots = twiddles;
  twiddles += 2 * radix;
  for (int64_t p = 0; p < m; ++p) {
    for (int64_t q = 0; q < inner; ++q) {
      for (int64_t k = 0; k < radix; ++k) {
        Point<T> sum = load_point(from + w * (q + inner * p));
        for (int64_t j = 1, power = k; j < radix; ++j) {
          const Point<T> x = load_point(from + w * (q + inner * (p + m * j)));
          sum = sum + times(x, Vec<T>(roots[2 * power]), Vec<T>(roots[2 * power + 1]));
          power += k;
          if (power >= radix) power -= radix;
        }
        if (p > 0 && k > 0) sum = times(sum, Vec<T>(twiddles[2 * k - 2]), Vec<T>(twiddles[2 * k - 1]));
        store_point(sum, to + w * (q + inner * (radix * p + k)));
      }
    }
    if (p > 0) twiddles += 2 * (radix - 1);
  }
  return twiddles;
}

/// Runs all stages. They write alternately to `work` and to the array after it, of 2 n lanes numbers each. RETURNS: the
/// array that has the result.
template <class T>
T* run_stages(const LineStages<T>& stages, T* work) {
  T *from = work, *to = work + 2 * stages.n * Vec<T>::kLanes;
  const T* twiddles = stages.twiddles;
  int64_t m = stages.n, inner = 1;
  for (int64_t i = 0; i < stages.count; ++i) {
    const int64_t radix = stages.radices[i];
    m /= radix;
    switch (radix) {
      case 2: twiddles = stage<2>(m, inner, twiddles, from, to); break;
      case 3: twiddles = stage<3>(m, inner, twiddles, from, to); break;
      case 4: twiddles = stage<4>(m, inner, twiddles, from, to); break;
      case 5: twiddles = stage<5>(m, inner, twiddles, from, to); break;
      case 8: twiddles = stage<8>(m, inner, twiddles, from, to); break;
      default: twiddles = any_stage(radix, m, inner, twiddles, from, to);
    }
    inner *= radix;
    T* const written = to;
    to = from, from = written;
  }
  return from;
}

/// True if the lines are adjacent: consecutive lines start one complex number apart.
bool are_neighbours(const int64_t* starts, int64_t count) {
  for (int64_t l = 1; l < count; ++l) {
    if (starts[l] != starts[0] + 2 * l) return false;
  }
  return true;
}

/// Loads the points of a block of lines. Real parts go to offset `re` of each point, imaginary parts to offset `im`.
template <class T>
void load_lines(const Lines<const T>& lines, int64_t count, int64_t n, T* points, int64_t re, int64_t im) {
  constexpr int64_t w = Vec<T>::kLanes;
  int64_t i = 0;
  if (count == w && lines.step == 2) {
    for (; i + w / 2 <= n; i += w / 2) {
      Vec<T> rows[w];
      for (int64_t l = 0; l < w; ++l) rows[l] = Vec<T>::load(lines.data + lines.starts[l] + 2 * i);
      transpose(rows);
      for (int64_t k = 0; k < w / 2; ++k) {
        rows[2 * k].store(points + 2 * w * (i + k) + re);
        rows[2 * k + 1].store(points + 2 * w * (i + k) + im);
      }
    }
  } else if (count == w && are_neighbours(lines.starts, w)) {
    for (; i < n; ++i) {
      const T* const x = lines.data + lines.starts[0] + i * lines.step;
      Vec<T> even = Vec<T>::load(x), odd = Vec<T>::load(x + w);
      separate(even, odd);
      even.store(points + 2 * w * i + re), odd.store(points + 2 * w * i + im);
    }
  }
  for (; i < n; ++i) {
    for (int64_t l = 0; l < w; ++l) {
      const T* const x = lines.data + (l < count ? lines.starts[l] + i * lines.step : 0);
      points[2 * w * i + re + l] = l < count ? x[0] : T(0);
      points[2 * w * i + im + l] = l < count ? x[1] : T(0);
    }
  }
}

template <class T>
void store_lines(const Lines<T>& lines, int64_t count, int64_t n, const T* points, int64_t re, int64_t im, T factor) {
  constexpr int64_t w = Vec<T>::kLanes;
  const Vec<T> f(factor);
  int64_t i = 0;
  if (count == w && lines.step == 2) {
    for (; i + w / 2 <= n; i += w / 2) {
      Vec<T> rows[w];
      for (int64_t k = 0; k < w / 2; ++k) {
        rows[2 * k] = Vec<T>::load(points + 2 * w * (i + k) + re) * f;
        rows[2 * k + 1] = Vec<T>::load(points + 2 * w * (i + k) + im) * f;
      }
      transpose(rows);
      for (int64_t l = 0; l < w; ++l) rows[l].store(lines.data + lines.starts[l] + 2 * i);
    }
  } else if (count == w && are_neighbours(lines.starts, w)) {
    for (; i < n; ++i) {
      T* const x = lines.data + lines.starts[0] + i * lines.step;
      Vec<T> first = Vec<T>::load(points + 2 * w * i + re) * f, second = Vec<T>::load(points + 2 * w * i + im) * f;
      interleave(first, second);
      first.store(x), second.store(x + w);
    }
  }
  for (; i < n; ++i) {
    for (int64_t l = 0; l < count; ++l) {
      T* const x = lines.data + lines.starts[l] + i * lines.step;
      x[0] = points[2 * w * i + re + l] * factor;
      x[1] = points[2 * w * i + im + l] * factor;
    }
  }
}

template <class T>
void transform_block(const LineStages<T>& stages, const LineBlock<T>& block) {
  const int64_t re = block.inverse ? Vec<T>::kLanes : 0, im = Vec<T>::kLanes - re;
  load_lines(block.from, block.count, stages.n, block.work, re, im);
  const T* const result = run_stages(stages, block.work);
  store_lines(block.to, block.count, stages.n, result, re, im, block.factor);
}

template <class T>
void transform_split(const SplitLine<T>& line) {
  constexpr int64_t w = Vec<T>::kLanes;
  const int64_t a = line.a.n, b = line.b.n, n = a * b, re = line.inverse ? w : 0, im = w - re;
  T *const parts = line.work, *const points = parts + 2 * n;
  int64_t starts[w];
  for (int64_t j = 0; j < b; j += w) {
    for (int64_t l = 0; l < w; ++l) starts[l] = 2 * (j + l);
    load_lines(Lines<const T>{line.from, starts, 2 * b}, w, a, points, re, im);
    const T* const result = run_stages(line.a, points);
    for (int64_t k = 0; k < a; ++k) {
      const int64_t at = k * b + j;
      const Point<T> x = times(load_point(result + 2 * w * k), Vec<T>::load(line.twiddles + at),
                               Vec<T>::load(line.twiddles + n + at));
      x.re.store(parts + at), x.im.store(parts + n + at);
    }
  }
  for (int64_t k = 0; k < a; k += w) {
    for (int64_t j = 0; j < b; j += w) {
      for (int64_t part = 0; part < 2; ++part) {
        Vec<T> rows[w];
        for (int64_t l = 0; l < w; ++l) rows[l] = Vec<T>::load(parts + part * n + (k + l) * b + j);
        transpose(rows);
        for (int64_t l = 0; l < w; ++l) rows[l].store(points + 2 * w * (j + l) + part * w);
      }
    }
    const T* const result = run_stages(line.b, points);
    for (int64_t l = 0; l < w; ++l) starts[l] = 2 * (k + l);
    store_lines(Lines<T>{line.to, starts, 2 * a}, w, b, result, re, im, line.factor);
  }
}

template <class T>
constexpr LineLoops<T> kLineLoops{Vec<T>::kLanes, transform_block<T>, transform_split<T>};

void fill_line_loops(LineLoopTable& table) { table = {kLineLoops<float>, kLineLoops<double>}; }

}  // namespace
}  // namespace ersatz
