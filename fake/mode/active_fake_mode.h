// The fake mode that handles the calls of this thread.
#pragma once

#include "fake/mode/fake_mode_state.h"

namespace ersatz {

/// Returns the fake mode that is active on this thread: in a scope, or in the body of a composite op that the mode
/// runs. Null: none.
FakeModeState* active_fake_mode();

}  // namespace ersatz
