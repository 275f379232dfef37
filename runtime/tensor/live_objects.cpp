#include "runtime/tensor/live_objects.h"

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace ersatz {

thread_local constinit detail::LiveCounts* detail::t_live_counts = nullptr;

namespace {

struct AllCounts {
  std::mutex mutex;
  std::vector<std::unique_ptr<detail::LiveCounts>> all;
  std::vector<detail::LiveCounts*> free;
};

/// The counts are never freed, because objects of static lifetime change them at exit.
AllCounts& counts_of_threads() {
  static AllCounts& counts = *new AllCounts;
  return counts;
}

/// A thread-local object whose destructor, when the thread ends, offers the thread's counts to the next new thread.
struct LiveCountsLeaver {
  ~LiveCountsLeaver() {
    AllCounts& counts = counts_of_threads();
    const std::lock_guard lock(counts.mutex);
    counts.free.push_back(std::exchange(detail::t_live_counts, nullptr));
  }
};

}  // namespace

detail::LiveCounts& detail::join_live_counts() {
  AllCounts& counts = counts_of_threads();
  {
    const std::lock_guard lock(counts.mutex);
    if (counts.free.empty()) {
      counts.all.push_back(std::make_unique<LiveCounts>());
      t_live_counts = counts.all.back().get();
    } else {
      t_live_counts = counts.free.back();
      counts.free.pop_back();
    }
  }
  // A thread that frees objects after `leaver` was destroyed calls join_live_counts again. Its new counts stay in the
  // list, so the sums include them.
  static thread_local LiveCountsLeaver leaver;
  (void)leaver;
  return *t_live_counts;
}

LiveObjects live_objects() {
  AllCounts& counts = counts_of_threads();
  const std::lock_guard lock(counts.mutex);
  LiveObjects sum;
  for (const auto& c : counts.all) {
    const auto of = [&](detail::Live kind) { return c->of[static_cast<int>(kind)].load(std::memory_order_relaxed); };
    sum.modes += of(detail::Live::Mode);
    sum.tensors += of(detail::Live::Tensor);
    sum.fakes += of(detail::Live::Fake);
    sum.storages += of(detail::Live::Storage);
    sum.nodes += of(detail::Live::Node);
  }
  return sum;
}

}  // namespace ersatz
