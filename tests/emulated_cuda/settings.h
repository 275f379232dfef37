// Settings of the emulated device, from its environment variables:
//
//   ERSATZ_EMULATED_BYTES    its memory (default 8 GiB); a small one lets tests exhaust it
//   ERSATZ_EMULATED_ORDER    a seed for the order of blocks and of the threads in them; not set: by index
//   ERSATZ_EMULATED_THREADS  number of host threads that run the blocks of a launch (1; 2 under ThreadSanitizer)
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace ersatz::cuda_module::emulated {

struct Settings {
  size_t bytes;
  std::optional<uint64_t> order;
  int threads;
};

/// Returns the settings, which are read once. Tests may change them while nothing runs.
Settings& settings();

}  // namespace ersatz::cuda_module::emulated
