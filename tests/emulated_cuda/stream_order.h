// Logical clocks: which work on the emulated device is ordered before which. The work itself always runs inside its
// call.
//
// O1  Each stream counts its pieces of work. Its clock says how many pieces of every other stream come before its next
// one.
// O2  A recorded event stores the clock of its stream, and a stream that waits for the event takes over this clock. If
// the host has waited for work (a stream, an event, a query that returned true), it comes before all later work of
// every stream. The host counts as one thread: waits between its threads are not tracked.
// O3  A use of a block must come after each earlier use on another stream that it conflicts with. A read conflicts with
// the last write. A write, or the free of the block, conflicts with the last write and with each use since then.
// The classes have no locks: the ledger that uses them (allocation_ledger.h) has one.
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
  /// Counts the next piece of work of `stream`.
  void tick(int stream);

 private:
  std::vector<uint64_t> seen_;  ///< by stream: number of its pieces of work that come before the next one
};

/// One piece of work that touched a block.
struct BlockUse {
  int stream;
  uint64_t at;     ///< time on the stream's own clock
  const char* by;  ///< name of the work; it is never freed
  bool writes;
};

class BlockUses {
 public:
  /// Returns a conflicting use that does not come before `now`, the clock of the next use. Null if there is none.
  const BlockUse* out_of_order(const StreamClock& now, bool writes) const;
  void add(const BlockUse& use);

 private:
  std::vector<BlockUse> since_write_;  ///< the last write, then the last read of each stream after that write
};

}  // namespace ersatz::cuda_module::emulated
