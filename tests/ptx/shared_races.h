// Which threads of a block used which bytes of its shared memory since they last waited for each other.
#pragma once

#include <cstdint>
#include <vector>

namespace ersatz::ptx {

/// Two threads of different warps are ordered by a barrier of the block alone, two of a warp by one of the warp as
/// well. Atomic operations do not race with each other.
class SharedRaces {
 public:
  enum class Use : uint8_t { Reads, Writes, Updates };  ///< Updates: atomically

  explicit SharedRaces(uint32_t bytes) : bytes_(bytes) {}

  void barrier() { ++epoch_; }
  void warp_barrier(int warp) { ++warp_epochs_[warp]; }
  /// Null, or what the use races with.
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
