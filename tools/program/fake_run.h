// A program run fake: what `ersatz fake` reports.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fake/mode/fake_mode.h"
#include "tools/program/run_options.h"
#include "tracer/program/program.h"

namespace ersatz::tools {

struct FakeRunOptions : RunOptions {
  FakeRunOptions() = default;
  explicit FakeRunOptions(const RunOptions& run) : RunOptions(run) {}

  bool symbolic = false;      ///< inputs' sizes that are expressions stay so: the answers hold for all their values
  bool data_symbols = false;  ///< sizes that depend on data are symbols, although those of inputs may be numbers
  FallbackPolicy fallback = FallbackPolicy::Rule;
  decltype(FakeOptions::inferred) inferred;  ///< rules from files, for ops that have none
};

/// One result of a node.
struct FakeRow {
  std::string name, op;
  std::string meta;         ///< canonical; a number's spelling
  std::string at_hints;     ///< the same at the example sizes, where it holds symbols that all have one
  std::string alias;        ///< the first value on the same storage, if it has one of its own no longer
  std::string source;       ///< the user's line
  bool by_backend = false;  ///< the strides are a guess: a GPU and its libraries decide them
};

using Counts = std::map<std::string, int64_t>;

struct FakeSummary {
  int64_t nodes = 0;  ///< that were answered: fewer than all where an error or SIGINT ended the run
  std::vector<FakeRow> rows;
  Counts missing;                     ///< op -> nodes, of operators that are not registered
  Counts refused;                     ///< op -> nodes that a known op refused (keep_going only)
  std::vector<std::string> refusals;  ///< their first errors, one line each
  int64_t peak_bytes = 0;
  std::string peak_expression;  ///< over the sizes' symbols; empty: there is none, or no int64 expression says it
  int64_t param_bytes = 0;      ///< parameters, buffers and constants, shared ones once
  double flops = 0;
  std::string flops_expression;  ///< like `peak_expression`, of the ops that count theirs
  Counts flops_unknown;          ///< calls by op that has no formula; of an op that is made of others, its parts
  int64_t flops_unsized = 0;     ///< calls whose FLOPs follow from data: `flops` has none of them
  Counts sources;                ///< nodes by the source that answered them: names of fake/mode/coverage.h
  Coverage coverage;             ///< calls by op, parts of composites too
  std::vector<FallbackEvent> fallbacks;
  int64_t unsized = 0;               ///< results whose bytes follow from data: the peak has none of them
  std::vector<std::string> plugins;  ///< that the program names for its missing ops
  int64_t all_nodes = 0;             ///< of the program
  std::optional<Error> stopped;      ///< what ended the run before its end
};

/// Missing ops without keep_going: only `missing` and `plugins` are filled and nothing runs. A call that cannot be
/// answered ends the run: `stopped`, with all that came before it. Inputs that cannot be made raise Error.
FakeSummary run_fake(const Program& program, const FakeRunOptions& options);

}  // namespace ersatz::tools
