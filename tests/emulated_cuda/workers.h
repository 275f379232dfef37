// Host threads that run the parts of a launch.
#pragma once

#include <cstdint>
#include <functional>

namespace ersatz::cuda_module::emulated {

/// Calls part(first, step) on settings().threads threads, at most n, with first = 0, 1, ... step - 1; one call runs on
/// this thread. Returns when all calls have, and raises an error of one of them. The calls come after the caller's
/// earlier work and before its later work, and have no order among each other. Each calling thread has its own workers.
void deal(int64_t n, const std::function<void(int64_t first, int64_t step)>& part);

}  // namespace ersatz::cuda_module::emulated
