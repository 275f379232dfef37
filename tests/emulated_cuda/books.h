// The books of the emulated device: its blocks, its pinned memory, its streams and events, and who used what last.
//
// Memory lies between guard zones, so that a write past a block is seen by the work that was given the block, or when
// it is freed; what is freed is overwritten, so that reading it shows. Patterns are written and looked at by the next
// piece of work, since opening device memory is dear. Any thread; one lock.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "runtime/cuda/driver.h"
#include "tests/emulated_cuda/stream_order.h"

namespace ersatz::cuda_module::emulated {

/// What a piece of work began with: its stream and what lies behind it.
struct BegunWork {
  int stream = 0;
  StreamClock clock;
};

/// A live block as a piece of work sees it.
struct SeenBlock {
  char* data;
  size_t nbytes;
  uint64_t number;  ///< no other block's, then or later
};

class Books {
 public:
  // Memory. Null when the device's, or the host's, is used up.
  char* allocate(size_t nbytes, StreamHandle stream);
  void free(void* address, StreamHandle stream);
  char* allocate_pinned(size_t nbytes);
  void free_pinned(void* address);
  size_t free_bytes();

  /// The live block that an address lies in, its very end included.
  std::optional<SeenBlock> block_at(const void* address);
  bool is_pinned(const void* address);
  /// An address of the arena in words.
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
  /// Ends in a fault where that use is not ordered behind another one that it disturbs, or the block's guards are gone.
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
  /// A block that is to get its guards, or to lose them.
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

/// Of the process; never destroyed.
Books& books();

}  // namespace ersatz::cuda_module::emulated
