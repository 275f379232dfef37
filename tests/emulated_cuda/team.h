// Runs the blocks of a launch on the emulated device. runtime/cuda/emulated_team.h declares the threads of a block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "runtime/cuda/emulated_team.h"
#include "tests/emulated_cuda/permutation.h"

namespace ersatz::cuda_module::emulated {

/// Some of a launch's blocks: order(first), order(first + step), ...
struct BlocksRun {
  Permutation order;
  std::optional<uint64_t> seed;  ///< seed of the order of blocks, and of the threads in a block
  int64_t blocks, first, step;
  int threads;
  size_t shared_bytes;
  void (*body)(const void* functor, Team& team);
  const void* functor;
};

/// Runs `body` for each thread of each of these blocks, one block after the other, on the calling host thread.
void run_blocks(const BlocksRun& run);

}  // namespace ersatz::cuda_module::emulated
