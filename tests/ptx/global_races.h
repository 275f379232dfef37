// Which blocks and threads of a launch used which bytes of device memory, and whether anything ordered them.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "tests/ptx/shared_races.h"

namespace ersatz::ptx {

/// Threads of a block are ordered by its barriers; those of one warp are not looked at. Blocks are ordered by atomic
/// and volatile accesses to one address: what a block did before such an access is before what another block does after
/// a later one there (a fence that is missing between is not seen). Accesses of that kind race with none of their own.
class GlobalRaces {
 public:
  using Use = SharedRaces::Use;

  void launch();
  /// A block begins; blocks run one after the other.
  void block(uint32_t number);
  void barrier() { ++barriers_; }
  /// An atomic or volatile access of the running block.
  void synchronise(uint64_t address);
  /// Null, or what the use races with.
  const char* use(Use use, uint64_t address, uint32_t bytes, int thread);

 private:
  using Clock = std::unordered_map<uint32_t, uint32_t>;  ///< of each block, the last of its times that are known
  struct Mark {
    uint32_t block = 0, time = 0, barriers = 0;
    int thread = -1;  ///< -1: nobody yet
    bool atomic = false;
  };
  struct Byte {
    Mark written;
    std::vector<Mark> read;  ///< the last of each block, since it was written
  };
  bool races(const Mark& earlier, int thread) const;
  Mark mark(int thread, bool atomic) const { return {block_, time_, barriers_, thread, atomic}; }
  static void join(Clock& to, const Clock& from);

  std::unordered_map<uint64_t, Byte> bytes_;
  std::unordered_map<uint64_t, Clock> released_;  ///< by address
  Clock known_;                                   ///< to the running block
  uint32_t block_ = 0, time_ = 1, barriers_ = 0;
};

}  // namespace ersatz::ptx
