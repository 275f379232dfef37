// Fake runs of a loaded program: nanoseconds for each node (the counter `ns_per_node`), with arguments bound before.
//
//   chain/1000 ... chain/1000000   a generated chain of pointwise nodes, whose cost for a node must not grow
//   program/NAME                   exported programs: those of the repository, and those of ERSATZ_DATA
//   real/NAME                      real runs of these programs: arguments bound, inputs and weights made, one run
//   crosscheck/NAME/no_bytes, .../bytes  crosschecks of these programs; `times_real`: time relative to real runs in the
//                                  same minute; `us_over`: time for an op beyond 1.05 times its real run
//   symbolic/NAME/new, .../again   programs with symbols: the first run in an environment, and a later run in it
//   prepare/NAME, load/NAME        binding the arguments; reading the file
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <memory>

#include "fake/mode/fake_mode.h"
#include "tests/bench/cpu_bench.h"
#include "tools/program/crosscheck_run.h"
#include "tracer/pt2/program_file.h"
#include "tracer/run/interpreter.h"
#include "tracer/run/run_inputs.h"
#include "tracer/text/text_form.h"

namespace {

using namespace ersatz;

std::string chain_text(int64_t nodes) {
  std::string text = "graph(%v0: f32[4,8]{8,1}+0@cpu, %b: f32[8]{1}+0@cpu):\n";
  for (int64_t i = 0; i < nodes; ++i) {
    const char* call = i % 2 ? "aten.relu.default(%v{})" : "aten.add.Tensor(%v{}, %b)";
    text += fmt::format("  %v{}: f32[4,8]{{8,1}}+0@cpu = {}\n", i + 1, fmt::format(fmt::runtime(call), i));
  }
  return text + fmt::format("  return %v{}\n", nodes);
}

void count_nodes(benchmark::State& state, const Program& program) {
  const double nodes = static_cast<double>(program.main().nodes.size());
  state.counters["nodes"] = nodes;
  state.counters["ns_per_node"] =
      benchmark::Counter(nodes * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void run_fake(benchmark::State& state, const Program& program, const InputChoice& choice = {}) {
  const PreparedProgram prepared(program);
  const FakeMode mode;
  const auto inputs = make_fake_inputs(program, mode, SymbolValues(program), choice);
  const FakeScope scope(mode);
  Interpreter run(prepared);
  if (choice.symbolic) benchmark::DoNotOptimize(run.run(inputs));
  for (auto _ : state) benchmark::DoNotOptimize(run.run(inputs));
  count_nodes(state, program);
}

InputChoice symbolic() {
  InputChoice choice;
  choice.symbolic = true;
  return choice;
}

/// Loading a program makes its recorded expressions. All other expressions, and all decisions, are made in the run.
void run_symbolic_anew(benchmark::State& state, const std::string& file) {
  for (auto _ : state) {
    state.PauseTiming();
    {
      const Program program = load_program(file);
      const PreparedProgram prepared(program);
      const FakeMode mode;
      const auto inputs = make_fake_inputs(program, mode, SymbolValues(program), symbolic());
      const FakeScope scope(mode);
      Interpreter run(prepared);
      state.ResumeTiming();
      benchmark::DoNotOptimize(run.run(inputs));
      state.PauseTiming();
      count_nodes(state, program);
    }
    state.ResumeTiming();
  }
}

void chain(benchmark::State& state) {
  const Program program = parse_program_text(chain_text(state.range(0)), "chain");
  run_fake(state, program);
}
BENCHMARK(chain)->Name("chain")->RangeMultiplier(10)->Range(1000, 1000000)->Unit(benchmark::kMicrosecond);

const std::filesystem::path kCommitted = std::filesystem::path(ERSATZ_SOURCE_DIR) / "tests" / "programs";

std::filesystem::path data_folder() {
  const char* set = std::getenv("ERSATZ_DATA");
  return set && *set ? set : ERSATZ_DATA;
}

std::vector<std::filesystem::path> symbolic_programs() {
  std::vector<std::filesystem::path> files{kCommitted / "scaled_sizes" / "scaled_sizes.pt2"};
  for (const char* name : {"own/gpt_tiny_dynamic/gpt_tiny_dynamic.pt2", "library/bert_base_dynamic/model.json",
                           "library/gpt2_dynamic/model.json"}) {
    const auto file = data_folder() / "programs" / name;
    if (std::filesystem::exists(file)) files.push_back(file);
  }
  return files;
}

std::vector<std::filesystem::path> programs() {
  std::vector<std::filesystem::path> roots = {kCommitted};
  const std::filesystem::path data = data_folder();
  if (!data.empty()) {
    for (const char* name : {"torchvision/resnet18", "torchvision/resnet50", "library/resnet50",
                             "library/convnext_tiny", "library/gpt2"}) {
      roots.push_back(data / "programs" / name);
    }
  }
  std::vector<std::filesystem::path> files;
  for (const auto& root : roots) {
    if (std::filesystem::exists(root / "model.json")) files.push_back(root / "model.json");
    if (root != roots[0] || !std::filesystem::is_directory(root)) continue;
    for (const auto& e : std::filesystem::directory_iterator(root)) {
      const auto archive = e.path() / (e.path().filename().string() + ".pt2");
      if (std::filesystem::exists(archive)) files.push_back(archive);
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

tools::ProgramInput alone(const std::string& file) { return {file, load_program(file), "", ""}; }

void run_once(const Program& program) {
  const PreparedProgram prepared(program);
  const SymbolValues symbols(program);
  Interpreter run(prepared);
  benchmark::DoNotOptimize(run.run(make_inputs(program, symbols)));
}

void run_real(benchmark::State& state, const std::string& file) {
  const tools::ProgramInput input = alone(file);
  for (auto _ : state) run_once(input.program);
  state.counters["nodes"] = static_cast<double>(input.program.main().nodes.size());
}

void run_checked(benchmark::State& state, const std::string& file, bool bytes) {
  const tools::ProgramInput input = alone(file);
  tools::CrosscheckRunOptions options;
  options.bytes = bytes;
  options.repros = false;
  options.facts = options.expect = "none";
  options.inputs = "random";
  // The machine's speed drifts, so real and checked runs alternate, and the best of each kind counts.
  double real = 1e9, checked = 1e9;
  for (auto _ : state) {
    checked = std::min(checked, bench::best_seconds(1, [&] { tools::run_crosscheck(input, options); }));
    state.PauseTiming();
    real = std::min(real, bench::best_seconds(1, [&] { run_once(input.program); }));
    state.ResumeTiming();
  }
  const double nodes = static_cast<double>(input.program.main().nodes.size());
  state.counters["nodes"] = nodes;
  state.counters["times_real"] = checked / real;
  state.counters["us_over"] = (checked - 1.05 * real) / nodes * 1e6;
}

/// If the program cannot run on this machine, its row has the reason.
template <class Run>
void add_row(const std::string& name, Run run) {
  benchmark::RegisterBenchmark(name.c_str(), [run](benchmark::State& state) {
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
  for (const auto& path : programs()) {
    const auto folder = path.parent_path();
    const auto group = folder.parent_path().filename().string();
    const std::string name = (group == "programs" ? "" : group + "/") + folder.filename().string();
    const std::string file = path.string();
    benchmark::RegisterBenchmark(("program/" + name).c_str(), [file](benchmark::State& state) {
      const Program program = load_program(file);
      try {
        run_fake(state, program);
      } catch (const Error& e) {
        state.SkipWithError(e.what());
      }
    })->Unit(benchmark::kMicrosecond);
    add_row("real/" + name, [file](benchmark::State& state) { run_real(state, file); });
    for (const bool bytes : {false, true}) {
      add_row("crosscheck/" + name + (bytes ? "/bytes" : "/no_bytes"),
              [file, bytes](benchmark::State& state) { run_checked(state, file, bytes); });
    }
    benchmark::RegisterBenchmark(("prepare/" + name).c_str(), [file](benchmark::State& state) {
      const Program program = load_program(file);
      for (auto _ : state) benchmark::DoNotOptimize(PreparedProgram(program).steps.data());
    })->Unit(benchmark::kMicrosecond);
    benchmark::RegisterBenchmark(("load/" + name).c_str(), [file](benchmark::State& state) {
      for (auto _ : state) benchmark::DoNotOptimize(load_program(file).main().nodes.data());
    })->Unit(benchmark::kMillisecond);
  }
  for (const auto& path : symbolic_programs()) {
    const std::string name = "symbolic/" + path.parent_path().filename().string(), file = path.string();
    add_row(name + "/new", [file](benchmark::State& state) { run_symbolic_anew(state, file); });
    add_row(name + "/again", [file](benchmark::State& state) { run_fake(state, load_program(file), symbolic()); });
  }
  benchmark::RunSpecifiedBenchmarks();
}
