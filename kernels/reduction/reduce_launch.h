// How a GPU's threads share out a reduction: a pure function of its extent, so that it is tested without a device.
#pragma once

#include <algorithm>
#include <cstdint>

namespace ersatz {

/// Who folds an output's elements.
enum class ReduceTeam : uint8_t {
  Thread,  ///< one thread; neighbouring threads have neighbouring outputs
  Warp,    ///< 32 threads, which read neighbouring elements
  Block    ///< all threads of a block, likewise
};

struct ReduceLaunch {
  ReduceTeam team = ReduceTeam::Thread;
  int threads = 256;   ///< of a block
  int64_t pieces = 1;  ///< each output's elements are cut into so many; where there are several, a second launch folds
                       ///< what they gave
};

inline constexpr int64_t kBusyThreads = 1 << 17;  ///< about what fills the largest devices
inline constexpr int64_t kShortRow = 16;          ///< elements that one thread folds as fast as a warp does
inline constexpr int64_t kWarpRow = 1024;         ///< elements that are worth no more than a warp
inline constexpr int64_t kMostPieces = 4096;      ///< their totals are folded by one block an output

/// `reduced_inner`: neighbours in memory belong to one output.
constexpr ReduceLaunch choose_reduce_launch(int64_t outputs, int64_t count, bool reduced_inner) {
  ReduceLaunch launch;
  if (outputs < 1 || count < 1) return launch;
  if (!reduced_inner || count <= kShortRow) {
    // A thread has at least 64 elements; few outputs are cut until there are threads enough.
    const int64_t wanted = std::min((kBusyThreads + outputs - 1) / outputs, count / 64);
    launch.pieces = std::clamp<int64_t>(wanted, 1, kMostPieces);
    return launch;
  }
  if (count <= kWarpRow) {
    launch.team = ReduceTeam::Warp;
    return launch;
  }
  launch.team = ReduceTeam::Block;
  while (launch.threads < 512 && launch.threads * 8 < count) launch.threads *= 2;
  // A block has at least 8,192 elements.
  const int64_t wanted = std::min((kBusyThreads / launch.threads + outputs - 1) / outputs, count / 8192);
  launch.pieces = std::clamp<int64_t>(wanted, 1, kMostPieces);
  return launch;
}

}  // namespace ersatz
