// The cost of SymInt if every size is a plain integer: equal loops over int64_t and over SymInt.
//
// `checked_int64` is int64_t with the overflow check that sizes need; the ratio to it is SymInt's own cost.
#include <benchmark/benchmark.h>

#include <random>
#include <vector>

#include "runtime/sym/sym_int.h"

namespace {

using ersatz::SymInt;

struct Checked {
  int64_t v = 0;
  Checked() = default;
  Checked(int64_t v) : v(v) {}
  friend Checked operator+(Checked a, Checked b) {
    int64_t r;
    if (__builtin_add_overflow(a.v, b.v, &r)) [[unlikely]]
      throw ersatz::Error(ersatz::ErrorKind::InvalidArgument, ersatz::ErrorFamily::Runtime, "overflow");
    return r;
  }
  friend Checked operator*(Checked a, Checked b) {
    int64_t r;
    if (__builtin_mul_overflow(a.v, b.v, &r)) [[unlikely]]
      throw ersatz::Error(ersatz::ErrorKind::InvalidArgument, ersatz::ErrorFamily::Runtime, "overflow");
    return r;
  }
};

constexpr size_t kShapes = 256, kRank = 4;

template <class T>
std::vector<T> shapes() {
  std::mt19937 random(1);
  std::vector<T> out;
  for (size_t i = 0; i < kShapes * kRank; ++i) out.push_back(T(static_cast<int64_t>(1 + random() % 64)));
  return out;
}

template <class T>
void numel(benchmark::State& state) {
  std::vector<T> sizes = shapes<T>();
  for (auto _ : state)
    for (size_t i = 0; i < kShapes; ++i) {
      T n = int64_t(1);
      for (size_t d = 0; d < kRank; ++d) n = n * sizes[i * kRank + d];
      benchmark::DoNotOptimize(n);
    }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * kShapes));
}

template <class T>
void contiguous_strides(benchmark::State& state) {
  std::vector<T> sizes = shapes<T>(), strides(kRank);
  for (auto _ : state)
    for (size_t i = 0; i < kShapes; ++i) {
      T next = int64_t(1);
      for (size_t d = kRank; d-- > 0;) {
        strides[d] = next;
        next = next * sizes[i * kRank + d];
      }
      benchmark::DoNotOptimize(strides.data());
      benchmark::ClobberMemory();
    }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * kShapes));
}

template <class T>
void add(benchmark::State& state) {
  std::vector<T> sizes = shapes<T>();
  for (auto _ : state) {
    T sum = int64_t(0);
    for (T s : sizes) sum = sum + s;
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * kShapes * kRank));
}

bool same(int64_t a, int64_t b) { return a == b; }
bool same(Checked a, Checked b) { return a.v == b.v; }
bool same(SymInt a, SymInt b) { return guard_eq(a, b); }

template <class T>
void compare(benchmark::State& state) {
  std::vector<T> a = shapes<T>(), b = shapes<T>();
  for (auto _ : state) {
    int64_t equal = 0;
    for (size_t i = 0; i < a.size(); ++i) equal += same(a[i], b[i]);
    benchmark::DoNotOptimize(equal);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * kShapes * kRank));
}

#define SYM_INT_BENCHMARK(f)                                   \
  BENCHMARK(f<int64_t>)->Name("sym_int/" #f "/int64");         \
  BENCHMARK(f<Checked>)->Name("sym_int/" #f "/checked_int64"); \
  BENCHMARK(f<SymInt>)->Name("sym_int/" #f "/SymInt")
SYM_INT_BENCHMARK(numel);
SYM_INT_BENCHMARK(contiguous_strides);
SYM_INT_BENCHMARK(add);
SYM_INT_BENCHMARK(compare);

}  // namespace

BENCHMARK_MAIN();
