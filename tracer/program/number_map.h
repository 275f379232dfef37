// A map from numbers to numbers, made for keys of which many follow each other.
//
// Tensors, storages and names are numbered in the order in which they are made, and those that are asked for are mostly
// young. So 16 consecutive keys share a block, blocks lie in the order in which they were begun, and a hash table finds
// the block: what is in use stays in the cache however much the map holds, and a key among others takes about 6 bytes.
// A key alone in its block takes 80.
//
// A value is any number but UINT32_MAX. One thread at a time.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ersatz {

class NumberMap {
 public:
  /// The value of the key; null if it has none. Valid until the next `set`.
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
    uint64_t number;  ///< of its first key, by kKeys
    std::array<uint32_t, kKeys> values;
  };

  /// Where the table holds the block of that number, or could. Multiplying by the golden ratio (Fibonacci hashing)
  /// keeps consecutive numbers apart.
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
  std::vector<uint32_t> table_;  ///< blocks by the hash of their number; a power of two, at most half of it in use
};

}  // namespace ersatz
