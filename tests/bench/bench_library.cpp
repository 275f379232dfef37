// Whole calls of ops that use a library or pass over memory: sorts, transforms, decompositions, gradients, losses. They
// run on one thread unless ERSATZ_THREADS is set. `of_...` is the baseline's time divided by ours, both from one run.
//
//   of_std_sort, of_partial_sort   the standard library's algorithm on the same values, without their positions
//   of_kissfft, of_lapack          the library's call on arrays in its preferred layout
//   of_openblas                    OpenBLAS's time for only the matrix products in the call
//   of_onednn                      twice oneDNN's time for the convolution, which has half of a gradient's products
//   of_memcpy                      memcpy's time for the bytes that are read and written
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <kissfft/kissfft.hh>
#include <numeric>

#include "kernels/conv/convolution_backward.h"
#include "kernels/fft/fft.h"
#include "kernels/indexing/embedding_bag.h"
#include "kernels/linalg/lapack.h"
#include "kernels/linalg/named_factors.h"
#include "kernels/linalg/openblas.h"
#include "kernels/linalg/pairwise_distance.h"
#include "kernels/linalg/svd.h"
#include "kernels/loss/cross_entropy.h"
#include "kernels/sorting/histogram.h"
#include "kernels/sorting/sort.h"
#include "kernels/sorting/topk.h"
#include "runtime/base/parallel.h"
#include "tests/bench/cpu_bench.h"
#include "tests/bench/onednn_yardstick.h"

