// Fallback: computes the metadata of an op without a rule by running its real kernel on synthetic inputs.
//
// The synthetic inputs have the fakes' strides, offsets and flags, and one real storage for each fake storage. Results
// that alias an input become views of that input's fake. Results that alias each other share one fake storage. The
// kernel's changes to its inputs (metadata, storage size, versions) are applied to the fakes. The elements are the fill
// of the mode, else of the op. Integer arguments with a declared index domain always get valid indices. Generators are
// restored. No byte of the run is kept.
//
// An op declares `zeros` (it may run on synthetic inputs unless the mode refuses), `refuse` (it never runs), or
// nothing: then the mode's option decides. Crosscheck's modes use zeros.
//
// Calls are refused before allocation for: ops or modes that refuse, symbolic sizes, in-place view ops, inputs larger
// than the mode's cap, missing devices (unless FakeOptions::fallback_on_cpu). After the run, a call is refused if its
// kernel wrote outside of the memory that it got from ersatz.
#pragma once

#include "fake/mode/fake_mode_state.h"

namespace ersatz {

/// Does the op's declaration, or the mode's option, allow a fallback?
bool fallback_allowed(const FakeModeState& mode, const OpEntry& op);

/// Runs the fallback and logs an event in `mode.fallbacks`. REQUIRES: tensors among `args` are fakes of `mode`. Raises
/// UnsupportedOperator if a fallback is not allowed. Errors of the kernel are raised with the fill in their text; if a
/// value was refused, the text suggests other fills.
void run_fallback(FakeModeState& mode, const OpEntry& op, std::span<const Value> args, Answer& answer);

}  // namespace ersatz
