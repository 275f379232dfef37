// Calls written as records: what a run of ours leaves of a call, for `ersatz crosscheck` to make again.
#pragma once

#include <span>
#include <string>

#include "runtime/op/op_entry.h"
#include "tracer/records/call_record.h"

namespace ersatz {

/// The record's line, without its end: docs/call-records.md. Of the outcome the results and changed arguments or the
/// error are written, of the rest what the call itself needs; parse_call_record reads it back.
std::string print_call_record(const CallRecord& record);

/// The arguments of a call as a record has them: positional ones, then those that are keyword-only, defaults left out.
/// Storages are numbered in order. Elements are kept of real tensors of up to `most_elements`; the others are zeros, or
/// made up, where the record is replayed. NotSupported where a size is a symbol without an example.
CallRecord record_arguments(const OpEntry& op, std::span<const Value> args, int64_t most_elements);

/// Gives a record the elements of a tensor, as they read after conj and neg.
void keep_elements(const Tensor& real, RecordedTensor& to);

}  // namespace ersatz
