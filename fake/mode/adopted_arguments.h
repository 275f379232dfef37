// Arguments of a call with tensors that are not the mode's: refused, or converted to fakes of the mode.
#pragma once

#include "fake/mode/fake_mode_state.h"

namespace ersatz {

/// Is a tensor among them a fake of another mode?
bool holds_other_mode(const FakeModeState& mode, std::span<const Value> args);

/// The arguments with every tensor as a fake of `mode`. Raises where they may not be converted.
std::vector<Value> adopt_arguments(FakeModeState& mode, const OpEntry& op, std::span<const Value> args);

}  // namespace ersatz
