// Races in device memory: records which blocks and threads of a launch used which bytes, and whether the uses are
// ordered.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "tests/ptx/shared_races.h"

namespace ersatz::ptx {

/// Threads of a block are ordered by its barriers; threads of one warp are not checked. Blocks are ordered by atomic
/// and volatile accesses to one address: if block A accesses it before block B does, then A's earlier work comes before
/// B's later work. A missing fence is not detected. Atomic and volatile accesses do not race with each other.
class GlobalRaces {
 public:
  using Use = SharedRaces::Use;

  void launch();
  /// Starts a block. Blocks run one after the other.
  void block(uint32_t number);
  void barrier() { ++barriers_; }
  /// Records an atomic or volatile access of the running block.
  void synchronise(uint64_t address);
  /// Records a use of memory. Returns a text that describes a race with an earlier use; null if there is none.
  const char* use(Use use, uint64_t address, uint32_t bytes, int thread);

 private:
  using Clock = std::unordered_map<uint32_t, uint32_t>;  ///< the last known time of each block
  struct Mark {
    uint32_t block = 0, time = 0, barriers = 0;
    int thread = -1;  ///< -1: no use yet
    bool atomic = false;
  };
  struct Byte {
    Mark written;
    std::vector<Mark> read;  ///< last read of each block since the last write
  };
  bool races(const Mark& earlier, int thread) const;
  Mark mark(int thread, bool atomic) const { return {block_, time_, barriers_, thread, atomic}; }
  static void join(Clock& to, const Clock& from);

  std::unordered_map<uint64_t, Byte> bytes_;
  std::unordered_map<uint64_t, Clock> released_;  ///< clocks by address
  Clock known_;                                   ///< clock of the running block
  uint32_t block_ = 0, time_ = 1, barriers_ = 0;
};

}  // namespace ersatz::ptx
