// Explains why the memory of a kernel's result differs from its prediction, from one or many calls.
#pragma once

#include "tools/infer/prediction_cause.h"

namespace ersatz::tools {

/// Describes the memory of a flat result: the first argument on its storage, the first earlier result on its storage,
/// and the argument that the result itself is. A member is -1 if there is none.
struct ResultMemory {
  int argument = -1, earlier = -1, is = -1;
};
ResultMemory memory_of(const CallRecord& record, const RecordedOutcome& outcome, size_t k);
/// Formats a ResultMemory, for example `shares storage with argument 0`.
std::string memory_words(const ResultMemory& memory);

/// Returns why result k's memory differs from the prediction or contradicts the schema. `differing` are the calls with
/// that difference; `known` also has calls without it. REQUIRES: neither is empty.
std::string alias_cause(std::span<const CallRecord* const> differing, std::span<const CallRecord* const> known,
                        size_t k);

}  // namespace ersatz::tools
