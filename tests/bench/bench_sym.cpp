// The cost of symbols: repeated and new operations and decisions, many symbols with many guards, a long chain.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "runtime/sym/sym_expr.h"

namespace {

using ersatz::ShapeEnv;
using ersatz::SymInt;

void known_operation(benchmark::State& state) {
  ShapeEnv env;
  const SymInt a = env.symbol("s0", 4), b = env.symbol("s1", 6);
  for (auto _ : state) benchmark::DoNotOptimize((a + b).word());
}
BENCHMARK(known_operation);

void known_decision(benchmark::State& state) {
  ShapeEnv env;
  const SymInt a = env.symbol("s0", 4), b = env.symbol("s1", 6);
  for (auto _ : state) benchmark::DoNotOptimize(guard_lt(a, b));
}
BENCHMARK(known_decision);

constexpr int64_t kFresh = 1000;  // expressions in one environment, like in a program

template <class F>
void in_new_environments(benchmark::State& state, F f) {
  std::vector<std::unique_ptr<ShapeEnv>> envs;
  SymInt a, b;
  int64_t i = kFresh;
  for (auto _ : state) {
    if (i == kFresh) {
      state.PauseTiming();
      envs.clear();
      envs.push_back(std::make_unique<ShapeEnv>());
      a = envs.back()->symbol("s0", 4);
      b = envs.back()->symbol("s1", 6);
      i = 0;
      state.ResumeTiming();
    }
    benchmark::DoNotOptimize(f(a, b, ++i));
  }
}
void new_sum(benchmark::State& state) {
  in_new_environments(state, [](SymInt a, SymInt, int64_t i) { return (a + i).word(); });
}
void new_product(benchmark::State& state) {
  in_new_environments(state, [](SymInt a, SymInt, int64_t i) { return (a * (i + 1)).word(); });
}
void new_quotient(benchmark::State& state) {
  in_new_environments(state, [](SymInt a, SymInt, int64_t i) { return floor_div(a, i + 1).word(); });
}
/// Each decision is new, and the range of s0 decides it.
void new_decision(benchmark::State& state) {
  in_new_environments(state, [](SymInt a, SymInt, int64_t i) { return guard_ge(a, -i); });
}
/// Each question is new, and no step of the proof decides it.
void new_open_question(benchmark::State& state) {
  in_new_environments(state, [](SymInt a, SymInt b, int64_t i) { return sym_eq(a * b, i); });
}
BENCHMARK(new_sum);
BENCHMARK(new_product);
BENCHMARK(new_quotient);
BENCHMARK(new_decision);
BENCHMARK(new_open_question);

/// 10,000 symbols in pairs with 5,000 guards; then a new question about three of the symbols.
void decision_among_many_guards(benchmark::State& state) {
  std::unique_ptr<ShapeEnv> env;
  std::vector<SymInt> s;
  size_t i = 0;
  const auto restart = [&] {
    env = std::make_unique<ShapeEnv>();
    s.clear();
    for (int k = 0; k < 10'000; ++k) s.push_back(env->symbol("s" + std::to_string(k), 8 + k % 13));
    for (size_t k = 0; k < s.size(); k += 2) (void)guard_le(s[k], s[k + 1] + 9);
    i = 0;
  };
  restart();
  for (auto _ : state) {
    if (i + 3 > s.size()) {
      state.PauseTiming();
      restart();
      state.ResumeTiming();
    }
    benchmark::DoNotOptimize(sym_eq(2 * s[i] + s[i + 1], s[i + 2]));
    ++i;
  }
}
BENCHMARK(decision_among_many_guards);

/// Like decision_among_many_guards, with each decision recorded as a guard and a fact.
void guard_among_many_guards(benchmark::State& state) {
  std::unique_ptr<ShapeEnv> env;
  std::vector<SymInt> s;
  size_t i = 10'000;
  for (auto _ : state) {
    if (i + 3 > 10'000) {
      state.PauseTiming();
      env = std::make_unique<ShapeEnv>();
      s.clear();
      for (int k = 0; k < 10'000; ++k) s.push_back(env->symbol("s" + std::to_string(k), 8 + k % 13));
      for (size_t k = 0; k < s.size(); k += 2) (void)guard_le(s[k], s[k + 1] + 9);
      i = 0;
      state.ResumeTiming();
    }
    benchmark::DoNotOptimize(guard_ge(s[i] + s[i + 1], s[i + 2]));
    ++i;
  }
}
BENCHMARK(guard_among_many_guards);

/// Each link is a new expression and a question about it. The time of a link must not grow with the length.
void chain(benchmark::State& state) {
  for (auto _ : state) {
    ShapeEnv env;
    SymInt x = env.symbol("s0", 4);
    for (int64_t i = 0; i < state.range(0); ++i) {
      x += 1;
      benchmark::DoNotOptimize(guard_ge(x, 1));
    }
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(chain)->Arg(10'000)->Arg(100'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
