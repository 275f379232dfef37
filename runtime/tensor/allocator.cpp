#include "runtime/tensor/allocator.h"

#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "runtime/base/error.h"
#include "runtime/base/object_pool.h"
#include "runtime/tensor/allocation_counter.h"
#include "runtime/tensor/cuda_module.h"

namespace ersatz {

namespace {

constexpr size_t kAlignment = 64;  // a cache line, and the widest vector register
/// Blocks of up to this many bytes come from `malloc`, with extra bytes for their alignment. glibc serves small
/// `malloc` blocks from a cache of the thread; its aligned allocations do not use that cache. 0 under a sanitizer,
/// which would miss a write into the extra bytes.
constexpr size_t kSmall = ERSATZ_POOLED ? 960 : 0;

/// Allocates an aligned small block. The 8 bytes before the block store the address that `malloc` returned.
void* allocate_small(size_t nbytes) {
  auto* block = static_cast<std::byte*>(std::malloc(nbytes + kAlignment));
  if (!block) return nullptr;
  auto* p = reinterpret_cast<std::byte*>((reinterpret_cast<uintptr_t>(block) / kAlignment + 1) * kAlignment);
  std::memcpy(p - sizeof(void*), &block, sizeof(void*));
  return p;
}
void deallocate_small(void* p) {
  void* block;
  std::memcpy(&block, static_cast<std::byte*>(p) - sizeof(void*), sizeof(void*));
  std::free(block);
}

thread_local constinit int64_t t_most_bytes = INT64_MAX;

class HostAllocator final : public CountedAllocator {
 public:
  void* allocate(int64_t nbytes, Device) override {
    if (nbytes > t_most_bytes) {
      fail(ErrorKind::InvalidArgument, ErrorFamily::Runtime, "cpu memory is limited here: {} bytes asked, {} allowed",
           nbytes, t_most_bytes);
    }
    const auto size = static_cast<size_t>(nbytes);
    void* p = size <= kSmall ? allocate_small(size) : ::operator new (size, std::align_val_t{kAlignment}, std::nothrow);
    if (!p)
      fail(ErrorKind::InvalidArgument, ErrorFamily::Runtime, "cpu memory is exhausted: {} bytes asked, {} live", nbytes,
           counter_.figures().live_bytes);
    counter_.add(nbytes);
    return p;
  }
  void deallocate(void* p, int64_t nbytes, Device) noexcept override {
    static_cast<size_t>(nbytes) <= kSmall ? deallocate_small(p) : ::operator delete (p, std::align_val_t{kAlignment});
    counter_.subtract(nbytes);
  }
};

}  // namespace

AllocationLimit::AllocationLimit(int64_t nbytes) : before_(std::exchange(t_most_bytes, nbytes)) {}
AllocationLimit::~AllocationLimit() { t_most_bytes = before_; }

Allocator& host_allocator() {
  static HostAllocator* allocator = new HostAllocator;  // outlives every static tensor
  return *allocator;
}

Allocator& allocator_for(Device device) { return device.is_cuda() ? cuda_allocator() : host_allocator(); }

void copy_bytes(void* to, Device to_device, const void* from, Device from_device, int64_t nbytes) {
  if (nbytes == 0) return;
  if (to_device.is_cuda() || from_device.is_cuda()) {
    cuda_copy_bytes(to, to_device, from, from_device, nbytes);
  } else {
    std::memcpy(to, from, static_cast<size_t>(nbytes));
  }
}

void set_bytes(void* at, Device device, std::byte byte, int64_t nbytes) {
  if (nbytes == 0) return;
  if (device.is_cuda()) {
    cuda_set_bytes(at, device, byte, nbytes);
  } else {
    std::memset(at, static_cast<int>(byte), static_cast<size_t>(nbytes));
  }
}

}  // namespace ersatz
