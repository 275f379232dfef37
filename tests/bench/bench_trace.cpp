// The cost of tracing for each node.
//
//   fake/NAME       a program recorded anew on fakes: microseconds a node, the run included (`us_per_node`)
//   symbolic/NAME   a program that was exported with symbols, recorded anew with these symbols. `us_over` is the time
//                   of a node beyond an untraced run with symbols, and `symbolic_nodes` counts nodes whose result has a
//                   symbol. (A program that was exported without symbols has literal sizes, which would pin symbols.)
//   real/NAME       a real run recorded anew. `us_over` is the time beyond an untraced real run; the kernels of a large
//                   model hide it
//   real_chain/1000, real_chain/100000   a function of so many calls on small real tensors: `us_over` beyond the calls
//                   alone
//   decompose/NAME  a program decomposed into core operators without writes, on fakes: `cpu_ms` is the least CPU time
//   chain/1000 ... chain/1000000   a function of so many calls on fakes: shows whether the cost of a call grows with
//                   their number, and `bytes_per_node`
//   growth/1000 ... growth/1000000 the yardstick of chain: a vector that grows by 200 bytes a call, and nothing else
//
// The machine's speed drifts, so runs with and without tracing take turns, and the best of each kind counts.
#include <benchmark/benchmark.h>
#include <malloc.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <ctime>
#include <filesystem>

#include "include/ersatz/ops.h"
#include "tests/bench/cpu_bench.h"
#include "tracer/pt2/program_file.h"
#include "tracer/run/interpreter.h"
#include "tracer/run/run_inputs.h"
#include "tracer/trace/core_decompositions.h"
#include "tracer/trace/retrace.h"

