// Fallback: the metadata of an op without a rule, found by running its real kernel on made-up inputs.
//
// The made-up inputs have the fakes' strides, offsets and flags, and share storages as the fakes do: one real storage
// for each fake one. Results that alias an input become views of that input's fake, results that alias each other share
// one fake storage, and what the kernel did to its inputs (metadata, storage size, versions) is done to the fakes. What
// they hold: the fill of the mode, else of the op; integer arguments with a declared index domain hold indices of it
// whatever the fill. Generators are put back to where they were. No byte of the run survives it.
//
// An op declares `zeros` (it may run on made-up inputs wherever the mode does not refuse), `refuse` (it never does), or
// nothing: then the mode's option decides. Crosscheck's modes take zeros.
//
// Refused before anything is allocated: ops that declare it or whose mode does, symbolic sizes, in-place view ops,
// inputs larger than the mode's cap, devices that are not there (unless FakeOptions::fallback_on_cpu). Refused after
// the run: a kernel that wrote beside the memory that it asked ersatz for.
#pragma once

#include "fake/mode/fake_mode_state.h"

namespace ersatz {

/// Does the op's declaration, or the mode's option, let it fall back?
bool fallback_allowed(const FakeModeState& mode, const OpEntry& op);

/// Answers the call and logs an event in `mode.fallbacks`. REQUIRES: tensors among `args` are fakes of
/// `mode`. UnsupportedOperator where a fallback is not allowed; errors of the kernel pass with the fill named, and with
/// other fills where a value was refused.
void run_fallback(FakeModeState& mode, const OpEntry& op, std::span<const Value> args, Answer& answer);

}  // namespace ersatz
