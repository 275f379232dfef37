// Finds recorded predictions for CUDA that the recorder's own CPU run contradicts.
//
// The recorder predicts CPU and CUDA with nearly the same rules, and the record also has its real CPU run. If both
// predictions agree in a field and the real run differs, the CUDA prediction is no evidence for that field. The value
// of the CPU run replaces it. These fields are compared for each result and written argument: dtype, sizes, strides,
// offset, conj, neg. For the whole call, the sharing of storage is one field.
#pragma once

#include <optional>

#include "tracer/records/call_record.h"

namespace ersatz::tools {

/// Returns a copy of `record` in which `cuda_fake` has the CPU run's value for each contradicted field. nullopt if no
/// field is contradicted, or if the CPU run or one of the two predictions has no results.
std::optional<CallRecord> without_contradicted(const CallRecord& record);

}  // namespace ersatz::tools
