// The memory pool of one device: freed memory is reused for later requests without a call of the driver.
//
// P1  A block belongs to the stream that it was allocated on. Once freed, it can serve a later request of that stream
//     at once, because the stream runs old work before new work. A block belongs to its stream until the stream ends.
// P2  If another stream uses a block, `record_stream` must be called. After that block is freed, it is not reused
//     before events on those streams have passed. If a block is freed while another stream than its own is current, the
//     current stream counts as a user.
// P3  Requests are rounded up to a multiple of 512 bytes; from 16 MiB on, to a multiple of 2 MiB. A free block may
//     serve a request that is up to an eighth smaller.
// P4  If the driver refuses a request, the pool returns all free blocks to it and tries once more. If that fails too,
//     InvalidArgument is raised with the pool's figures.
// P5  On a device that a failure has made unusable (status.h), `allocate` raises an error, and all other functions do
//     nothing.
//
// With ERSATZ_CUDA_CACHE=0 the pool keeps nothing: the driver allocates every block, for tools that check accesses to
// blocks (compute-sanitizer). Any thread may use a pool; each pool has one lock. Freeing never waits for the device.
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
  int64_t live_bytes = 0;      ///< bytes in use; each request is rounded up to 512
  int64_t peak_bytes = 0;      ///< the largest value of live_bytes
  int64_t cached_bytes = 0;    ///< free blocks, including those that wait for an event
  int64_t reserved_bytes = 0;  ///< bytes that the pool has from the driver: blocks in use and free blocks
  int64_t peak_reserved_bytes = 0;
  int64_t allocations = 0;   ///< number of requests since the start
  int64_t driver_calls = 0;  ///< number of the pool's calls of the driver since the start
};

class Pool {
 public:
  explicit Pool(int device);
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  /// Returns 256-byte aligned, uninitialised memory. REQUIRES: nbytes > 0.
  void* allocate(int64_t nbytes, StreamHandle stream);
  /// Frees a block. `current` is the current stream of the caller. Raises InternalError if `address` is not a block in
  /// use.
  void free(void* address, StreamHandle current);
  /// Must be called if `stream`, which is not the block's own stream, uses the block at `address`. Raises InternalError
  /// if `address` is not a block in use.
  void record_stream(const void* address, StreamHandle stream);

  /// Returns all free blocks to the driver, except those that wait for an event.
  void empty_cache();
  /// Moves the blocks of `stream`, which is about to be destroyed, to the default stream. REQUIRES: the stream's work
  /// is done.
  void stream_ended(StreamHandle stream);

  PoolFigures figures() const;
  void reset_peak();

 private:
  struct Block {
    void* address = nullptr;
    int64_t nbytes = 0;  ///< size of the driver's allocation
    int64_t asked = 0;   ///< size of the request, rounded up to 512; 0: the block is free
    StreamHandle stream = nullptr;
    std::vector<StreamHandle> users;  ///< other streams that use the block
    Block* next = nullptr;            ///< the next free block of this size
  };
  /// The free blocks of one stream by size. A size without a free block has no entry.
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
  std::unordered_map<const void*, Block> blocks_;  ///< all blocks: in use, free, or waiting for an event
  std::vector<FreeBlocks> free_;
  std::deque<Waiting> waiting_;
  std::vector<EventHandle> events_;  ///< events that can be reused
  bool asked_driver_ = false;        ///< whether the driver's pool was told to keep freed memory
  int64_t used_bytes_ = 0;           ///< sum of Block::nbytes of the blocks in use
  PoolFigures figures_;
};

/// Returns the pool for the tensors of a device.
Pool& pool_of(int device);

}  // namespace ersatz::cuda_module
