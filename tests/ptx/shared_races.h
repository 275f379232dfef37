// Races in shared memory: records which threads of a block used which bytes since their last barrier.
#pragma once

#include <cstdint>
#include <vector>

namespace ersatz::ptx {

/// Threads of different warps are ordered only by a barrier of the block, and threads of one warp also by a barrier of
/// the warp. Atomic operations do not race with each other.
class SharedRaces {
 public:
  enum class Use : uint8_t { Reads, Writes, Updates };  ///< Updates: atomically

  explicit SharedRaces(uint32_t bytes) : bytes_(bytes) {}

  void barrier() { ++epoch_; }
  void warp_barrier(int warp) { ++warp_epochs_[warp]; }
  /// Records a use of memory. Returns a text that describes a race with an earlier use; null if there is none.
  const char* use(Use use, uint32_t at, uint32_t bytes, int thread);

 private:
  static constexpr int kNobody = -1, kSeveral = -2;
  struct Mark {
    uint32_t epoch = 0, warp_epoch = 0;
    int thread = kNobody;
    bool atomic = false;
  };
  struct Byte {
    Mark written, read;
  };
  bool races(const Mark& earlier, int thread) const;
  Mark mark(int thread, bool atomic) const { return {epoch_, warp_epochs_[thread / 32], thread, atomic}; }

  std::vector<Byte> bytes_;
  uint32_t epoch_ = 1;
  uint32_t warp_epochs_[32] = {};
};

}  // namespace ersatz::ptx
