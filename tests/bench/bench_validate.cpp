// The time of `ersatz validate` for a call: rule compared with kernel, in poisoned and guarded memory (`us_per_call`).
//
//   sweep/OP    the calls of the op's samples, in one process and one thread
//   fuzz/OP     5000 random calls of the op
//   sweep/all   the sample calls of every operator, once: as `ersatz validate --all --jobs 1`, without child processes
#include <benchmark/benchmark.h>

#include "runtime/op/op_name.h"
#include "runtime/op/value_checks.h"
#include "tools/validate/call_source.h"

namespace {

using namespace ersatz;
using namespace ersatz::tools;

int64_t judge_all(const CallSource& calls, CallJudge& judge) {
  for (int64_t i = 0; i < calls.size(); ++i) benchmark::DoNotOptimize(calls.judge(i, judge).ended);
  return calls.size();
}

template <class Source>
void run(benchmark::State& state, const std::vector<const OpEntry*>& ops, const Source& source) {
  const ChecksAtOnce judged;  // like the command
  CallJudge judge(kCPU);
  int64_t calls = 0;
  for (auto _ : state) {
    for (const OpEntry* op : ops) calls += judge_all(*source(*op), judge);
  }
  state.counters["calls"] = static_cast<double>(calls) / static_cast<double>(state.iterations());
  state.counters["us_per_call"] =
      benchmark::Counter(static_cast<double>(calls) * 1e-6, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  const CallListOptions list;
  const auto sweep = [&list](const OpEntry& op) { return sweep_of(op, list, kCPU); };
  const auto fuzz = [](const OpEntry& op) { return random_calls_of(op, 0, 0, 5000); };
  for (const char* name : {"relu.default", "add.Tensor", "sum.dim_IntList", "cat.default", "index.Tensor", "mm.default",
                           "convolution.default", "native_layer_norm.default"}) {
    const std::vector<const OpEntry*> op = ops_named(name);
    benchmark::RegisterBenchmark((std::string("sweep/") + name).c_str(), [=](benchmark::State& s) {
      run(s, op, sweep);
    })->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark((std::string("fuzz/") + name).c_str(), [=](benchmark::State& s) {
      run(s, op, fuzz);
    })->Unit(benchmark::kMillisecond);
  }
  benchmark::RegisterBenchmark("sweep/all", [=](benchmark::State& s) { run(s, registry().all(), sweep); })
      ->Unit(benchmark::kSecond)
      ->Iterations(1);
  benchmark::RunSpecifiedBenchmarks();
}
