// Writes calls of our own runs as records, which `ersatz crosscheck` can replay.
#pragma once

#include <span>
#include <string>

#include "runtime/op/op_entry.h"
#include "tracer/records/call_record.h"

namespace ersatz {

/// Returns the record's line without the newline (docs/call-records.md). It has what the call needs, and the results
/// and changed arguments or the error. parse_call_record parses it.
std::string print_call_record(const CallRecord& record);

/// Returns a record with the arguments of a call: positional ones, then keyword-only ones, without defaults. Storages
/// are numbered in order. Real tensors of up to `most_elements` elements keep their elements; others become zeros or
/// synthetic values in a replay. Raises NotSupported for a symbolic size without an example.
CallRecord record_arguments(const OpEntry& op, std::span<const Value> args, int64_t most_elements);

/// Copies a tensor's elements into a record, with conj and neg applied.
void keep_elements(const Tensor& real, RecordedTensor& to);

}  // namespace ersatz
