// Memory for one call, which is allocated in pieces and freed at once. Addresses are valid until then.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

namespace ersatz::python {

template <class T>
class Arena {
 public:
  /// Returns `n` consecutive elements with unspecified values.
  T* take(size_t n = 1) {
    if (block_ < blocks_.size() && used_ + n > blocks_[block_].size) ++block_, used_ = 0;
    while (block_ < blocks_.size() && n > blocks_[block_].size) ++block_;
    if (block_ == blocks_.size()) {
      const size_t size = std::max<size_t>(n, kBlock);
      blocks_.push_back({std::make_unique<T[]>(size), size});
      used_ = 0;
    }
    T* const first = blocks_[block_].elements.get() + used_;
    used_ += n;
    return first;
  }
  void clear() { block_ = used_ = 0; }

 private:
  static constexpr size_t kBlock = 32;
  struct Block {
    std::unique_ptr<T[]> elements;
    size_t size;
  };
  std::vector<Block> blocks_;
  size_t block_ = 0, used_ = 0;
};

}  // namespace ersatz::python
