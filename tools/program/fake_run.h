// `ersatz fake`: runs a program with fakes.
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

  bool symbolic = false;      ///< symbolic sizes of inputs stay symbolic, so results hold for all their values
  bool data_symbols = false;  ///< sizes that depend on data are symbols, even if sizes of inputs are numbers
  FallbackPolicy fallback = FallbackPolicy::Rule;
  decltype(FakeOptions::inferred) inferred;  ///< rules from files, for ops without a rule
};

/// One result of a node.
struct FakeRow {
  std::string name, op;
  std::string meta;         ///< canonical metadata, or the text of a number
  std::string at_hints;     ///< `meta` at the example sizes, if all its symbols have one
  std::string alias;        ///< the first value on the same storage; empty if the storage is new
  std::string source;       ///< the user's source line
  bool by_backend = false;  ///< the strides are a guess, because a GPU and its libraries decide them
};

using Counts = std::map<std::string, int64_t>;

struct FakeSummary {
  int64_t nodes = 0;  ///< answered nodes; not all if an error or SIGINT ended the run
  std::vector<FakeRow> rows;
  Counts missing;                     ///< unregistered operators: name -> number of nodes
  Counts refused;                     ///< operator -> nodes that it refused (keep_going only)
  std::vector<std::string> refusals;  ///< first error of each, one line
  int64_t peak_bytes = 0;
  std::string peak_expression;  ///< over the sizes' symbols; empty if there is none within int64
  int64_t param_bytes = 0;      ///< of parameters, buffers and constants; shared ones count once
  double flops = 0;
  std::string flops_expression;  ///< like `peak_expression`, for ops with a formula
  Counts flops_unknown;          ///< calls of ops without a formula, by op; for a composite op its parts
  int64_t flops_unsized = 0;     ///< calls whose FLOPs depend on data, which `flops` leaves out
  Counts sources;                ///< nodes by source of the answer, named as in fake/mode/coverage.h
  Coverage coverage;             ///< calls by op, with parts of composites
  std::vector<FallbackEvent> fallbacks;
  int64_t unsized = 0;               ///< results whose bytes depend on data, which the peak leaves out
  std::vector<std::string> plugins;  ///< plugins that the program names for missing ops
  int64_t all_nodes = 0;             ///< nodes of the program
  std::optional<Error> stopped;      ///< the error that ended the run early
};

/// If ops are missing without keep_going, nothing runs and only `missing` and `plugins` are filled. A call without an
/// answer ends the run: `stopped` has its error, and the results before it are reported. RAISES Error for inputs that
/// cannot be made.
FakeSummary run_fake(const Program& program, const FakeRunOptions& options);

}  // namespace ersatz::tools
