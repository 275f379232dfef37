// Writes calls that ersatz made as records, which `ersatz crosscheck` can replay.
#pragma once

#include <span>
#include <string>

#include "runtime/op/op_entry.h"
#include "tracer/records/call_record.h"

namespace ersatz {

/// Returns the record as a line without the newline (docs/call-records.md): the call's arguments, and its results and
/// changed arguments or its error. parse_call_record parses it.
std::string print_call_record(const CallRecord& record);

/// Returns a record with the arguments of a call: positional ones, then keyword-only ones. Arguments that equal their
/// defaults are left out. Storages are numbered in order. A real tensor with at most `most_elements` elements is
/// recorded with them; a replay fills other tensors with zeros or synthetic values. RAISES NotSupported for a symbolic
/// size without a hint.
CallRecord record_arguments(const OpEntry& op, std::span<const Value> args, int64_t most_elements);

/// Stores a tensor's elements in the record `to`, after conj and neg are applied.
void keep_elements(const Tensor& real, RecordedTensor& to);

}  // namespace ersatz
