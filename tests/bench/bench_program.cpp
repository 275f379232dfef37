// Fake-propagating a loaded program: nanoseconds a node (the counter `ns_per_node`), arguments bound beforehand.
//
//   chain/1000 ... chain/1000000   a generated chain of pointwise nodes: is the cost flat?
//   program/NAME                   real exported programs: the committed ones, and those of ERSATZ_DATA
//   prepare/NAME, load/NAME        binding the arguments; reading the file
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <memory>

#include "fake/mode/fake_mode.h"
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

void run_fake(benchmark::State& state, const Program& program) {
  const PreparedProgram prepared(program);
  const FakeMode mode;
  const auto inputs = make_fake_inputs(program, mode, SymbolValues(program));
  const FakeScope scope(mode);
  Interpreter run(prepared);
  for (auto _ : state) benchmark::DoNotOptimize(run.run(inputs));
  const double nodes = static_cast<double>(program.main().nodes.size());
  state.counters["nodes"] = nodes;
  state.counters["ns_per_node"] =
      benchmark::Counter(nodes * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void chain(benchmark::State& state) {
  const Program program = parse_program_text(chain_text(state.range(0)), "chain");
  run_fake(state, program);
}
BENCHMARK(chain)->Name("chain")->RangeMultiplier(10)->Range(1000, 1000000)->Unit(benchmark::kMicrosecond);

std::vector<std::filesystem::path> programs() {
  std::vector<std::filesystem::path> roots = {std::filesystem::path(ERSATZ_SOURCE_DIR) / "tests" / "programs"};
  const char* set = std::getenv("ERSATZ_DATA");
  const std::filesystem::path data = set && *set ? set : ERSATZ_DATA;
  if (!data.empty()) {
    for (const char* name :
         {"torchvision/resnet18", "torchvision/resnet50", "library/resnet50", "library/convnext_tiny"}) {
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
    benchmark::RegisterBenchmark(("prepare/" + name).c_str(), [file](benchmark::State& state) {
      const Program program = load_program(file);
      for (auto _ : state) benchmark::DoNotOptimize(PreparedProgram(program).steps.data());
    })->Unit(benchmark::kMicrosecond);
    benchmark::RegisterBenchmark(("load/" + name).c_str(), [file](benchmark::State& state) {
      for (auto _ : state) benchmark::DoNotOptimize(load_program(file).main().nodes.data());
    })->Unit(benchmark::kMillisecond);
  }
  benchmark::RunSpecifiedBenchmarks();
}
