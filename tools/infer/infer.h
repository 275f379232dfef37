// Infers an op's rule: runs probe calls, fits forms to them, and tests the fit with probes that it has not seen.
//
// 1. Probes are run. Forms that a probe refutes are dropped; the simplest form left gives the answer (fit_rule.cpp).
// 2. Calls for which the remaining forms differ are run too, and the fit is repeated until there are none.
// 3. Held-back probes are predicted. A wrong prediction becomes an example, and the inference starts again
//    with new held-back probes. After a few rounds there is no proposal.
// 4. The confidence follows from the last held-back probes: n of n confirmed bound the error rate by 3 / n.
//
// The kernel runs with `dispatch` in this process. Only results of calls are used, and no rule.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "tools/infer/inferred_rule.h"

namespace ersatz::tools {

struct InferOptions {
  uint64_t seed = 0;
  int64_t probes = 800;      ///< examples at the start
  int64_t held_back = 3000;  ///< held-back examples of the last round
  int64_t least_held = 200;  ///< fewer than this give no high confidence
  int rounds = 6;
};

/// A proposal with at least this confidence counts as sure.
inline constexpr double kHighConfidence = 0.95;

struct Inference {
  std::string op;
  std::optional<InferredRule> rule;  ///< empty: `declined` says why
  std::string declined;
  bool data_dependent = false;  ///< equal metadata with other values gives other results' metadata
  int64_t probes = 0;           ///< calls that were made
  int64_t refused = 0;          ///< of `probes`: calls that the op refused
  int64_t examples = 0;         ///< examples that the rule was fitted to
  int64_t confirmed = 0;        ///< held-back examples that the rule predicted
  int64_t not_covered = 0;      ///< held-back examples for which the rule has no answer
  std::string undecided;        ///< a call that would decide between forms but could not be made; empty: none
  double confidence() const { return rule ? rule->confidence : 0; }
};

/// Infers the rule of `op` from probes. Without a CPU kernel it declines.
Inference infer(const OpEntry& op, const InferOptions& options = {});
/// Infers the rule from recorded calls of one op, which need not be registered. Every fourth record is held back. If
/// the records have a schema, it names the arguments, and a run can load the rule.
Inference infer(std::string_view op, std::span<const CallRecord> records, const InferOptions& options = {});

/// Text of the proposal with its cases and confidence, or the reason why there is none.
std::string to_string(const Inference& inference);
/// JSON of the counts, `proposed`, `high`, and the `rule` as in a file (rule_file.h).
nlohmann::ordered_json to_json(const Inference& inference);
/// C++ text of the rule for a plugin; it needs <ersatz/plugin_op.h>. Empty if plugins cannot express the rule; `why`
/// then names the part. REQUIRES: the op's schema.
std::string rule_cpp(const InferredRule& rule, const FunctionSchema& schema, std::string& why);

}  // namespace ersatz::tools
