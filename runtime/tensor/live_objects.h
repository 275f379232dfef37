// How many objects of a kind live in the process: what is kept by mistake is seen as a number that does not go back.
//
//   const LiveObjects before = live_objects();
//   { ... }
//   live_objects() == before                  // nothing of it is left
//
// Each thread counts for itself, without a lock; asking adds the threads up. While other threads make and free objects
// the numbers are those of no one moment.
#pragma once

#include <atomic>
#include <cstdint>

namespace ersatz {

struct LiveObjects {
  int64_t modes = 0;     ///< fake modes
  int64_t fakes = 0;     ///< fake tensors
  int64_t storages = 0;  ///< real and fake ones
  bool operator==(const LiveObjects&) const = default;
};
LiveObjects live_objects();

namespace detail {

enum class Live : uint8_t { Mode, Fake, Storage };

/// One thread's; another thread takes it over when that thread has ended.
struct LiveCounts {
  std::atomic<int64_t> of[3] = {};
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
