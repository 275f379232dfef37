// Where the values of two runs begin to differ: two programs, run for real on the same inputs and seed.
//
// Nodes are paired as the programs' texts are (tools/diff/program_pairs.h). A pair *differs* where one of its results
// is not the same within the accuracy (fake/crosscheck/accuracy.h). The error *begins* at a pair that differs although
// nothing that it reads, but for inputs, does. Views of an input that differs are that input.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fake/crosscheck/accuracy.h"
#include "tools/program/program_input.h"

namespace ersatz::tools {

struct ValueDiffOptions {
  AccuracyOptions accuracy{.equal_nan = true};
  bool reference_f64 = false;  ///< the first program in f64 decides where values are not close
  uint64_t seed = 0;           ///< of made-up weights and inputs, and of random numbers
  int runs = 0;                ///< so many more of each are timed
};

/// An input, node or output whose values differ.
struct DifferingValue {
  std::string name, other_name;    ///< in both programs
  std::string op, at;              ///< of a node: operator and the user's line
  std::vector<std::string> said;   ///< in what
  std::vector<std::string> reads;  ///< of a node where the error begins: inputs that differ
};

struct ValueDiff {
  int64_t nodes_a = 0, nodes_b = 0, pairs = 0, alike = 0;
  std::vector<DifferingValue> inputs, begins, outputs;
  int64_t behind = 0;       ///< pairs that differ behind those where the error begins
  int64_t all_outputs = 0;  ///< of the program that has more
  std::vector<std::string> notes;
  std::optional<double> seconds_a, seconds_b;  ///< of the timed runs

  /// Every output has to be alike. So has every pair, where each node has one: where one program has nodes that the
  /// other has not, a pair may be two nodes of different purpose, and outputs decide alone.
  bool same() const;
};

/// Both on the CPU. The first program's inputs are those that lie beside it, else made up; the second gets the same, in
/// the dtypes that it records. Errors of a run pass; they name the node.
ValueDiff diff_values(const ProgramInput& a, const ProgramInput& b, const ValueDiffOptions& options);

}  // namespace ersatz::tools