namespace ersatz {
namespace {

using namespace bench;
using Floats = std::vector<float>;

Tensor positions(int64_t n, int64_t limit) {
  const SymInt sizes[] = {n};
  Tensor t = make_real_tensor(TensorMeta(DType::I64, sizes));
  for (int64_t i = 0; i < n; ++i) t.data<int64_t>()[i] = i * 7919 % limit;
  return t;
}
Floats floats(const Tensor& t) { return Floats(t.data<float>(), t.data<float>() + t.numel().as_int()); }

/// Times `ours`, a whole call, and `theirs`, the baseline. One run of `theirs` does `parts` times the baseline's work.
void beside(const char* name, const char* yardstick, std::function<void()> ours, std::function<void()> theirs,
            double parts = 1) {
  benchmark::RegisterBenchmark(name, [=](benchmark::State& state) {
    theirs(), ours();
    const double library = best_seconds(9, theirs) * parts;
    double best = 1e9;
    for (auto _ : state) best = std::min(best, best_seconds(1, ours));
    state.counters["best_us"] = 1e6 * best;
    state.counters[yardstick] = library / best;
  });
}
std::function<void()> copy_of(int64_t bytes) {
  auto from = std::make_shared<std::vector<char>>(static_cast<size_t>(bytes / 2), 1),
       to = std::make_shared<std::vector<char>>(*from);
  return [=] {
    std::memcpy(to->data(), from->data(), from->size());
    benchmark::DoNotOptimize(to->data());
  };
}

void register_sorting() {
  constexpr int64_t kRows = 256, kColumns = 4096, kFound = 64;
  const Tensor x = noise({kRows, kColumns});
  const auto each_row = [=](auto&& order) {
    auto values = std::make_shared<Floats>();
    return [=] {
      *values = floats(x);
      for (int64_t r = 0; r < kRows; ++r) order(values->begin() + r * kColumns, values->begin() + (r + 1) * kColumns);
      benchmark::DoNotOptimize(values->data());
    };
  };
  beside(
      "sort", "of_std_sort", [=] { ops::sort(x); }, each_row([](auto begin, auto end) { std::sort(begin, end); }));
  beside(
      "topk", "of_partial_sort", [=] { ops::topk(x, kFound); },
      each_row([](auto begin, auto end) { std::partial_sort(begin, begin + kFound, end, std::greater<>()); }));
  beside(
      "histc", "of_memcpy", [=] { ops::histc(x, 100, Scalar(-4.0), Scalar(4.0)); }, copy_of(bytes_of(x)));
}

void register_fft() {
  constexpr int64_t kRows = 256, kColumns = 1024;
  const Tensor x = noise({kRows, kColumns}, DType::C64);
  using Complex = std::complex<double>;
  auto plan = std::make_shared<kissfft<double>>(size_t{kColumns}, false);
  auto from = std::make_shared<std::vector<Complex>>(size_t{kColumns}, Complex(1, 0.5)),
       to = std::make_shared<std::vector<Complex>>(*from);
  const SymInt last[] = {1};
  beside(
      "fft", "of_kissfft", [=, dim = DimVec(last)] { ops::_fft_c2c(x, dim, 0, true); },
      [=] {
        for (int64_t r = 0; r < kRows; ++r) plan->transform(from->data(), to->data());
        benchmark::DoNotOptimize(to->data());
      });
}

void register_decompositions() {
  constexpr int64_t n = 256, right = 16;
  const Tensor a = noise({n, n}), b = noise({n, right});
  struct Arrays {
    Floats a, b, u, vh, s, work;
    std::vector<int32_t> integers;
  };
  auto arrays = std::make_shared<Arrays>();
  arrays->u.resize(n * n), arrays->vh.resize(n * n), arrays->s.resize(n), arrays->integers.resize(8 * n);
  beside(
      "svd", "of_lapack", [=] { ops::_linalg_svd(a, true, true); },
      [=] {
        arrays->a = floats(a);
        with_workspace<float>([&](float* work, int64_t length) {
          return lapack<"gesdd", float>('A', n, n, arrays->a.data(), n, arrays->s.data(), arrays->u.data(), n,
                                        arrays->vh.data(), n, work, length, arrays->integers.data());
        });
      });
  beside(
      "solve", "of_lapack", [=] { ops::linalg_solve(a, b); },
      [=] {
        arrays->a = floats(a), arrays->b = floats(b);
        lapack<"gesv", float>(n, right, arrays->a.data(), n, arrays->integers.data(), arrays->b.data(), n);
      });
}

/// C = A B, repeated `times`, with sizes [m, k] and [k, n].
std::function<void()> products(int64_t times, int64_t m, int64_t n, int64_t k) {
  auto a = std::make_shared<Floats>(static_cast<size_t>(m * k), 0.5f),
       b = std::make_shared<Floats>(static_cast<size_t>(k * n), 0.5f),
       c = std::make_shared<Floats>(static_cast<size_t>(m * n));
  return [=] {
    const openblas::GemmShape shape{false, false, n, m, k, n, k, n};
    for (int64_t i = 0; i < times; ++i) openblas::gemm(shape, 1.f, b->data(), a->data(), 0.f, c->data());
  };
}

void register_networks() {
  constexpr int64_t kTime = 32, kBatch = 16, kIn = 128, kHidden = 256;
  const Tensor x = noise({kTime, kBatch, kIn}), h = noise({1, kBatch, kHidden}), c = noise({1, kBatch, kHidden});
  const std::vector<Value> states{h, c},
      weights{noise({4 * kHidden, kIn}), noise({4 * kHidden, kHidden}), noise({4 * kHidden}), noise({4 * kHidden})};
  const auto of_input = products(1, kTime * kBatch, 4 * kHidden, kIn),
             of_steps = products(kTime, kBatch, 4 * kHidden, kHidden);
  beside(
      "lstm", "of_openblas",
      [=] {
        call_op_all<"aten.lstm.input">(x, Value::list(states), Value::list(weights), true, int64_t(1), 0.0, false,
                                       false, false);
      },
      [=] { of_input(), of_steps(); });

  const std::array<int64_t, 4> image{1, 64, 56, 56}, weight{64, 64, 3, 3};
  auto library = std::make_shared<OnednnConvolution>(image, weight, 1);
  if (library->ready()) {
    const Tensor g = noise({1, 64, 56, 56}), in = noise({1, 64, 56, 56}), w = noise({64, 64, 3, 3});
    const DimVec ones{SymInt(1), SymInt(1)}, zeros{SymInt(0), SymInt(0)};
    beside(
        "conv_backward", "of_onednn",
        [=] {
          ops::convolution_backward(g, in, w, {}, ones, ones, ones, false, zeros, 1, {true, true, false});
        },
        [=] { library->run(); }, 2);
  }

  constexpr int64_t kPoints = 1024, kDims = 64;
  const Tensor p = noise({kPoints, kDims}), q = noise({kPoints, kDims});
  beside(
      "cdist", "of_openblas", [=] { ops::cdist(p, q, 2, 1); }, products(1, kPoints, kPoints, kDims));

  constexpr int64_t kRows = 1024, kClasses = 4096;
  const Tensor logits = noise({kRows, kClasses}), target = positions(kRows, kClasses);
  beside(
      "cross_entropy", "of_memcpy", [=] { ops::cross_entropy_loss(logits, target); }, copy_of(bytes_of(logits)));

  constexpr int64_t kBags = 4096, kEach = 16, kWidth = 128;
  const Tensor table = noise({16384, kWidth}), indices = positions(kBags * kEach, 16384), offsets = positions(kBags, 1);
  for (int64_t i = 0; i < kBags; ++i) offsets.data<int64_t>()[i] = i * kEach;
  beside(
      "embedding_bag", "of_memcpy", [=] { ops::_embedding_bag(table, indices, offsets); },
      copy_of(4 * kBags * (kEach + 1) * kWidth));
}

}  // namespace
}  // namespace ersatz

int main(int argc, char** argv) {
  if (!std::getenv("ERSATZ_THREADS")) ersatz::set_pool_threads(1);
  ersatz::register_sorting();
  ersatz::register_fft();
  ersatz::register_decompositions();
  ersatz::register_networks();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
