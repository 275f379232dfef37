// Combines the findings in all recorded calls of an op, after each call was compared.
#pragma once

#include <span>

#include "tools/validate/call_source.h"
#include "tools/validate/verdict.h"

namespace ersatz::tools {

/// Returns the key of a finding in a recorded call. `op` is any recorded call of the op.
std::string recorded_finding_key(const CallRecord& op, const Finding& finding);

/// Gives each finding the cause that fits all of its calls, and the arguments that decide it. Removes findings that
/// follow from others. Adds findings that no single call shows: sizes that the fake kernel leaves unknown although they
/// equal an argument's size.
void review_records(std::span<const RecordLine> records, OpVerdict& verdict);

}  // namespace ersatz::tools
