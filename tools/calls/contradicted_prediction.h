// Recorded predictions for CUDA that the recorder's own CPU run contradicts.
//
// The recorder predicts CPU and CUDA by the same rules, with exceptions, and the record also has its real CPU run. If
// both predictions agree in a field and the real run differs, the CUDA prediction is no evidence for that field. The
// CPU's value replaces it. Each result and written argument is compared field by field: dtype, sizes, strides, offset,
// conj, neg. For the whole call, the sharing of storage is one field.
#pragma once

#include <optional>

#include "tracer/records/call_record.h"

namespace ersatz::tools {

/// A copy of `record` whose contradicted `cuda_fake` fields have the values of the CPU run. nullopt if nothing is
/// contradicted, or if the CPU run or one of the two predictions has no results.
std::optional<CallRecord> without_contradicted(const CallRecord& record);

}  // namespace ersatz::tools
