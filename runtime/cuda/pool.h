// Memory of one device, kept for reuse: freed memory is handed out again without asking the driver.
//
// P1  A block belongs to the stream that it was allocated on. Freed, it serves later requests of that stream at once:
//     the stream's own order keeps old work before new. A block stays with its stream while the stream lives.
// P2  Another stream that uses a block is named by `record_stream`. Freed, the block then waits until events recorded
//     on those streams have passed. Freeing with another current stream than the block's own counts as a use there.
// P3  Requests are rounded to 512 bytes, from 16 MiB on to 2 MiB. A free block may serve a request that is up to an
//     eighth smaller.
// P4  If the driver refuses a request, all free blocks are returned to it, and the request is tried once more. If that
//     fails too, InvalidArgument is raised with the figures.
// P5  On a device that a failure has poisoned (status.h) allocation raises, everything else does nothing.
//
// With ERSATZ_CUDA_CACHE=0 nothing is kept: every block is allocated by the driver, for tools that watch blocks
// (compute-sanitizer). Any thread; one lock a device. Freeing never waits for the device.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "runtime/cuda/driver.h"

namespace ersatz::cuda_module {

struct PoolFigures {
  int64_t live_bytes = 0;      ///< as asked, each rounded to 512
  int64_t peak_bytes = 0;      ///< of live_bytes
  int64_t cached_bytes = 0;    ///< free, kept; those that wait for an event included
  int64_t reserved_bytes = 0;  ///< taken from the driver: blocks in use, and cached ones
  int64_t peak_reserved_bytes = 0;
  int64_t allocations = 0;   ///< requests so far
  int64_t driver_calls = 0;  ///< of any kind, made by the pool so far
};

class Pool {
 public:
  explicit Pool(int device);
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  /// nbytes > 0; 256-byte aligned, uninitialised.
  void* allocate(int64_t nbytes, StreamHandle stream);
  /// `current`: the stream of the caller. InternalError for an address that is no live block of this pool.
  void free(void* address, StreamHandle current);
  /// Another stream works with the block that begins at `address`. InternalError as `free`.
  void record_stream(const void* address, StreamHandle stream);

  /// Gives all free blocks back to the device, except those that wait for an event.
  void empty_cache();
  /// Moves the blocks of a stream that is being destroyed to the default stream. REQUIRES: the stream's work is done.
  void stream_ended(StreamHandle stream);

  PoolFigures figures() const;
  void reset_peak();

 private:
  struct Block {
    void* address = nullptr;
    int64_t nbytes = 0;  ///< of the driver
    int64_t asked = 0;   ///< rounded to 512; 0: free
    StreamHandle stream = nullptr;
    std::vector<StreamHandle> users;  ///< other streams than its own
    Block* next = nullptr;            ///< among the free ones of its size
  };
  /// Free blocks of one stream by size. Sizes without a block are not there.
  struct FreeBlocks {
    StreamHandle stream;
    std::map<int64_t, Block*> by_size;
  };
  struct Waiting {
    Block* block;
    std::vector<EventHandle> events;
  };

  Block& live_block(const void* address, const char* what);
  FreeBlocks& free_blocks(StreamHandle stream);
  Block* take_free(int64_t nbytes, StreamHandle stream);
  bool is_beyond_device(int64_t nbytes);
  Block* from_driver(int64_t nbytes, StreamHandle stream);
  void put_free(Block& block);
  void to_driver(Block& block);
  void wait_for_users(Block& block);
  void see_passed_events();
  void finish_waiting();
  void trim();
  EventHandle take_event();
  int64_t cached_bytes() const { return figures_.reserved_bytes - used_bytes_; }

  const int device_;
  const bool keeps_;
  mutable std::mutex mutex_;
  std::unordered_map<const void*, Block> blocks_;  ///< live, free and waiting ones
  std::vector<FreeBlocks> free_;
  std::deque<Waiting> waiting_;
  std::vector<EventHandle> events_;  ///< for use again
  bool asked_driver_ = false;        ///< was asked to keep freed memory
  int64_t used_bytes_ = 0;           ///< of live blocks, as the driver counts them
  PoolFigures figures_;
};

/// The pool behind the tensors of a device.
Pool& pool_of(int device);

}  // namespace ersatz::cuda_module
