// A set of dims of one tensor: one bit for each dim. Dims from 64 on need an allocation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ersatz {

class DimSet {
 public:
  /// Inserts dim `d`. Returns false if `d` was in the set already. REQUIRES: d >= 0.
  bool insert(int64_t d) {
    if (d < 64) {
      const uint64_t bit = uint64_t(1) << d;
      const bool fresh = (bits_ & bit) == 0;
      bits_ |= bit;
      return fresh;
    }
    if (has(d)) return false;
    if (more_.size() <= static_cast<size_t>(d)) more_.resize(static_cast<size_t>(d) + 1);
    return more_[static_cast<size_t>(d)] = true;
  }
  bool has(int64_t d) const {
    if (d < 64) return (bits_ >> d & 1) != 0;
    return static_cast<size_t>(d) < more_.size() && more_[static_cast<size_t>(d)];
  }

 private:
  uint64_t bits_ = 0;
  std::vector<bool> more_;
};

}  // namespace ersatz
