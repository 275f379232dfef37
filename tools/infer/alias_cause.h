// Explains, over many calls, a difference between a kernel's and a prediction's result memory.
#pragma once

#include "tools/infer/prediction_cause.h"

namespace ersatz::tools {

/// Memory of a flat result: the first argument on its storage, the first earlier result on its storage, and the
/// argument that it is. Each is -1 if there is none.
struct ResultMemory {
  int argument = -1, earlier = -1, is = -1;
};
ResultMemory memory_of(const CallRecord& record, const RecordedOutcome& outcome, size_t k);
/// `shares storage with argument 0`.
std::string memory_words(const ResultMemory& memory);

/// The cause if the memory of result k differs or contradicts the schema. `differing` are the calls with a difference,
/// `known` these and others. REQUIRES: neither is empty.
std::string alias_cause(std::span<const CallRecord* const> differing, std::span<const CallRecord* const> known,
                        size_t k);

}  // namespace ersatz::tools
