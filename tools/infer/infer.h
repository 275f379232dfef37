// The inference of an op's rule: probes are run and fitted, what is undecided is probed, and what is left is held
// against probes that the fit has not seen.
//
//   1. probes are run; forms that none refutes are left, the simplest answers        (fit_rule.cpp)
//   2. calls for which the forms that are left differ are run too, and the fit is made again, until none is found
//   3. other probes, held back, are predicted. One that is not as predicted joins the examples, and all begins again
//      with new ones; after a few rounds the op has no proposal
//   4. the confidence is what the last held-back probes allow: n of n confirmed bound the rate of errors by 3 / n
//
// The kernel is run with `dispatch` in this process. Nothing but what calls return is looked at: not a rule.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "tools/infer/inferred_rule.h"

namespace ersatz::tools {

struct InferOptions {
  uint64_t seed = 0;
  int64_t probes = 800;      ///< examples to begin with
  int64_t held_back = 3000;  ///< examples of the last word
  int64_t least_held = 200;  ///< fewer of them give no high confidence
  int rounds = 6;
};

/// A confidence from which a proposal counts as sure.
inline constexpr double kHighConfidence = 0.95;

struct Inference {
  std::string op;
  std::optional<InferredRule> rule;  ///< empty: `declined` says why
  std::string declined;
  bool data_dependent = false;  ///< the same metadata with other values give other metadata
  int64_t probes = 0;           ///< calls that were made
  int64_t refused = 0;          ///< ... and that the op refused
  int64_t examples = 0;         ///< the rule was fitted on
  int64_t confirmed = 0;        ///< of those held back
  int64_t not_covered = 0;      ///< ... of which the rule says nothing
  std::string undecided;        ///< a call that would decide between forms, and could not be made; empty: none
  double confidence() const { return rule ? rule->confidence : 0; }
};

/// REQUIRES: a kernel for the CPU (or it declines).
Inference infer(const OpEntry& op, const InferOptions& options = {});
/// The same from recorded calls of one op, which need not be registered. Every fourth is held back. A schema that the
/// records have names the arguments, and makes the rule one that a run can load.
Inference infer(std::string_view op, std::span<const CallRecord> records, const InferOptions& options = {});

/// For people: the proposal in words with its cases, confidence and what was held back, or why there is none.
std::string to_string(const Inference& inference);
/// Its counts under their names, `proposed`, `high`, and the `rule` as in a file (rule_file.h).
nlohmann::ordered_json to_json(const Inference& inference);
/// A rule for a plugin, to paste: needs <ersatz/plugin_op.h>. Empty: plugins cannot say what the rule says; `why` names
/// the part. REQUIRES: the op's schema.
std::string rule_cpp(const InferredRule& rule, const FunctionSchema& schema, std::string& why);

}  // namespace ersatz::tools
