// The cost of autograd in three cases: a call without gradients (compared with the call under ExcludeAutograd), a call
// that autograd records, and a node of a backward run. Tensors are 0-d or small, so that autograd's part is large.
#include <benchmark/benchmark.h>

#include <array>

#include "runtime/autograd/backward.h"
#include "runtime/autograd/grad_mode.h"
#include "runtime/op/dispatch.h"

namespace ersatz {
namespace {

Tensor small(bool wanted = false) {
  const Tensor t = tensor_of<float>({1, 2, 3, 4}, {2, 2});
  if (wanted) set_requires_grad(t);
  return t;
}
Tensor add(const Tensor& a, const Tensor& b) { return call_op<"aten.add.Tensor">(a, b, 1); }
Tensor transposed(const Tensor& t) { return call_op<"aten.t.default">(t); }

/// The baseline of the other benchmarks: autograd is switched off.
void add_not_followed(benchmark::State& state) {
  const ExcludeAutograd none;
  const Tensor a = small(), b = small();
  for (auto _ : state) benchmark::DoNotOptimize(add(a, b));
}
void add_without_gradient(benchmark::State& state) {
  const Tensor a = small(), b = small();
  for (auto _ : state) benchmark::DoNotOptimize(add(a, b));
}
void add_recorded(benchmark::State& state) {
  const Tensor a = small(true), b = small();
  for (auto _ : state) benchmark::DoNotOptimize(add(a, b));
}
void mul_recorded(benchmark::State& state) {  // saves both operands
  const Tensor a = small(true), b = small(true);
  for (auto _ : state) benchmark::DoNotOptimize(call_op<"aten.mul.Tensor">(a, b));
}
void view_not_followed(benchmark::State& state) {
  const ExcludeAutograd none;
  const Tensor a = small();
  for (auto _ : state) benchmark::DoNotOptimize(transposed(a));
}
void view_without_gradient(benchmark::State& state) {
  const Tensor a = small();
  for (auto _ : state) benchmark::DoNotOptimize(transposed(a));
}
void view_recorded(benchmark::State& state) {
  const Tensor a = small(true);
  for (auto _ : state) benchmark::DoNotOptimize(transposed(a));
}

/// Runs backward through a chain of nodes that call no operator, to measure the engine's cost for each node.
void backward_chain(benchmark::State& state) {
  const Tensor x = small(true);
  const Tensor ones = small();
  const auto nodes = state.range(0);
  for (auto _ : state) {
    state.PauseTiming();
    Tensor y = x;
    for (int64_t i = 0; i < nodes; ++i) y = call_op<"aten.add.Scalar">(y, 1, 1);
    state.ResumeTiming();
    backward(std::array{y}, {.gradients = {ones}});
    state.PauseTiming();
    y = {};
    state.ResumeTiming();
  }
  state.SetItemsProcessed(state.iterations() * nodes);
}

BENCHMARK(add_not_followed);
BENCHMARK(add_without_gradient);
BENCHMARK(add_recorded);
BENCHMARK(mul_recorded);
BENCHMARK(view_not_followed);
BENCHMARK(view_without_gradient);
BENCHMARK(view_recorded);
BENCHMARK(backward_chain)->RangeMultiplier(10)->Range(1000, 1000000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace ersatz

BENCHMARK_MAIN();
