// How a GPU's threads share out a reduction: a pure function of its extent and of the number of the device's
// multiprocessors, so that it is tested without a device. The order of a sum follows from it: the same card gives equal
// bits each time, and a card with more or fewer multiprocessors may give others.
#pragma once

#include <algorithm>
#include <cstdint>

namespace ersatz {

/// Who folds an output's elements.
enum class ReduceTeam : uint8_t {
  Thread,  ///< one thread; neighbouring threads have neighbouring outputs
  Lanes,   ///< 2 to 32 threads of a warp, which read neighbouring elements
  Block    ///< all threads of a block, likewise
};

struct ReduceLaunch {
  static constexpr int kMostThreads = 512, kPieceThreads = 256;  ///< of a block, of the second launch

  ReduceTeam team = ReduceTeam::Thread;
  int width = 1;       ///< threads of a team: a power of two
  int threads = 256;   ///< of a block
  int64_t pieces = 1;  ///< each output's elements are cut into so many; where there are several, a second launch folds
                       ///< what they gave
};

inline constexpr int kWarpThreads = 32;
inline constexpr int64_t kShortRow = 16;      ///< elements that one thread folds as fast as several do
inline constexpr int64_t kWarpRow = 1024;     ///< elements that are worth no more than a warp
inline constexpr int64_t kMostPieces = 4096;  ///< their totals are folded by one block an output

/// Threads that keep a device busy: as many as its multiprocessors hold at once where each has 64 registers.
constexpr int64_t busy_threads(int multiprocessors) { return int64_t(multiprocessors) * 1024; }

/// `reduced_inner`: neighbours in memory belong to one output. `packets`: they are read several at a time. `busy`:
/// threads that keep the device busy.
constexpr ReduceLaunch choose_reduce_launch(int64_t outputs, int64_t count, bool reduced_inner, bool packets,
                                            int64_t busy) {
  ReduceLaunch launch;
  if (outputs < 1 || count < 1) return launch;
  if (!reduced_inner || count <= kShortRow) {
    // A thread has at least 64 elements; few outputs are cut until there are threads enough.
    const int64_t wanted = std::min((busy + outputs - 1) / outputs, count / 64);
    launch.pieces = std::clamp<int64_t>(wanted, 1, kMostPieces);
    return launch;
  }
  if (count <= kWarpRow) {
    launch.team = ReduceTeam::Lanes;
    launch.width = packets ? 2 : kWarpThreads;  // a lane that reads packets has several under way
    while (launch.width < kWarpThreads && launch.width * kShortRow < count) launch.width *= 2;
    return launch;
  }
  launch.team = ReduceTeam::Block;
  // A thread has at least 32 elements, of few outputs 8: more blocks at a time hide where one begins and ends.
  while (launch.threads < ReduceLaunch::kMostThreads &&
         launch.threads * (outputs * launch.threads < busy ? 8 : 32) < count) {
    launch.threads *= 2;
  }
  launch.width = launch.threads;
  // A block has at least 8,192 elements.
  const int64_t wanted = std::min((busy / launch.threads + outputs - 1) / outputs, count / 8192);
  launch.pieces = std::clamp<int64_t>(wanted, 1, kMostPieces);
  return launch;
}

}  // namespace ersatz
