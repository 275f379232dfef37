// A permutation of 0 .. n - 1 drawn from a seed, without a table. It uses four rounds of a Feistel network over the
// next power of four, repeated until the value is below n.
#pragma once

#include <cstdint>
#include <optional>

namespace ersatz::cuda_module::emulated {

class Permutation {
 public:
  /// Without a seed the permutation is the identity.
  Permutation(int64_t n, std::optional<uint64_t> seed) : n_(static_cast<uint64_t>(n)), drawn_(seed && n > 1) {
    if (!drawn_) return;
    seed_ = mixed(*seed + n_);
    while (uint64_t(1) << 2 * half_ < n_) ++half_;
  }

  bool is_drawn() const { return drawn_; }
  int64_t operator()(int64_t i) const {
    if (!drawn_) return i;
    auto at = static_cast<uint64_t>(i);
    do at = round_trip(at);
    while (at >= n_);
    return static_cast<int64_t>(at);
  }

 private:
  static uint64_t mixed(uint64_t x) {
    x = (x + 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 29) * 0x94d049bb133111ebu;
    return x ^ x >> 32;
  }
  uint64_t round_trip(uint64_t x) const {
    const uint64_t mask = (uint64_t(1) << half_) - 1;
    uint64_t left = x >> half_, right = x & mask;
    for (uint64_t round = 0; round < 4; ++round) {
      const uint64_t next = left ^ (mixed(seed_ + (round << 56) + right) & mask);
      left = right;
      right = next;
    }
    return left << half_ | right;
  }

  uint64_t n_, seed_ = 0;
  int half_ = 1;
  bool drawn_;
};

}  // namespace ersatz::cuda_module::emulated
