// Draws ops for which rules are inferred, and compares the inferred rules with further calls of these ops.
#pragma once

#include "tools/infer/inferred_rule.h"

namespace ersatz::tests {

/// Draws `count` shipped ops with the seed. Each has a sample, a rule or a composite body, and a kernel or a view.
std::vector<const OpEntry*> drawn_ops(size_t count, uint64_t seed);

/// Counts from the comparison of an inferred rule with calls that the inference has not seen.
struct OtherCalls {
  int64_t calls = 0;  ///< calls that the op accepts
  int64_t agree = 0, differ = 0, not_covered = 0;
  std::string first;  ///< the first difference
};
/// Compares the rule with probe calls of other seeds. Ends when the op has accepted `calls` of them, or has refused ten
/// times as many.
OtherCalls hold_against(const OpEntry& op, const tools::InferredRule& rule, int64_t calls);

/// Compares the rule with the op's calls in a file of recorded calls (docs/call-records.md).
OtherCalls hold_against_records(const OpEntry& op, const tools::InferredRule& rule, const std::string& file);

}  // namespace ersatz::tests
