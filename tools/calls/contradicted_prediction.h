// What a recorded prediction for CUDA is worth where the recorder contradicts itself.
//
// The recorder's fakes predict CPU and CUDA by the same rules, with exceptions, and the same record holds its real run
// on the CPU. Where both predictions say the same of a field and the real run says otherwise, the prediction for CUDA
// is no evidence in this field: the fact of the CPU takes its place. Fields are judged one by one, for each result and
// each written argument: dtype, sizes, strides, offset, conj, neg, and, for the call as a whole, what shares storage
// with what.
#pragma once

#include <optional>

#include "tracer/records/call_record.h"

namespace ersatz::tools {

/// The record with such fields of `cuda_fake` replaced. Empty: there are none, or one of the three has no
/// results.
std::optional<CallRecord> without_contradicted(const CallRecord& record);

}  // namespace ersatz::tools
