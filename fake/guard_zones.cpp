#include "fake/guard_zones.h"

#include <array>
#include <cstring>

#include "runtime/allocator.h"

namespace ersatz {
namespace {

constexpr int64_t kZone = 256;  // a multiple of the allocator's alignment
constexpr auto kMark = std::byte{0xC3};

struct Block {
  std::byte* start;
  int64_t nbytes;
};

void free_block(void* context) {
  Block* block = static_cast<Block*>(context);
  host_allocator().deallocate(block->start, block->nbytes, kCPU);
  delete block;
}

}  // namespace

Ref<Storage> GuardZones::allocate(int64_t nbytes, Device device) {
  if (!device.is_cpu() || nbytes == 0) return Storage::allocate(nbytes, device);
  const int64_t behind = kZone + (kZone - nbytes % kZone) % kZone;
  const int64_t all = kZone + nbytes + behind;
  auto* start = static_cast<std::byte*>(host_allocator().allocate(all, kCPU));
  std::memset(start, static_cast<int>(kMark), kZone);
  std::memset(start + kZone + nbytes, static_cast<int>(kMark), static_cast<size_t>(behind));
  made_.push_back(Storage::wrap(start + kZone, nbytes, kCPU, free_block, new Block{start, all}));
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
    const bool sound = std::memcmp(s->data() - kZone, marks.data(), kZone) == 0 &&
                       std::memcmp(s->data() + n, marks.data(), kZone) == 0;
    if (sound) continue;
    for (int64_t i = 0; i < 2 * kZone; ++i) {
      const int64_t at = i < kZone ? -1 - i : n + i - kZone;  // nearest first
      if (s->data()[at] != kMark) {
        found.push_back({s.get(), at});
        break;
      }
    }
  }
  return found;
}

}  // namespace ersatz
