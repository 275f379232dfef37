// Operations of all lanes of a warp together: shfl, vote, match, redux, bar.warp.sync.
#pragma once

#include "tests/ptx/thread.h"

namespace ersatz::ptx {

/// Gives each lane of `mask` its result. REQUIRES: all these lanes are at a collective. Throws Fault if they are at
/// different ones, or if one reads a lane that does not take part.
void finish_collective(Thread* warp, uint32_t mask);

/// Is the collective `bar.warp.sync`?
bool is_warp_barrier(const Instruction& i);

}  // namespace ersatz::ptx
