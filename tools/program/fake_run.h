// `ersatz fake`: runs a program with fake tensors.
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

  bool symbolic = false;      ///< symbolic sizes of inputs remain symbols, so that results hold for all their values
  bool data_symbols = false;  ///< sizes that depend on data become symbols, even if sizes of inputs are numbers
  FallbackPolicy fallback = FallbackPolicy::Rule;
  decltype(FakeOptions::inferred) inferred;  ///< rules from files, for ops without a rule
};

/// One result of a node.
struct FakeRow {
  std::string name, op;
  std::string meta;         ///< metadata in canonical spelling, or the text of a number
  std::string at_hints;     ///< `meta` with the example sizes put in for its symbols; empty if a symbol has no example
  std::string alias;        ///< the first value on the same storage; empty if the storage is new
  std::string source;       ///< the user's source line
  bool by_backend = false;  ///< the strides are a guess, because a GPU and its libraries decide them
};

using Counts = std::map<std::string, int64_t>;

struct FakeSummary {
  /// Number of nodes that were predicted; an error or Ctrl-C may have ended the run before the last node.
  int64_t nodes = 0;
  std::vector<FakeRow> rows;
  Counts missing;                     ///< unregistered operators: name -> number of nodes
  Counts refused;                     ///< with keep_going: operator -> number of nodes that it refused
  std::vector<std::string> refusals;  ///< the first errors of refused nodes, one line each
  int64_t peak_bytes = 0;
  /// The peak as an expression over the sizes' symbols; empty if there are no symbols or if it overflows int64.
  std::string peak_expression;
  int64_t param_bytes = 0;  ///< bytes of parameters, buffers and constants; a shared storage counts once
  double flops = 0;
  /// The FLOPs as an expression, like `peak_expression`; includes only ops with a FLOP formula.
  std::string flops_expression;
  /// Op -> number of calls, for ops without a FLOP formula. For a composite op, the ops that it calls are counted
  /// instead.
  Counts flops_unknown;
  int64_t flops_unsized = 0;  ///< calls whose FLOPs depend on data; `flops` leaves them out
  Counts sources;             ///< number of nodes by source of the prediction, named as in fake/mode/coverage.h
  Coverage coverage;          ///< counts of calls by op; the parts of composite nodes count too
  std::vector<FallbackEvent> fallbacks;
  int64_t unsized = 0;               ///< results whose bytes depend on data; the peak leaves them out
  std::vector<std::string> plugins;  ///< plugins that the program names for missing ops
  int64_t all_nodes = 0;             ///< number of nodes of the program
  std::optional<Error> stopped;      ///< the error that ended the run early
};

/// Runs the program. If ops are missing and keep_going is not set, nothing runs and only `missing` and `plugins` are
/// filled. If a call has no prediction, the run ends: `stopped` has the error, and earlier results are reported. RAISES
/// Error for inputs that cannot be made.
FakeSummary run_fake(const Program& program, const FakeRunOptions& options);

}  // namespace ersatz::tools
