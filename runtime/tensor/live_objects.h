// Counts the live objects of a kind in the process, so that a leak shows as a number that does not return to its old
// value.
//
//   const LiveObjects before = live_objects();
//   { ... }
//   live_objects() == before                  // nothing of it is left
//
// Each thread counts for itself, without a lock; live_objects() adds the counts of all threads. While other threads
// make and free objects, the sum need not be exact at any one moment.
#pragma once

#include <atomic>
#include <cstdint>

namespace ersatz {

struct LiveObjects {
  int64_t modes = 0;     ///< fake modes
  int64_t tensors = 0;   ///< real and fake ones
  int64_t fakes = 0;     ///< fake tensors
  int64_t storages = 0;  ///< real and fake ones
  int64_t nodes = 0;     ///< nodes of gradient graphs
  bool operator==(const LiveObjects&) const = default;
};
LiveObjects live_objects();

namespace detail {

enum class Live : uint8_t { Mode, Tensor, Fake, Storage, Node };

/// The counts of one thread. When that thread has ended, another thread takes them over.
struct LiveCounts {
  std::atomic<int64_t> of[5] = {};
};
extern thread_local constinit LiveCounts* t_live_counts;
LiveCounts& join_live_counts();

/// Called by the constructor (change 1) and the destructor (-1) of the class that is counted.
inline void count_live(Live kind, int64_t change) {
  LiveCounts& mine = t_live_counts ? *t_live_counts : join_live_counts();
  std::atomic<int64_t>& n = mine.of[static_cast<int>(kind)];
  n.store(n.load(std::memory_order_relaxed) + change, std::memory_order_relaxed);  // only this thread writes it
}

}  // namespace detail

}  // namespace ersatz
