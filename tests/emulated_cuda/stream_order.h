// What comes after what on the emulated device, whose work has always ended when it was asked for: logical clocks.
//
// O1  Each stream counts its work, and knows how much of every other stream's work lies behind it.
// O2  A recorded event keeps what its stream knows; a stream that waits for it knows that too. What the host has
//     waited for (a stream, an event, a query that said yes) lies behind all later work of every stream. There is
//     one host: how its threads wait for each other is not seen.
// O3  A use of a block is in order when it is of the same stream as, or lies behind, every use that it could spoil
//     or be spoilt by: a read the last write, a write or the block's end each use since the last write too.
// No locks: the books (books.h) have one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ersatz::cuda_module::emulated {

class StreamClock {
 public:
  uint64_t at(int stream) const {
    return static_cast<size_t>(stream) < seen_.size() ? seen_[static_cast<size_t>(stream)] : 0;
  }
  void join(const StreamClock& other);
  /// The next piece of work of that stream.
  void tick(int stream);

 private:
  std::vector<uint64_t> seen_;  ///< by stream: so many pieces of its work
};

/// One piece of work that touched a block.
struct BlockUse {
  int stream;
  uint64_t at;     ///< of the stream's own clock
  const char* by;  ///< what work; lives as long as the process
  bool writes;
};

class BlockUses {
 public:
  /// A use that `now`, the clock of the stream's next use, does not lie behind and should; or null.
  const BlockUse* out_of_order(const StreamClock& now, bool writes) const;
  void add(const BlockUse& use);

 private:
  std::vector<BlockUse> since_write_;  ///< the last write first, then the last read of each stream
};

}  // namespace ersatz::cuda_module::emulated
