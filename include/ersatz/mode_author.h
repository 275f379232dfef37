// For authors of modes: the state of a fake mode, the answer of a fake mode to one call, and the map from real tensors
// to their fakes. Users of modes include <ersatz/fake.h>.
#pragma once

#include "ersatz/call.h"
#include "ersatz/fake.h"
#include "fake/mode/active_fake_mode.h"
#include "fake/mode/fake_mode_state.h"
#include "fake/mode/fake_real_map.h"
