// Whose memory a result is, in words: of the kernel and of the prediction, over many calls.
#pragma once

#include "tools/infer/prediction_cause.h"

namespace ersatz::tools {

/// Of the k-th flat result: the first argument on its storage, the first result before it there, and which argument it
/// is; -1 each: none.
struct ResultMemory {
  int argument = -1, earlier = -1, is = -1;
};
ResultMemory memory_of(const CallRecord& record, const RecordedOutcome& outcome, size_t k);
/// `shares storage with argument 0`.
std::string memory_words(const ResultMemory& memory);

/// The cause where the memory of result k differs, or is not what the schema says. `differing` are calls that do,
/// `known` these and others. REQUIRES: neither is empty.
std::string alias_cause(std::span<const CallRecord* const> differing, std::span<const CallRecord* const> known,
                        size_t k);

}  // namespace ersatz::tools
