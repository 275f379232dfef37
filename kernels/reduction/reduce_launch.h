// Chooses how a GPU's threads divide a reduction. The choice depends only on the sizes and on the number of
// multiprocessors, so it is tested without a device. The choice decides the order of a sum. All runs on one GPU give
// equal bits. A GPU with a different number of multiprocessors may give different bits.
#pragma once

#include <algorithm>
#include <cstdint>

namespace ersatz {

/// The threads that together fold the elements of one output.
enum class ReduceTeam : uint8_t {
  Thread,  ///< one thread; adjacent threads have adjacent outputs
  Lanes,   ///< 2 to 32 threads of a warp, which read adjacent elements
  Block    ///< all threads of a block, which read adjacent elements
};

struct ReduceLaunch {
  static constexpr int kMostThreads = 512, kPieceThreads = 256;  ///< threads of a block: in launch 1, in launch 2

  ReduceTeam team = ReduceTeam::Thread;
  int width = 1;       ///< number of threads in a team: a power of two
  int threads = 256;   ///< number of threads in a block
  int64_t pieces = 1;  ///< each output's elements are cut into this number of pieces; if there are several, a
                       ///< second launch folds their totals
};

inline constexpr int kWarpThreads = 32;
inline constexpr int64_t kShortRow = 16;      ///< most elements that one thread folds as fast as several threads
inline constexpr int64_t kWarpRow = 1024;     ///< most elements for which a warp is enough
inline constexpr int64_t kMostPieces = 4096;  ///< most pieces of an output, because one block folds their totals

/// Returns the number of threads that keep a device busy: as many as it holds at once if each thread has 64 registers.
constexpr int64_t busy_threads(int multiprocessors) { return int64_t(multiprocessors) * 1024; }

/// Chooses the launch. `reduced_inner`: elements of one output are adjacent in memory. `packets`: elements are read
/// several at a time. `busy`: the number of threads that keep the device busy.
constexpr ReduceLaunch choose_reduce_launch(int64_t outputs, int64_t count, bool reduced_inner, bool packets,
                                            int64_t busy) {
  ReduceLaunch launch;
  if (outputs < 1 || count < 1) return launch;
  if (!reduced_inner || count <= kShortRow) {
    // A thread gets at least 64 elements. If there are few outputs, their elements are cut into pieces for more
    // threads.
    const int64_t wanted = std::min((busy + outputs - 1) / outputs, count / 64);
    launch.pieces = std::clamp<int64_t>(wanted, 1, kMostPieces);
    return launch;
  }
  if (count <= kWarpRow) {
    launch.team = ReduceTeam::Lanes;
    launch.width = packets ? 2 : kWarpThreads;  // a lane that reads packets loads several at once
    while (launch.width < kWarpThreads && launch.width * kShortRow < count) launch.width *= 2;
    return launch;
  }
  launch.team = ReduceTeam::Block;
  // A thread gets at least 32 elements, or 8 if there are few outputs: more blocks hide the start and end of each
  // block.
  while (launch.threads < ReduceLaunch::kMostThreads &&
         launch.threads * (outputs * launch.threads < busy ? 8 : 32) < count) {
    launch.threads *= 2;
  }
  launch.width = launch.threads;
  // A block gets at least 8,192 elements.
  const int64_t wanted = std::min((busy / launch.threads + outputs - 1) / outputs, count / 8192);
  launch.pieces = std::clamp<int64_t>(wanted, 1, kMostPieces);
  return launch;
}

}  // namespace ersatz
