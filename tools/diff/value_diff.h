// Finds where the values of two programs begin to differ, when both run for real on the same inputs and seed.
//
// Nodes are paired as in tools/diff/program_pairs.h. A pair *differs* if one of its results is not equal within the
// accuracy (fake/crosscheck/accuracy.h). The error *begins* at a pair that differs although it reads no differing value
// except inputs. A view of a differing input counts as that input.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fake/crosscheck/accuracy.h"
#include "tools/program/program_input.h"

namespace ersatz::tools {

struct ValueDiffOptions {
  AccuracyOptions accuracy{.equal_nan = true};
  bool reference_f64 = false;  ///< if values are not close, the first program in f64 decides
  uint64_t seed = 0;           ///< for synthetic weights and inputs, and for random numbers
  int runs = 0;                ///< additional runs of each program, which are timed
};

/// An input, node or output whose values differ.
struct DifferingValue {
  std::string name, other_name;    ///< in both programs
  std::string op, at;              ///< of a node: operator and the user's line
  std::vector<std::string> said;   ///< messages on how it differs
  std::vector<std::string> reads;  ///< of a node where the error begins: the differing inputs that it reads
};

struct ValueDiff {
  int64_t nodes_a = 0, nodes_b = 0, pairs = 0, alike = 0;
  std::vector<DifferingValue> inputs, begins, outputs;
  int64_t behind = 0;       ///< differing pairs that read a differing result
  int64_t all_outputs = 0;  ///< number of outputs of the program that has more
  std::vector<std::string> notes;
  std::optional<double> seconds_a, seconds_b;  ///< total of the timed runs

  /// True if all outputs are equal and, if each node has a counterpart, all pairs are equal. If a program has nodes
  /// without a counterpart, a pair may have two nodes of different purpose, so only outputs count.
  bool same() const;
};

/// Runs both programs on the CPU. The inputs are those in the files next to the first program, or else synthetic ones.
/// The second program gets equal inputs, in the dtypes that it records. RAISES the error of a run, which names the
/// node.
ValueDiff diff_values(const ProgramInput& a, const ProgramInput& b, const ValueDiffOptions& options);

}  // namespace ersatz::tools
