// Operations of all lanes of a warp together: shfl, vote, match, redux, bar.warp.sync.
#pragma once

#include "tests/ptx/thread.h"

namespace ersatz::ptx {

/// Gives each lane of `mask` the result of its collective operation. REQUIRES: all these lanes wait at one. Throws
/// Fault if they wait at different ones, or if a lane reads a lane that does not take part.
void finish_collective(Thread* warp, uint32_t mask);

/// Returns whether the collective operation is `bar.warp.sync`.
bool is_warp_barrier(const Instruction& i);

}  // namespace ersatz::ptx
