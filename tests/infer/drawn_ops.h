// Ops drawn for the inference of rules, and other calls of theirs that a proposal is held against.
#pragma once

#include "tools/infer/inferred_rule.h"

namespace ersatz::tests {

/// So many shipped ops, drawn with the seed from those that have a sample, a rule or a body, and a kernel or a view.
std::vector<const OpEntry*> drawn_ops(size_t count, uint64_t seed);

/// What a proposal says of calls that the inference has not seen.
struct OtherCalls {
  int64_t calls = 0;  ///< that the op answers
  int64_t agree = 0, differ = 0, not_covered = 0;
  std::string first;  ///< the first difference
};
/// Makes probes with other seeds until the op has answered so many, or refused ten times as many.
OtherCalls hold_against(const OpEntry& op, const tools::InferredRule& rule, int64_t calls);

/// The same with the calls of the op in a file of recorded calls (docs/call-records.md).
OtherCalls hold_against_records(const OpEntry& op, const tools::InferredRule& rule, const std::string& file);

}  // namespace ersatz::tests
