// Threads of the host that the parts of a launch are dealt to.
#pragma once

#include <cstdint>
#include <functional>

namespace ersatz::cuda_module::emulated {

/// part(first, step) on settings().threads threads at once, with first = 0, 1, ... step - 1, for n parts at most;
/// with one of them on this thread. Returns when all have; raises what one of them raised. What the threads do is
/// ordered behind the call and before its return, and among them not at all. Each thread that calls this has workers
/// of its own.
void deal(int64_t n, const std::function<void(int64_t first, int64_t step)>& part);

}  // namespace ersatz::cuda_module::emulated
