// What a call of a live program has done, as it is told, and as records have it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "fake/ask/asked_call.h"
#include "fake/outcome/compare.h"
#include "tracer/records/call_record.h"

namespace ersatz::tools {

/// What the program says of a call when it has ended.
struct LiveOutcome {
  std::span<const ErsatzValue> results;                      ///< flat
  std::span<const ErsatzTensorMeta* const> after;            ///< the tensor arguments, in order
  std::span<const int64_t> versions_before, versions_after;  ///< of the tensor arguments; -1: not known
  const char* error = nullptr;  ///< the class that was raised: `RuntimeError`, ...; null: none
  std::string message;
  /// Numbers of the tensor arguments whose bytes have changed, where that was looked at; the schema may allow it.
  std::vector<int> rewritten;
  /// Elements that hold what was put into fresh memory before the kernel got it, by flat result, where that was looked
  /// at.
  std::vector<RecordedBytes> unwritten;
};

/// Tensors and numbers among flat results, at least one: what `recorded_results` counts of a record of the call.
size_t results_that_count(std::span<const ErsatzValue> results);

/// The arguments of a call as a record has them.
CallRecord record_told(const OpEntry& op, const AskedCall& call);
/// The same with the outcome of the call.
CallRecord record_told(const OpEntry& op, const AskedCall& call, const LiveOutcome& outcome);

/// What a rule says and what the program tells: results and tensor arguments afterwards, in every field that is told.
OutcomeDiff compare_told(const AskedCall& call, const RuleResult& rule, const LiveOutcome& outcome);

/// Equal to the letter, strides of dims of size 1 included.
bool same_meta(const OutcomeLeaf& ours, const ErsatzTensorMeta& theirs);
/// A tensor argument of a call as it was before it.
OutcomeLeaf argument_before(const AskedCall& call, size_t argument);

}  // namespace ersatz::tools
