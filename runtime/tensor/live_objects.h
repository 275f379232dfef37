// Counts the live objects of each kind in the process. After a leak, the count does not return to its earlier value.
//
//   const LiveObjects before = live_objects();
//   { ... }
//   live_objects() == before                  // true: every object of the block was freed
//
// Each thread has its own counts, which need no lock; live_objects() adds the counts of all threads. The sum may be
// inexact while other threads make and free objects.
#pragma once

#include <atomic>
#include <cstdint>

namespace ersatz {

struct LiveObjects {
  int64_t modes = 0;     ///< fake modes
  int64_t tensors = 0;   ///< real and fake tensors
  int64_t fakes = 0;     ///< fake tensors
  int64_t storages = 0;  ///< real and fake storages
  int64_t nodes = 0;     ///< nodes of gradient graphs
  bool operator==(const LiveObjects&) const = default;
};
LiveObjects live_objects();

namespace detail {

enum class Live : uint8_t { Mode, Tensor, Fake, Storage, Node };

/// The counts of one thread. When a thread has ended, a new thread may take over its counts.
struct LiveCounts {
  std::atomic<int64_t> of[5] = {};
};
extern thread_local constinit LiveCounts* t_live_counts;
LiveCounts& join_live_counts();

/// Each counted class calls this function in its constructor (change 1) and destructor (change -1).
inline void count_live(Live kind, int64_t change) {
  LiveCounts& mine = t_live_counts ? *t_live_counts : join_live_counts();
  std::atomic<int64_t>& n = mine.of[static_cast<int>(kind)];
  n.store(n.load(std::memory_order_relaxed) + change, std::memory_order_relaxed);  // only this thread writes it
}

}  // namespace detail

}  // namespace ersatz
