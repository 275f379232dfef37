#include "fake/watch/guard_zones.h"

#include <array>
#include <cstring>

#include "fake/watch/host_bytes.h"
#include "runtime/tensor/allocator.h"

namespace ersatz {
namespace {

constexpr int64_t kZone = 256;  // a multiple of the allocators' alignment
constexpr auto kMark = std::byte{0xC3};

struct Block {
  std::byte* start;
  int64_t nbytes;
  Device device;
};

void free_block(void* context) {
  Block* block = static_cast<Block*>(context);
  allocator_for(block->device).deallocate(block->start, block->nbytes, block->device);
  delete block;
}

}  // namespace

Ref<Storage> GuardZones::allocate(int64_t nbytes, Device device) {
  constexpr int64_t kMost = INT64_MAX - 3 * kZone;
  if (device.is_meta() || nbytes > kMost)
    return Storage::allocate(nbytes, device);  // `allocate` raises an error for
                                               // too many bytes
  const int64_t behind = kZone + (kZone - nbytes % kZone) % kZone;
  const int64_t all = kZone + nbytes + behind;
  auto* start = static_cast<std::byte*>(allocator_for(device).allocate(all, device));
  set_bytes(start, device, kMark, kZone);
  set_bytes(start + kZone + nbytes, device, kMark, behind);
  made_.push_back(Storage::wrap(start + kZone, nbytes, device, free_block, new Block{start, all, device}));
  return made_.back();
}

std::vector<GuardZones::Damage> GuardZones::find_damage() const {
  std::vector<Damage> found;
  static const std::array<std::byte, kZone> marks = [] {
    std::array<std::byte, kZone> all;
    all.fill(kMark);
    return all;
  }();
  for (const Ref<Storage>& s : made_) {
    const int64_t n = s->nbytes().as_int();
    const HostBytes before(*s, -kZone, kZone), behind(*s, n, kZone);
    const bool sound =
        std::memcmp(before.data(), marks.data(), kZone) == 0 && std::memcmp(behind.data(), marks.data(), kZone) == 0;
    if (sound) continue;
    for (int64_t i = 0; i < 2 * kZone; ++i) {
      const bool front = i < kZone;  // the byte nearest to the buffer is compared first
      if ((front ? before[kZone - 1 - i] : behind[i - kZone]) != kMark) {
        found.push_back({s.get(), front ? -1 - i : n + i - kZone});
        break;
      }
    }
  }
  return found;
}

}  // namespace ersatz
