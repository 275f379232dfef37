// A fallback computes the metadata of an op without a rule by running its real kernel on synthetic inputs.
//
// The synthetic inputs have the fakes' strides, offsets and flags, and one real storage for each fake storage. A result
// that shares storage with an input becomes a view of that input's fake, and results that share a storage share one
// fake storage. The kernel's changes to its inputs (metadata, storage size, versions) are applied to the fakes.
// The inputs are filled with the mode's fill if it has one, else with the op's. Integer arguments that hold indices
// always get valid ones. The states of generators are restored after the run. No byte of the run is kept.
//
// An op declares `zeros` (it may run on synthetic inputs unless the mode refuses), `refuse` (it never runs), or
// nothing: then the mode's option decides. The fake modes of crosscheck use zeros.
//
// A call is refused before anything is allocated if the op or the mode refuses, if sizes are symbolic, or if the op is
// an in-place view op. It is also refused if its inputs are larger than FakeOptions::fallback_bytes, or if the device
// is missing and FakeOptions::fallback_on_cpu is false. After the run, a call is refused if its kernel wrote outside of
// the memory that it got from ersatz.
#pragma once

#include "fake/mode/fake_mode_state.h"

namespace ersatz {

/// Returns whether the op's declaration and the mode's options allow a fallback.
bool fallback_allowed(const FakeModeState& mode, const OpEntry& op);

/// Runs the fallback and adds an event to `mode.fallbacks`. Raises UnsupportedOperator if a fallback is not allowed.
/// Raises errors of the kernel, with the fill in their message; if the kernel refused a value, the message suggests
/// other fills. REQUIRES: tensors among `args` are fakes of `mode`.
void run_fallback(FakeModeState& mode, const OpEntry& op, std::span<const Value> args, Answer& answer);

}  // namespace ersatz
