// The cost of a line in a pasted log.
//
//   log/graphs   a TORCH_TRACE log that has only printed graphs, so that all lines are nodes and their sources. Each
//                graph is found and read as a program
//   log/FILE     finds and reads the graphs in the log that ERSATZ_PASTED_LOG names
//   json/...     the yardstick: parses each line of the same log as JSON
//
// `us_per_line` is processor time.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "runtime/base/error.h"
#include "tracer/pasted/pasted_text.h"

namespace {

using namespace ersatz;

std::string file_text(const std::string& path) {
  std::ifstream in(path);
  if (!in) fail_argument("{}: cannot be read; run the benchmark from the root of the repository", path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

/// A log with this many compilations of one graph, as a run of several processes writes it.
std::string log_of_graphs(int compilations) {
  const std::string graph = file_text("tests/data/pasted/attention.fx_graph.txt");
  std::string payload;
  std::stringstream lines(graph);
  for (std::string line; std::getline(lines, line);) payload += "\t" + line + "\n";
  std::string log;
  for (int i = 0; i < compilations; ++i) {
    log += fmt::format(
        "V1126 12:00:00.000000 123 torch/_dynamo/output_graph.py:1954] {{\"aot_forward_graph\": {{}}, \"frame_id\": "
        "{}, "
        "\"frame_compile_id\": 0, \"attempt\": 0, \"has_payload\": \"\"}}\n{}",
        i, payload);
  }
  return log;
}

void count(benchmark::State& state, size_t lines) {
  state.counters["us_per_line"] = benchmark::Counter(
      static_cast<double>(lines) * 1e-6, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  state.counters["lines"] = static_cast<double>(lines);
}

void log(benchmark::State& state, const std::string& text) {
  size_t lines = 0, nodes = 0;
  for (auto _ : state) {
    const pasted::PastedText read(text, "log");
    lines = read.lines();
    nodes = 0;
    for (size_t i = 0; i < read.graphs().size(); ++i) {
      if (!read.same_as(i)) nodes += read.read(i).nodes;
    }
  }
  count(state, lines);
  state.counters["nodes"] = static_cast<double>(nodes);
}

void json(benchmark::State& state, const std::string& text) {
  std::vector<std::string> lines;
  std::stringstream all(text);
  for (std::string line; std::getline(all, line);)
    lines.push_back(nlohmann::json(line).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  for (auto _ : state) {
    for (const std::string& line : lines) benchmark::DoNotOptimize(nlohmann::json::parse(line));
  }
  count(state, lines.size());
}

void add(const std::string& name, const std::string& text) {
  benchmark::RegisterBenchmark(("log/" + name).c_str(), log, text)->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark(("json/" + name).c_str(), json, text)->Unit(benchmark::kMillisecond);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  add("graphs", log_of_graphs(400));
  if (const char* path = std::getenv("ERSATZ_PASTED_LOG")) {
    const std::string file(path);
    add(file.substr(file.rfind('/') + 1), file_text(file));
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
