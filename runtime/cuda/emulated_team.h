// The threads of one block on the emulated device (tests/emulated_cuda/). They are fibers of one host thread, which run
// in turn.
//
// A fiber runs until it waits for the block (`sync`) or for its warp (`exchange`). If not all threads of a block come
// to the same wait, the kernel is wrong, and the program ends with a line that says so. The block's shared memory is
// first filled with a pattern, so that a read before a write is visible. The thread sanitizer sees each fiber as a
// thread, and only `sync` orders their memory accesses. An exchange waits for the warp and orders no memory, like on a
// GPU.
#pragma once

#include <cstddef>
#include <cstdint>

/// Marks functions that the thread sanitizer does not instrument.
#define ERSATZ_UNWATCHED __attribute__((no_sanitize("thread")))

namespace ersatz::cuda_module::emulated {

class Team {
 public:
  int64_t block() const { return block_; }
  ERSATZ_UNWATCHED int thread() const { return current_; }
  int threads() const { return threads_; }
  char* memory() const { return memory_; }
  /// Waits until every thread of the block has called `sync`.
  void sync();
  /// Copies `value` of the lane `distance` lanes after this one (before it, if negative) to `result`. If there is no
  /// lane at that distance in the warp, `result` stays unchanged.
  void exchange(const void* value, void* result, size_t nbytes, int distance);

 protected:
  int64_t block_ = 0;
  int threads_ = 0, current_ = 0;
  char* memory_ = nullptr;
};

}  // namespace ersatz::cuda_module::emulated
