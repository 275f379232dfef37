// Infers the rule of an operator: runs probe calls, fits forms (forms.h) to their results, and tests the fit with other
// probes.
//
// 1. Probes are run. Forms that a probe contradicts are dropped. The simplest remaining form gives the answer
// (fit_rule.cpp).
// 2. If remaining forms differ for a call, that call is run and the fit is repeated.
// 3. Held-back probes are predicted. A wrong prediction becomes an example, and the inference starts again with new
// held-back probes. After a few rounds, no rule is proposed.
// 4. The confidence follows from the last held-back probes: if all n were predicted, the error rate is at most 3 / n.
//
// The kernel runs with `dispatch` in this process. Inference uses only the results of these calls, and no rule of
// ersatz.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "tools/infer/inferred_rule.h"

namespace ersatz::tools {

struct InferOptions {
  uint64_t seed = 0;
  int64_t probes = 800;      ///< number of examples that are gathered at the start
  int64_t held_back = 3000;  ///< number of held-back examples in the last round
  int64_t least_held = 200;  ///< with fewer held-back examples, the confidence is not high
  int rounds = 6;
};

/// A proposed rule with at least this confidence counts as sure.
inline constexpr double kHighConfidence = 0.95;

struct Inference {
  std::string op;
  std::optional<InferredRule> rule;  ///< nullopt if no rule is proposed; `declined` has the reason
  std::string declined;
  /// Two calls with equal argument metadata and different values gave different result metadata.
  bool data_dependent = false;
  int64_t probes = 0;       ///< number of calls that were made
  int64_t refused = 0;      ///< of `probes`: calls that the op refused
  int64_t examples = 0;     ///< number of examples that the rule was fitted to
  int64_t confirmed = 0;    ///< held-back examples that the rule predicted correctly
  int64_t not_covered = 0;  ///< held-back examples for which the rule has no answer
  /// A call that would decide between forms but could not be made; empty if there is none.
  std::string undecided;
  double confidence() const { return rule ? rule->confidence : 0; }
};

/// Infers the rule of `op` from probes. If `op` has no CPU kernel, no rule is proposed.
Inference infer(const OpEntry& op, const InferOptions& options = {});
/// Infers the rule of an operator from recorded calls. The operator need not be registered. Every fourth record is held
/// back. If the records have the schema, it names the arguments, and a run can load the rule.
Inference infer(std::string_view op, std::span<const CallRecord> records, const InferOptions& options = {});

/// Text of the proposed rule with its cases and confidence, or the reason why no rule is proposed.
std::string to_string(const Inference& inference);
/// JSON with the counts, `proposed`, `high`, and the rule as in a rule file (rule_file.h) under `rule`.
nlohmann::ordered_json to_json(const Inference& inference);
/// Returns C++ code of the rule for a plugin, which needs <ersatz/plugin_op.h>. Empty if a plugin cannot express a part
/// of the rule; `why` then names the part. REQUIRES: `schema` is the op's schema.
std::string rule_cpp(const InferredRule& rule, const FunctionSchema& schema, std::string& why);

}  // namespace ersatz::tools