namespace {

using namespace ersatz;

std::array<Value, 2> chain_inputs() {
  return {Value(make_real_tensor(TensorMeta(DType::F32, DimVec{4, 8}))),
          Value(make_real_tensor(TensorMeta(DType::F32, DimVec{8})))};
}

/// A function with this many calls, each on the result of the one before.
auto chain_of(int64_t calls) {
  return [calls](std::span<const Value> x) {
    Tensor y = x[0].tensor();
    for (int64_t i = 0; i < calls; ++i) y = i % 2 ? ops::relu(y) : ops::add(y, x[1].tensor());
    return std::vector<Value>{Value(y)};
  };
}

void chain(benchmark::State& state) {
  const int64_t calls = state.range(0);
  const std::array<Value, 2> inputs = chain_inputs();
  const auto f = chain_of(calls);
  double bytes = 0;
  for (auto _ : state) {
    const size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
    const Program p = trace(f, inputs);
    bytes = static_cast<double>(mallinfo2().uordblks + mallinfo2().hblkhd - before);
  }
  const double nodes = static_cast<double>(calls);
  state.counters["us_per_node"] =
      benchmark::Counter(nodes * 1e-6, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  state.counters["bytes_per_node"] = bytes / nodes;
}

void real_chain(benchmark::State& state) {
  const std::array<Value, 2> inputs = chain_inputs();
  const auto f = chain_of(state.range(0));
  TraceOptions options;
  options.mode = TraceMode::Real;
  double with = 1e9, without = 1e9;
  for (auto _ : state) {
    without = std::min(without, bench::best_seconds(1, [&] { benchmark::DoNotOptimize(f(inputs)); }));
    with = std::min(with, bench::best_seconds(1, [&] { benchmark::DoNotOptimize(trace(f, inputs, options)); }));
  }
  const double nodes = static_cast<double>(state.range(0));
  state.counters["us_per_node"] = with / nodes * 1e6;
  state.counters["us_over"] = (with - without) / nodes * 1e6;
}

void growth(benchmark::State& state) {
  for (auto _ : state) {
    std::vector<std::array<char, 200>> grown;
    for (int64_t i = 0; i < state.range(0); ++i) grown.emplace_back().fill(static_cast<char>(i));
    benchmark::DoNotOptimize(grown.data());
  }
  state.counters["us_per_node"] =
      benchmark::Counter(static_cast<double>(state.range(0)) * 1e-6,
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

BENCHMARK(growth)->Name("growth")->RangeMultiplier(10)->Range(1000, 1000000)->Unit(benchmark::kMillisecond);
BENCHMARK(real_chain)->Name("real_chain")->Arg(1000)->Arg(100000)->Unit(benchmark::kMillisecond);
BENCHMARK(chain)->Name("chain")->RangeMultiplier(10)->Range(1000, 1000000)->Unit(benchmark::kMillisecond);

/// Runs the program without the tracer.
void run_untraced(const Program& program, std::span<const Value> inputs, TraceMode mode) {
  const PreparedProgram prepared(program);
  Interpreter run(prepared);
  if (mode == TraceMode::Real) {
    benchmark::DoNotOptimize(run.run(inputs));
    return;
  }
  TraceOptions options;
  options.mode = mode;
  const bool symbolic = mode == TraceMode::Symbolic;
  const FakeMode fakes = make_trace_mode(options, symbolic ? program.env : std::make_shared<ShapeEnv>(), true);
  std::vector<Value> given;
  InputChoice as_recorded;
  as_recorded.symbolic = true;
  if (symbolic) given = make_fake_inputs(program, fakes, SymbolValues(program), as_recorded);
  for (size_t i = given.size(); i < inputs.size(); ++i)
    given.push_back(inputs[i].is_tensor() ? Value(fakes.from_tensor(inputs[i].tensor())) : inputs[i]);
  const FakeScope scope(fakes);
  benchmark::DoNotOptimize(run.run(given));
}

/// Number of nodes with an expression in a result's sizes, strides or offset.
size_t symbolic_nodes(const Program& p) {
  return static_cast<size_t>(std::count_if(p.main().nodes.begin(), p.main().nodes.end(), [&](const Node& n) {
    const std::vector<ValueId> results = result_values(p, n);
    return std::any_of(results.begin(), results.end(), [&](ValueId id) {
      const TensorMeta* meta = id == kNone ? nullptr : p.meta(p.main().values[id]);
      return meta && meta->is_symbolic();
    });
  }));
}

void traced(benchmark::State& state, const std::string& file, TraceMode mode) {
  Program program = load_program(file);
  std::vector<Value> inputs = make_inputs(program, SymbolValues(program));
  // The ShapeEnv remembers what a run learns about symbols, so each symbolic run gets a newly loaded program.
  const auto begin_anew = [&] {
    if (mode != TraceMode::Symbolic) return;
    inputs.clear();
    program = load_program(file);
    inputs = make_inputs(program, SymbolValues(program));
  };
  TraceOptions options;
  options.mode = mode;
  options.keep_composites = true;
  double with = 1e9, without = 1e9;
  size_t nodes = 0, symbols = 0;
  for (auto _ : state) {
    state.PauseTiming();
    begin_anew();
    state.ResumeTiming();
    std::optional<Program> made;
    with = std::min(with, bench::best_seconds(1, [&] { made.emplace(retrace(program, inputs, options)); }));
    state.PauseTiming();
    nodes = made->main().nodes.size();
    symbols = symbolic_nodes(*made);
    made.reset();
    begin_anew();
    without = std::min(without, bench::best_seconds(1, [&] { run_untraced(program, inputs, mode); }));
    state.ResumeTiming();
  }
  state.counters["nodes"] = static_cast<double>(nodes);
  if (mode == TraceMode::Symbolic) state.counters["symbolic_nodes"] = static_cast<double>(symbols);
  state.counters["us_per_node"] = with / static_cast<double>(nodes) * 1e6;
  state.counters["us_over"] = (with - without) / static_cast<double>(nodes) * 1e6;
}

void decomposed(benchmark::State& state, const std::string& file) {
  const Program program = load_program(file);
  const std::vector<Value> inputs = make_inputs(program, SymbolValues(program));
  std::vector<std::string> copied;
  TraceOptions options;
  options.functional = true;
  options.copied_views = &copied;
  options.decompositions = &core_decompositions();
  double least = 1e9;
  size_t nodes = 0;
  for (auto _ : state) {
    const std::clock_t start = std::clock();
    nodes = retrace(program, inputs, options).main().nodes.size();
    least = std::min(least, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  state.counters["nodes"] = static_cast<double>(nodes);
  state.counters["cpu_ms"] = least * 1e3;
}

/// Registers a benchmark of this name. If it raises an error, its row has the message.
template <class F>
void add_row(const std::string& row, F run) {
  benchmark::RegisterBenchmark(row.c_str(), [run](benchmark::State& state) {
    try {
      run(state);
    } catch (const Error& e) {
      state.SkipWithError(e.what());
    }
  })->Unit(benchmark::kMillisecond);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  const char* set = std::getenv("ERSATZ_DATA");
  const std::filesystem::path data = set && *set ? set : ERSATZ_DATA;
  for (const char* program : {"library/bert_base", "library/gpt2", "torchvision/resnet18", "library/bert_base_dynamic",
                              "library/gpt2_dynamic"}) {
    const std::filesystem::path file = data / "programs" / program / "model.json";
    if (data.empty() || !std::filesystem::exists(file)) continue;
    const bool has_symbols = std::string_view(program).ends_with("_dynamic");
    for (const TraceMode mode : {TraceMode::Fake, TraceMode::Symbolic, TraceMode::Real}) {
      if (has_symbols != (mode == TraceMode::Symbolic)) continue;
      const std::string row = std::string(name(mode)) + "/" + file.parent_path().filename().string(),
                        path = file.string();
      add_row(row, [path, mode](benchmark::State& state) { traced(state, path, mode); });
    }
  }
  const std::filesystem::path training = data / "programs/library/gpt2_training/model.json";
  if (!data.empty() && std::filesystem::exists(training))
    add_row("decompose/gpt2_training",
            [path = training.string()](benchmark::State& state) { decomposed(state, path); });
  benchmark::RunSpecifiedBenchmarks();
}
