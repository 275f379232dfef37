// Handles arguments with tensors that do not belong to the mode: refuses them or converts them to fakes of the mode.
#pragma once

#include "fake/mode/fake_mode_state.h"

namespace ersatz {

/// Returns whether a tensor among the arguments is a fake of another mode.
bool holds_other_mode(const FakeModeState& mode, std::span<const Value> args);

/// Returns the arguments with each tensor converted to a fake of `mode`. Raises an error if the mode's options do not
/// allow the conversion.
std::vector<Value> adopt_arguments(FakeModeState& mode, const OpEntry& op, std::span<const Value> args);

}  // namespace ersatz
