// The shortest part of a sequence that still ends in a difference.
//
// Taken first: the calls that made the last one's tensors; those that had them as arguments too; all. Then runs of
// calls are left out, shorter and shorter ones, and what a call takes from earlier ones or has for a number; or it
// takes it from further back. Each where the last call still differs. What differs before the last call is passed
// over, as it was in the pool.
#pragma once

#include "tests/sequences/call_pairs.h"

namespace ersatz {

struct ReplayedSequence {
  std::string difference;          ///< of the last call; empty: none
  std::vector<std::string> texts;  ///< the calls as they were made
};
ReplayedSequence replay_sequence(const std::vector<SequenceCall>& calls, const FakeOptions& options);

/// All `calls`, where they do not differ again.
std::vector<SequenceCall> shrink_sequence(const std::vector<SequenceCall>& calls, const FakeOptions& options);

/// A line a call, which parse_sequence_call reads, with the call as it was made for a comment; then what differs.
std::string sequence_text(const std::vector<SequenceCall>& calls, const FakeOptions& options);

}  // namespace ersatz
