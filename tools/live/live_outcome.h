// The outcome of a call in a live program, and its conversion to a record.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "fake/ask/asked_call.h"
#include "fake/outcome/compare.h"
#include "tracer/records/call_record.h"

namespace ersatz::tools {

/// The outcome of a call, as the live program reports it.
struct LiveOutcome {
  std::span<const ErsatzValue> results;                      ///< all results, with lists flattened
  std::span<const ErsatzTensorMeta* const> after;            ///< the tensor arguments after the call, in order
  std::span<const int64_t> versions_before, versions_after;  ///< version counters of the tensor arguments; -1: unknown
  /// Class of the exception that the call raised, for example `RuntimeError`; null: it did not raise.
  const char* error = nullptr;
  std::string message;
  /// Numbers of the tensor arguments whose bytes changed, if bytes were compared. The schema may allow the change.
  std::vector<int> rewritten;
  /// For each flat result, the elements that still hold the fill of fresh memory after the kernel ran, if that was
  /// tested.
  std::vector<RecordedBytes> unwritten;
};

/// Number of tensors and numbers in the flat results, at least 1. Equals `recorded_results` of the call's record.
size_t results_that_count(std::span<const ErsatzValue> results);

/// A record of the call's arguments, without an outcome.
CallRecord record_of_call(const OpEntry& op, const AskedCall& call);
/// A record of the call's arguments and outcome.
CallRecord record_of_call(const OpEntry& op, const AskedCall& call, const LiveOutcome& outcome);

/// Compares the rule's results, and its tensor arguments after the call, with the reported outcome, in all fields that
/// the program reports.
OutcomeDiff compare_with_rule(const AskedCall& call, const RuleResult& rule, const LiveOutcome& outcome);

/// True if the metadata are equal, strides of dims of size 1 included.
bool same_meta(const OutcomeLeaf& ours, const ErsatzTensorMeta& theirs);
/// Returns a tensor argument as it was before the call.
OutcomeLeaf argument_before(const AskedCall& call, size_t argument);

}  // namespace ersatz::tools
