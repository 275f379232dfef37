// Which fake mode answers the calls of this thread.
#pragma once

#include "fake/mode/fake_mode_state.h"

namespace ersatz {

/// The fake mode that is active on this thread, in a scope or in the body of a composite op that it answers; null if
/// there is none.
FakeModeState* active_fake_mode();

}  // namespace ersatz
