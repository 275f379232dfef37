// The Philox 4x32-10 function, for the host and for GPUs (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3",
// SC 2011).
#pragma once

#include <cstdint>

#include "runtime/base/host_device.h"

namespace ersatz {

/// One block of four random words.
struct PhiloxWords {
  uint32_t word[4];
};

/// Returns the block for key `seed` and the 128-bit counter whose low half is `counter` and whose high half is
/// `counter_high`.
ERSATZ_HD inline PhiloxWords philox_words(uint64_t seed, uint64_t counter, uint64_t counter_high = 0) {
  // Multipliers and key increments (Weyl sequences) of the paper's table 2.
  constexpr uint64_t kMultiplier0 = 0xD2511F53, kMultiplier1 = 0xCD9E8D57;
  constexpr uint32_t kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;
  uint32_t key0 = static_cast<uint32_t>(seed), key1 = static_cast<uint32_t>(seed >> 32);
  uint32_t c0 = static_cast<uint32_t>(counter), c1 = static_cast<uint32_t>(counter >> 32);
  uint32_t c2 = static_cast<uint32_t>(counter_high), c3 = static_cast<uint32_t>(counter_high >> 32);
  for (int round = 0; round < 10; ++round) {
    const uint64_t p0 = kMultiplier0 * c0, p1 = kMultiplier1 * c2;
    const uint32_t hi0 = static_cast<uint32_t>(p0 >> 32), hi1 = static_cast<uint32_t>(p1 >> 32);
    c0 = hi1 ^ c1 ^ key0;
    c2 = hi0 ^ c3 ^ key1;
    c1 = static_cast<uint32_t>(p1);
    c3 = static_cast<uint32_t>(p0);
    key0 += kWeyl0;
    key1 += kWeyl1;
  }
  return {{c0, c1, c2, c3}};
}

}  // namespace ersatz
