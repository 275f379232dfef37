// The fake mode that handles the calls of this thread.
#pragma once

#include "fake/mode/fake_mode_state.h"

namespace ersatz {

/// Returns the fake mode that is active on this thread, in a FakeScope or while the mode runs the body of a composite
/// op; null if there is none.
FakeModeState* active_fake_mode();

}  // namespace ersatz
