// How the emulated device works, from its environment variables:
//
//   ERSATZ_EMULATED_BYTES    its memory (8 GiB): running out of it can be tried
//   ERSATZ_EMULATED_ORDER    a seed: blocks, and the threads within them, run in an order drawn from it; else by index
//   ERSATZ_EMULATED_THREADS  threads of the host that the blocks of a launch are dealt to (1; 2 under ThreadSanitizer)
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

/// Read once; tests may change them while nothing runs.
Settings& settings();

}  // namespace ersatz::cuda_module::emulated
