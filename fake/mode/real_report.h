// What real-tensor propagation has to tell: where values were lost and what that affected, where the program read
// data, where a rule and its kernel disagreed, which ops had no rule, what had to be decided about symbols.
//
// Equal events are one entry with a count. A value type.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/tensor/tensor_meta.h"

namespace ersatz {

struct ValueLoss {
  std::string op;      ///< at which the value was lost; empty: where a tensor entered the mode
  std::string reason;  ///< `no cuda device is there`, `made without a value`, ...
  std::string source;  ///< the user's source line, if known
  struct Affected {
    std::string op;
    int64_t count = 1;
  };
  std::vector<Affected> affected;  ///< later ops that were not run for real because of it, in order of first use
};

/// What a call that reads data returned.
struct SeenValue {
  std::string text;                 ///< the number, or the metadata of the results; empty: the call did not return
  std::optional<int64_t> integer;   ///< the number, if it is an integer
  std::vector<TensorMeta> tensors;  ///< metadata of the results that are tensors
};

/// An op that reads data.
struct DataUse {
  std::string op;
  std::string source;
  SeenValue value;
  int64_t count = 1;
};

/// A disagreement of rule and kernel, or of schema and kernel.
struct RealMismatch {
  std::string op;
  std::string source;
  std::string message;  ///< what is raised where mismatches are not collected
  int64_t count = 1;
};

struct MissingRule {
  std::string op;
  int64_t count = 1;
};

/// A condition on symbols that was decided: by values that the real run saw, or by the hints of sizes.
struct DecidedCondition {
  std::string condition;  ///< as it was found to hold: `u0 > 3`
  std::string op;         ///< that asked first; empty: none, but the caller
  std::string source;
  int64_t count = 1;
};

struct RealReport {
  std::vector<ValueLoss> losses;
  std::vector<DataUse> data_uses;
  std::vector<RealMismatch> mismatches;
  std::vector<MissingRule> missing_rules;
  // Of the ShapeEnv, all modes that share it together:
  std::vector<DecidedCondition> data_decisions;  ///< nothing but the values of the real run decided them
  std::vector<DecidedCondition> guards;

  /// Nothing to tell.
  bool successful() const {
    return losses.empty() && data_uses.empty() && mismatches.empty() && missing_rules.empty() &&
           data_decisions.empty() && guards.empty();
  }
};

/// One line an event, those of a kind together; `every value was carried` where there is none.
std::string to_string(const RealReport& report);

}  // namespace ersatz
