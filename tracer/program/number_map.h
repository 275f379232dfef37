// A map from integers to integers, made for keys that are mostly consecutive.
//
// Tensors, storages and names are numbered as they are made, and recent ones are looked up most. So 16 consecutive keys
// share a block, blocks are stored in the order in which they were made, and a hash table finds the block. Recent keys
// stay in the CPU's cache even if the map is large. A key takes about 6 bytes if its block is full, and 80 if it is
// alone in its block.
//
// A value is any number except UINT32_MAX. Not thread-safe.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ersatz {

class NumberMap {
 public:
  /// Returns the value of `key`; null if it has none. The pointer is valid until the next `set`.
  const uint32_t* find(uint64_t key) const {
    if (table_.empty()) return nullptr;
    const uint32_t block = table_[place_of(key / kKeys)];
    if (block == kFree) return nullptr;
    const uint32_t& value = blocks_[block].values[key % kKeys];
    return value == kFree ? nullptr : &value;
  }

  void set(uint64_t key, uint32_t value) {
    if (blocks_.size() * 2 >= table_.size()) grow();
    uint32_t& block = table_[place_of(key / kKeys)];
    if (block == kFree) {
      block = static_cast<uint32_t>(blocks_.size());
      blocks_.emplace_back(key / kKeys);
    }
    blocks_[block].values[key % kKeys] = value;
  }

 private:
  static constexpr uint32_t kFree = UINT32_MAX;
  static constexpr uint64_t kKeys = 16;
  struct Block {
    explicit Block(uint64_t n) : number(n) { values.fill(kFree); }
    uint64_t number;  ///< first key divided by kKeys
    std::array<uint32_t, kKeys> values;
  };

  /// Returns the table index that has block `number`, or that would get it. Multiplication by the golden ratio
  /// (Fibonacci hashing) spreads consecutive numbers.
  size_t place_of(uint64_t number) const {
    size_t at = static_cast<size_t>((number * 0x9E3779B97F4A7C15u) >> (64 - std::countr_zero(table_.size())));
    while (table_[at] != kFree && blocks_[table_[at]].number != number) at = (at + 1) & (table_.size() - 1);
    return at;
  }
  void grow() {
    table_.assign(table_.empty() ? 16 : table_.size() * 2, kFree);
    for (uint32_t i = 0; i < blocks_.size(); ++i) table_[place_of(blocks_[i].number)] = i;
  }

  std::vector<Block> blocks_;
  /// Hash table of indices into `blocks_`; its size is a power of two, and at most half of it is used.
  std::vector<uint32_t> table_;
};

}  // namespace ersatz
