// Counts an allocator's live bytes, their peak, and its calls. Any thread may call it.
#pragma once

#include <atomic>

#include "runtime/tensor/allocator.h"

namespace ersatz {

class AllocationCounter {
 public:
  void add(int64_t nbytes) {
    const int64_t live = live_.fetch_add(nbytes, std::memory_order_relaxed) + nbytes;
    allocations_.fetch_add(1, std::memory_order_relaxed);
    int64_t peak = peak_.load(std::memory_order_relaxed);
    while (live > peak && !peak_.compare_exchange_weak(peak, live, std::memory_order_relaxed)) {
    }
  }
  void subtract(int64_t nbytes) { live_.fetch_sub(nbytes, std::memory_order_relaxed); }
  AllocatorFigures figures() const { return {live_.load(), peak_.load(), allocations_.load()}; }
  void reset_peak() { peak_.store(live_.load()); }

 private:
  std::atomic<int64_t> live_{0}, peak_{0}, allocations_{0};
};

/// An allocator that returns the figures of one AllocationCounter.
class CountedAllocator : public Allocator {
 public:
  AllocatorFigures figures() const final { return counter_.figures(); }
  void reset_peak() final { counter_.reset_peak(); }

 protected:
  AllocationCounter counter_;
};

}  // namespace ersatz
