// The threads of one block on the emulated device (tests/emulated_cuda/): fibers of one thread of the host, which run
// in turn.
//
// A fiber runs until it waits for the others (`sync`) or for its warp (`exchange`). A block whose threads do not all
// come to the same wait is a fault of the kernel and ends the program with a line that says so. The block's shared
// memory is filled with a pattern first, so that a read before a write shows. The thread sanitizer sees each fiber as a
// thread, and only `sync` orders their memory accesses. An exchange waits for the warp and orders no memory, like on a
// GPU.
#pragma once

#include <cstddef>
#include <cstdint>

/// Not watched by the thread sanitizer.
#define ERSATZ_UNWATCHED __attribute__((no_sanitize("thread")))

namespace ersatz::cuda_module::emulated {

class Team {
 public:
  int64_t block() const { return block_; }
  ERSATZ_UNWATCHED int thread() const { return current_; }
  int threads() const { return threads_; }
  char* memory() const { return memory_; }
  /// Returns when every thread of the block has come here.
  void sync();
  /// Writes what the lane `distance` further on (or back) offers to `result` (untouched at the end of the warp).
  void exchange(const void* value, void* result, size_t nbytes, int distance);

 protected:
  int64_t block_ = 0;
  int threads_ = 0, current_ = 0;
  char* memory_ = nullptr;
};

}  // namespace ersatz::cuda_module::emulated
