#include "fake/watch/kernel_memory.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/tensor/allocator.h"

namespace ersatz {

KernelMemory::KernelMemory(bool guards, std::optional<Poison> fill)
    : guards_(guards),
      fill_(fill),
      memory_([this](int64_t nbytes, Device device) { return allocate(nbytes, device); }) {}

Ref<Storage> KernelMemory::allocate(int64_t nbytes, Device device) {
  given_.push_back(guards_ ? zones_.allocate(nbytes, device) : Storage::allocate(std::max<int64_t>(nbytes, 1), device));
  Storage& block = *given_.back();
  if (fill_ && nbytes > 0) set_bytes(block.data(), device, static_cast<std::byte>(*fill_), nbytes);
  return given_.back();
}

bool KernelMemory::gave(const Tensor& t) const {
  return std::find(given_.begin(), given_.end(), t.storage()) != given_.end();
}

std::string to_string(const GuardZones::Damage& damage) {
  const int64_t n = damage.storage->nbytes().as_int();
  return damage.byte < 0 ? fmt::format("byte {} before its buffer", -damage.byte)
                         : fmt::format("byte {} behind its buffer", damage.byte - n + 1);
}

}  // namespace ersatz
