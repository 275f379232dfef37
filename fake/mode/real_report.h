// The report of a mode with propagate_real. It lists lost values and the ops that they affected, reads of data,
// disagreements of rules and kernels, ops without a rule, and decided conditions on symbols.
//
// Equal events have one entry with a count. RealReport is a value type.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/tensor/tensor_meta.h"

namespace ersatz {

struct ValueLoss {
  std::string op;      ///< the op that lost the value; empty: a tensor entered the mode without a value
  std::string reason;  ///< `no cuda device is there`, `made without a value`, ...
  std::string source;  ///< the user's source line, if known
  struct Affected {
    std::string op;
    int64_t count = 1;
  };
  std::vector<Affected> affected;  ///< ops that did not run for real because of this loss, in order of first use
};

/// The results of a call that reads data.
struct SeenValue {
  std::string text;                 ///< the number, or the metadata of the results; empty: the call did not return
  std::optional<int64_t> integer;   ///< the number, if it is an integer
  std::vector<TensorMeta> tensors;  ///< metadata of the results that are tensors
};

/// Equal calls of an op that reads data.
struct DataUse {
  std::string op;
  std::string source;
  SeenValue value;
  int64_t count = 1;
};

/// A disagreement between rule and kernel, or between schema and kernel.
struct RealMismatch {
  std::string op;
  std::string source;
  std::string message;  ///< the message of the error that is raised if mismatches are not collected
  int64_t count = 1;
};

struct MissingRule {
  std::string op;
  int64_t count = 1;
};

/// A condition on symbols that was decided by values of the real run or by hints of sizes.
struct DecidedCondition {
  std::string condition;  ///< the condition that was found true: `u0 > 3`
  std::string op;         ///< the first op that needed the decision; empty: the caller of the mode needed it, not an op
  std::string source;
  int64_t count = 1;
};

struct RealReport {
  std::vector<ValueLoss> losses;
  std::vector<DataUse> data_uses;
  std::vector<RealMismatch> mismatches;
  std::vector<MissingRule> missing_rules;
  // Conditions of the ShapeEnv, from all modes that share it:
  std::vector<DecidedCondition> data_decisions;  ///< conditions that only values of the real run could decide
  std::vector<DecidedCondition> guards;

  /// Returns whether the report is empty.
  bool successful() const {
    return losses.empty() && data_uses.empty() && mismatches.empty() && missing_rules.empty() &&
           data_decisions.empty() && guards.empty();
  }
};

/// Returns one line per event, grouped by kind, or `every value was carried` if the report is empty.
std::string to_string(const RealReport& report);

}  // namespace ersatz
