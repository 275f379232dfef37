// The driver table on the host: one device whose memory is the host's and whose work is done when it is asked for.
//
// Memory lies between guard zones, so that a write past a block is seen when it is freed; what is freed is overwritten,
// so that reading it shows. Limit: ERSATZ_EMULATED_BYTES (default 8 GiB), so that running out of memory can be tried.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "runtime/cuda/driver.h"
#include "runtime/tensor/cuda_module.h"

namespace ersatz::cuda_module {
namespace {

constexpr size_t kGuard = 256;
constexpr unsigned char kGuardByte = 0xa7, kFreshByte = 0xcb, kFreedByte = 0xdd;
constexpr int kInvalidValue = 1;

struct Header {
  size_t nbytes;
};
static_assert(sizeof(Header) <= kGuard);

std::atomic<size_t> g_live{0};

size_t limit() {
  static const size_t bytes = [] {
    const char* text = std::getenv("ERSATZ_EMULATED_BYTES");
    return text ? static_cast<size_t>(std::strtoull(text, nullptr, 10)) : size_t(8) << 30;
  }();
  return bytes;
}

int allocate(void** address, size_t nbytes, StreamHandle) {
  void* block = nullptr;
  const size_t live = g_live.fetch_add(nbytes);
  if (live > limit() || nbytes > limit() - live || posix_memalign(&block, 256, nbytes + 2 * kGuard) != 0) {
    g_live -= nbytes;
    return kOutOfMemory;
  }
  auto* bytes = static_cast<unsigned char*>(block);
  std::memset(bytes, kGuardByte, kGuard);
  std::memset(bytes + kGuard, kFreshByte, nbytes < 4096 ? nbytes : 4096);
  std::memset(bytes + kGuard + nbytes, kGuardByte, kGuard);
  const Header header{nbytes};
  std::memcpy(bytes, &header, sizeof header);
  *address = bytes + kGuard;
  return 0;
}

[[noreturn]] void report_overrun(const void* address, size_t nbytes) {
  std::fprintf(stderr, "emulated device: a kernel wrote outside its block of %zu bytes at %p\n", nbytes, address);
  std::abort();
}

int release(void* address, StreamHandle) {
  if (!address) return 0;
  auto* data = static_cast<unsigned char*>(address);
  Header header;
  std::memcpy(&header, data - kGuard, sizeof header);
  for (size_t i = sizeof header; i < kGuard; ++i) {
    if (data[i - kGuard] != kGuardByte) report_overrun(address, header.nbytes);
  }
  for (size_t i = 0; i < kGuard; ++i) {
    if (data[header.nbytes + i] != kGuardByte) report_overrun(address, header.nbytes);
  }
  std::memset(data, kFreedByte, header.nbytes < 4096 ? header.nbytes : 4096);
  g_live -= header.nbytes;
  std::free(data - kGuard);
  return 0;
}

int copy(void* to, const void* from, size_t nbytes, StreamHandle) {
  std::memmove(to, from, nbytes);
  return 0;
}

/// Streams and events are tokens: work has ended when it was asked for.
struct Token {
  std::chrono::steady_clock::time_point time{};
};
int make_token(void** token) {
  *token = new Token;
  return 0;
}
int drop_token(void* token) {
  delete static_cast<Token*>(token);
  return 0;
}

constexpr Driver kDriver{
    .error_text = [](int code) -> const char* {
      return code == kOutOfMemory ? "out of memory" : code == kInvalidValue ? "invalid argument" : "emulated failure";
    },
    .take_last_error = [] { return 0; },
    .device_count =
        [](int* count) {
          *count = 1;
          return 0;
        },
    .properties =
        [](int, DeviceProperties* p) {
          *p = {};
          std::snprintf(p->name, sizeof p->name, "emulated device");
          p->capability = 90;
          p->total_bytes = static_cast<int64_t>(limit());
          p->multiprocessors = 2;
          p->shared_bytes_per_block = 227 << 10;
          p->l2_bytes = 32 << 20;
          return 0;
        },
    .get_device =
        [](int* device) {
          *device = 0;
          return 0;
        },
    .set_device = [](int device) { return device == 0 ? 0 : kInvalidValue; },
    .free_bytes =
        [](int64_t* free, int64_t* total) {
          *free = static_cast<int64_t>(limit() - g_live);
          *total = static_cast<int64_t>(limit());
          return 0;
        },
    .malloc_async = allocate,
    .free_async = release,
    .keep_pool_memory = [](int) { return 0; },
    .trim_pool = [](int, size_t) { return 0; },
    .malloc_host = [](void** address, size_t nbytes) { return allocate(address, nbytes, nullptr); },
    .free_host = [](void* address) { return release(address, nullptr); },
    .copy_async = copy,
    .copy_peer_async = [](void* to, int, const void* from, int, size_t n,
                          StreamHandle s) { return copy(to, from, n, s); },
    .set_async =
        [](void* address, int byte, size_t nbytes, StreamHandle) {
          std::memset(address, byte, nbytes);
          return 0;
        },
    .stream_create = make_token,
    .stream_destroy = drop_token,
    .stream_synchronize = [](StreamHandle) { return 0; },
    .stream_wait_event = [](StreamHandle, EventHandle) { return 0; },
    .event_create = [](EventHandle* event, bool) { return make_token(event); },
    .event_destroy = drop_token,
    .event_record =
        [](EventHandle event, StreamHandle) {
          static_cast<Token*>(event)->time = std::chrono::steady_clock::now();
          return 0;
        },
    .event_query = [](EventHandle) { return 0; },
    .event_synchronize = [](EventHandle) { return 0; },
    .event_elapsed =
        [](float* ms, EventHandle begin, EventHandle end) {
          *ms = std::chrono::duration<float, std::milli>(static_cast<Token*>(end)->time -
                                                         static_cast<Token*>(begin)->time)
                    .count();
          return 0;
        },
    .built_for = "90",
    .worth_caching = false,
};

}  // namespace

const Driver& linked_driver() { return kDriver; }

int find_devices(int& count, char*, size_t) {
  count = 1;
  return static_cast<int>(CudaAttach::Attached);
}

}  // namespace ersatz::cuda_module
