// Distance loops for the instruction set of the file that includes this one (distance_loops_baseline_cpu.cpp,
// distance_loops_avx2.cpp or distance_loops_avx512.cpp). Each lane of a vector computes the distance to another row, so
// nothing is added across lanes, and short rows are fast too.
#include "kernels/linalg/distance_loops.h"
#include "kernels/vec/formulas.h"

namespace ersatz {
namespace {

using vec::Vec;
namespace m = vec::m;

constexpr int64_t kPiece = 128;  // terms of one partial sum, whose rounding error grows with its length
// independent sums in progress, because each addition depends on the previous one of its sum
constexpr int kAtOnce = 4;

// The structs Count to Power are the norms. `add` adds a difference to a sum, `join` adds two partial sums, and
// `distance` returns the distance for a sum.
template <class T>
struct Count {
  using V = Vec<T>;
  V add(V sum, V d) const { return sum + m::select(d == V(0), V(0), m::select(d == d, V(1), d)); }
  V join(V a, V b) const { return a + b; }
  V distance(V sum) const { return sum; }
};
template <class T>
struct Absolute {
  using V = Vec<T>;
  V add(V sum, V d) const { return sum + m::abs(d); }
  V join(V a, V b) const { return a + b; }
  V distance(V sum) const { return sum; }
};
template <class T>
struct Square {
  using V = Vec<T>;
  V add(V sum, V d) const { return sum + d * d; }
  V join(V a, V b) const { return a + b; }
  V distance(V sum) const { return m::sqrt(sum); }
};
template <class T>
struct LargestNumber {
  using V = Vec<T>;
  V add(V most, V d) const { return m::select(m::abs(d) > most, m::abs(d), most); }
  V join(V a, V b) const { return add(a, b); }
  V distance(V most) const { return most; }
};
template <class T>
struct LargestOrNan {
  using V = Vec<T>;
  V add(V most, V d) const { return m::max(m::abs(d), most); }
  V join(V a, V b) const { return m::max(a, b); }
  V distance(V most) const { return most; }
};
template <class T>
struct Power {
  using V = Vec<T>;
  V p;
  V add(V sum, V d) const { return sum + m::pow(m::abs(d), p); }
  V join(V a, V b) const { return a + b; }
  V distance(V sum) const { return m::pow(sum, V(1) / p); }
};

/// Writes the distances of each row of x to other rows, from row j on: `vectors` vectors of distances, or only `count`
/// distances if `count` is less than one vector.
template <int vectors, class T, class Norm>
void distances_from(const DistanceProblem<T>& problem, int64_t j, int64_t count, const Norm& norm) {
  constexpr int64_t w = Vec<T>::kLanes;
  for (int64_t i = 0; i < problem.rows; ++i) {
    const T* const x = problem.x + i * problem.m;
    Vec<T> whole[vectors];
    for (Vec<T>& v : whole) v = Vec<T>(T(0));
    for (int64_t begin = 0; begin < problem.m; begin += kPiece) {
      const int64_t end = begin + kPiece < problem.m ? begin + kPiece : problem.m;
      Vec<T> part[vectors];
      for (Vec<T>& v : part) v = Vec<T>(T(0));
      for (int64_t c = begin; c < end; ++c) {
        const Vec<T> from(x[c]);
        const T* const others = problem.columns + c * problem.pitch + j;
        for (int k = 0; k < vectors; ++k) part[k] = norm.add(part[k], from - Vec<T>::load(others + k * w));
      }
      for (int k = 0; k < vectors; ++k) whole[k] = norm.join(whole[k], part[k]);
    }
    T* const y = problem.y + i * problem.others + j;
    for (int k = 0; k < vectors; ++k) {
      const Vec<T> d = norm.distance(whole[k]);
      count < w ? d.store_part(y, count) : d.store(y + k * w);
    }
  }
}

template <class T, class Norm>
void all_distances(const DistanceProblem<T>& problem, const Norm& norm) {
  constexpr int64_t w = Vec<T>::kLanes;
  int64_t j = 0;
  for (; j + kAtOnce * w <= problem.others; j += kAtOnce * w) distances_from<kAtOnce>(problem, j, w, norm);
  for (; j < problem.others; j += w) distances_from<1>(problem, j, problem.others - j, norm);
}

template <class T>
void distances(const DistanceProblem<T>& problem) {
  if (problem.p == 0) return all_distances(problem, Count<T>());
  if (problem.p == 1) return all_distances(problem, Absolute<T>());
  if (problem.p == 2) return all_distances(problem, Square<T>());
  if (problem.p == m::kInfinity || problem.p == -m::kInfinity) {
    return problem.nan_counts ? all_distances(problem, LargestOrNan<T>()) : all_distances(problem, LargestNumber<T>());
  }
  all_distances(problem, Power<T>{Vec<T>(T(problem.p))});
}

void fill_distance_loops(DistanceLoopTable& table) {
  table.of_float = distances<float>;
  table.of_double = distances<double>;
}

}  // namespace
}  // namespace ersatz
