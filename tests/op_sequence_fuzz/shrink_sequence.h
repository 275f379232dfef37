// Finds the shortest part of a sequence whose last call still differs, or after which objects are left.
//
// The first candidates are the calls that the last one depends on, then also calls that used their tensors, then all
// calls. Then runs of calls are removed, shorter and shorter ones. Then swaps are removed, or take their tensors from
// earlier calls. A change is kept if the last call still differs. Differences at earlier calls are ignored, as in the
// pool.
#pragma once

#include "runtime/tensor/live_objects.h"
#include "tests/op_sequence_fuzz/call_pairs.h"

namespace ersatz {

/// The objects that live now and did not live at `before`, as text; empty if there are none. REQUIRES: no other thread
/// makes tensors.
std::string left_over(const LiveObjects& before);

struct ReplayedSequence {
  /// How the last call differs. If it does not differ: the objects that are left when all tensors of the sequence are
  /// gone. Empty if nothing differs and nothing is left.
  std::string difference;
  std::vector<std::string> texts;  ///< text of each call that was made
};
ReplayedSequence replay_sequence(const std::vector<SequenceCall>& calls, const FakeOptions& options);

/// Returns all `calls` if they do not differ again.
std::vector<SequenceCall> shrink_sequence(const std::vector<SequenceCall>& calls, const FakeOptions& options);

/// A line for each call, which parse_sequence_call parses, with the call's text as a comment; then the difference.
std::string sequence_text(const std::vector<SequenceCall>& calls, const FakeOptions& options);

}  // namespace ersatz
