#include "tests/ptx/device_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace ersatz::ptx {
namespace {

constexpr size_t kGranule = 256;
constexpr size_t kKeptFreed = 64;  ///< freed allocations per size that are not reused yet
constexpr int kUnwritten = 0xcd, kFreed = 0xdd;

/// Reserves addresses. The system provides their memory at first use.
template <class T>
T* reserve(size_t bytes) {
  void* p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) std::abort();
  return static_cast<T*>(p);
}
/// Returns the number of granules of an allocation, plus one unused granule after it.
size_t granules(size_t bytes) { return (bytes + kGranule - 1) / kGranule + 1; }

}  // namespace

DeviceMemory::DeviceMemory()
    : begin_(reinterpret_cast<uint64_t>(reserve<char>(kBytes))),
      written_(reserve<uint8_t>(kBytes)),
      allocation_(reserve<uint32_t>(kBytes / kGranule * sizeof(uint32_t))),
      allocations_(1) {}

DeviceMemory& DeviceMemory::instance() {
  static auto* const memory = new DeviceMemory;  // never destroyed: tensors may be freed at the end of the process
  return *memory;
}

void* DeviceMemory::allocate(size_t bytes, bool pinned) {
  const std::lock_guard lock(mutex_);
  const size_t count = granules(bytes);
  if (used_ + bytes > kBytes / 2) return nullptr;
  uint64_t at = top_;
  std::vector<uint64_t>& freed = freed_[count];
  if (freed.size() > kKeptFreed) {
    at = freed.front();
    freed.erase(freed.begin());
  } else if (top_ + count * kGranule > kBytes) {
    return nullptr;
  } else {
    top_ += count * kGranule;
  }
  allocations_.push_back({begin_ + at, begin_ + at + bytes, true, pinned});
  std::fill_n(allocation_ + at / kGranule, count, static_cast<uint32_t>(allocations_.size() - 1));
  auto* const address = reinterpret_cast<void*>(begin_ + at);
  std::memset(address, kUnwritten, bytes);
  std::memset(written_ + at, 0, bytes);
  used_ += bytes;
  return address;
}

bool DeviceMemory::free(void* address) {
  const std::lock_guard lock(mutex_);
  Allocation* a = find(reinterpret_cast<uint64_t>(address));
  if (!a || !a->lives || a->begin != reinterpret_cast<uint64_t>(address)) return false;
  a->lives = false;
  const size_t bytes = a->end - a->begin;
  std::memset(address, kFreed, bytes);
  used_ -= bytes;
  freed_[granules(bytes)].push_back(a->begin - begin_);
  return true;
}

DeviceMemory::Allocation* DeviceMemory::find(uint64_t address) {
  if (address - begin_ >= kBytes) return nullptr;
  const uint32_t index = allocation_[(address - begin_) / kGranule];
  return index == 0 ? nullptr : &allocations_[index];
}

bool DeviceMemory::is_pinned(const void* address) {
  const std::lock_guard lock(mutex_);
  const Allocation* a = find(reinterpret_cast<uint64_t>(address));
  return a && a->pinned;
}

const char* DeviceMemory::fault_of(uint64_t address, size_t bytes) {
  const Allocation* a = find(address);
  if (!a) return "an address in no allocation";
  if (!a->lives) return "freed memory";
  return address < a->begin || address + bytes > a->end ? "beyond the ends of its allocation" : nullptr;
}

void DeviceMemory::mark_written(const void* address, size_t bytes) {
  if (holds(address)) std::memset(written_ + offset_of(address), 1, bytes);
}

void DeviceMemory::copy_marks(const void* to, const void* from, size_t bytes) {
  if (!holds(to)) return;
  if (!holds(from) || is_pinned(from)) return mark_written(to, bytes);
  std::memmove(written_ + offset_of(to), written_ + offset_of(from), bytes);
}

void DeviceMemory::mark_allocation_written(const void* address) {
  const std::lock_guard lock(mutex_);
  if (const Allocation* a = find(reinterpret_cast<uint64_t>(address)))
    mark_written(reinterpret_cast<void*>(a->begin), a->end - a->begin);
}

bool DeviceMemory::is_written(uint64_t address, size_t bytes) {
  const Allocation* a = find(address);
  if (!a || a->pinned) return true;
  const uint8_t* const marks = written_ + (address - begin_);
  return std::all_of(marks, marks + bytes, [](uint8_t mark) { return mark != 0; });
}

}  // namespace ersatz::ptx
