// Memory of fakes: bytes of one fake, and of many live ones.
//
//   live_fakes/N      N fakes made by a mode, each with its own storage; counter bytes_each: from the heap's figures
//   live_views/N      N views of one fake storage
//   convert/N         N real tensors converted, with the memo
#include <benchmark/benchmark.h>
#include <malloc.h>

#include "fake/mode/fake_mode.h"
#include "runtime/tensor/meta_text.h"

using namespace ersatz;

namespace {

double heap_bytes() {
  const auto info = mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd);
}

template <class Make>
void measure(benchmark::State& state, Make make) {
  const auto n = static_cast<size_t>(state.range(0));
  double each = 0;
  for (auto _ : state) {
    std::vector<Tensor> live;
    live.reserve(n);
    const double before = heap_bytes();
    for (size_t i = 0; i < n; ++i) live.push_back(make());
    each = (heap_bytes() - before) / static_cast<double>(n);
    benchmark::DoNotOptimize(live.data());
  }
  state.counters["bytes_each"] = each;
  state.counters["ns_each"] = benchmark::Counter(
      static_cast<double>(n) * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void live_fakes(benchmark::State& state) {
  FakeMode mode;
  const TensorMeta meta = parse_meta("f32[8,16,32]");
  measure(state, [&] { return mode.make(meta); });
}

void live_views(benchmark::State& state) {
  FakeMode mode;
  const Tensor base = mode.make(parse_meta("f32[8,16,32]"));
  measure(state, [&] { return mode.make_on(base.storage(), base.meta()); });
}

void convert(benchmark::State& state) {
  FakeMode mode;
  std::vector<Tensor> reals;
  for (int64_t i = 0; i < state.range(0); ++i) reals.push_back(make_real_tensor(parse_meta("f32[2]")));
  size_t next = 0;
  measure(state, [&] { return mode.from_tensor(reals[next++ % reals.size()]); });
}

BENCHMARK(live_fakes)->Arg(1000)->Arg(1000000)->Unit(benchmark::kMillisecond);
BENCHMARK(live_views)->Arg(1000000)->Unit(benchmark::kMillisecond);
BENCHMARK(convert)->Arg(1000)->Arg(100000)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
