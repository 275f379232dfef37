// Finds the node at which the values of two programs begin to differ, when both run on the same inputs and seed.
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
  bool reference_f64 = false;  ///< if values are not close, both are compared with the first program's run in f64
  uint64_t seed = 0;           ///< seed for synthetic weights and inputs, and for random numbers of the programs
  int runs = 0;                ///< number of additional runs of each program, which are timed
};

/// An input, node or output whose values differ.
struct DifferingValue {
  std::string name, other_name;    ///< name in the first and in the second program
  std::string op, at;              ///< if it is a node: its operator and the user's source line
  std::vector<std::string> said;   ///< messages that describe the difference
  std::vector<std::string> reads;  ///< if the error begins at this node: the differing inputs that it reads
};

struct ValueDiff {
  int64_t nodes_a = 0, nodes_b = 0, pairs = 0, alike = 0;
  std::vector<DifferingValue> inputs, begins, outputs;
  int64_t behind = 0;       ///< number of pairs that differ and read a differing result of another node
  int64_t all_outputs = 0;  ///< number of outputs of the program that has more outputs
  std::vector<std::string> notes;
  std::optional<double> seconds_a, seconds_b;  ///< total of the timed runs

  /// True if the programs compute equal values. All outputs must be equal and, if every node has a counterpart, all
  /// pairs. If a node has no counterpart, other nodes may be paired wrongly, so that only outputs count.
  bool same() const;
};

/// Runs both programs on the CPU. The inputs come from the files next to the first program, or else are synthetic. The
/// second program gets equal inputs, in the dtypes that it records. RAISES the error of a node that fails, with the
/// node's name.
ValueDiff diff_values(const ProgramInput& a, const ProgramInput& b, const ValueDiffOptions& options);

}  // namespace ersatz::tools
