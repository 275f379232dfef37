// Records about the emulated device: its blocks, pinned memory, streams and events, and the last uses of each block.
//
// Each block is between guard zones. A write beyond a block is detected when work that used the block ends, or when the
// block is freed. Freed memory is overwritten, so that a later read of it gives wrong values. The next piece of work
// writes and checks these patterns, because opening device memory is slow. Any thread may call; there is one lock.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "runtime/cuda/driver.h"
#include "tests/emulated_cuda/stream_order.h"

namespace ersatz::cuda_module::emulated {

/// The start of a piece of work: its stream, and the work that happened before it.
struct BegunWork {
  int stream = 0;
  StreamClock clock;
};

/// A live block that a piece of work uses.
struct SeenBlock {
  char* data;
  size_t nbytes;
  uint64_t number;  ///< a number that no other block ever has
};

class AllocationLedger {
 public:
  // Memory. Null if the memory of the device, or of the host, is used up.
  char* allocate(size_t nbytes, StreamHandle stream);
  void free(void* address, StreamHandle stream);
  char* allocate_pinned(size_t nbytes);
  void free_pinned(void* address);
  size_t free_bytes();

  /// Returns the live block that contains an address, or ends at it.
  std::optional<SeenBlock> block_at(const void* address);
  bool is_pinned(const void* address);
  /// Describes an address of the arena in words.
  std::string place(const void* address);

  // Streams and events.
  StreamHandle make_stream();
  void drop_stream(StreamHandle stream);
  void record(EventHandle event, StreamHandle stream);
  void wait(StreamHandle stream, EventHandle event);
  void host_waited(StreamHandle stream);
  void host_saw(EventHandle event);
  EventHandle make_event();
  void drop_event(EventHandle event);
  float milliseconds(EventHandle begin, EventHandle end);

  /// REQUIRES: device memory is open.
  BegunWork begin(StreamHandle stream);
  /// Records a use. Aborts with a fault if the use is not ordered after an earlier one that it conflicts with, or if
  /// the guard zones were changed.
  void use(const BegunWork& work, const SeenBlock& block, const char* by, bool writes);

 private:
  struct Block {
    size_t nbytes;
    uint64_t number;
    BlockUses uses;
  };
  struct Stream {
    int number;
    StreamClock clock;
  };
  using Blocks = std::map<const char*, Block>;

  Stream& stream_of(StreamHandle handle) { return handle ? *static_cast<Stream*>(handle) : default_stream_; }
  /// A block whose guard zones are to be written, or removed.
  struct Pending {
    char* zone;
    size_t nbytes;
    bool freed;
  };
  BegunWork next_work(StreamHandle stream);
  void settle();
  Blocks::iterator at_or_before(const void* address);

  std::mutex mutex_;
  Blocks blocks_;
  std::vector<Pending> pending_;
  std::map<const char*, size_t> pinned_;
  size_t live_ = 0;
  uint64_t last_block_ = 0;
  int last_stream_ = 0;
  Stream default_stream_{0, {}};
  StreamClock host_;
};

/// Returns the ledger of the process, which is never destroyed.
AllocationLedger& ledger();

}  // namespace ersatz::cuda_module::emulated
