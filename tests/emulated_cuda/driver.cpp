// The driver table of the emulated device: one device that runs each piece of work at once, inside the call.
#include <cstdio>
#include <cstring>

#include "runtime/cuda/driver.h"
#include "runtime/tensor/cuda_module.h"
#include "tests/emulated_cuda/settings.h"
#include "tests/emulated_cuda/work.h"

namespace ersatz::cuda_module {
namespace {

using emulated::ledger;
using emulated::settings;
using emulated::Work;

constexpr int kInvalidValue = 1;

int handed_out(void** address, char* data) {
  *address = data;
  return data ? 0 : kOutOfMemory;
}

int copy(void* to, const void* from, size_t nbytes, StreamHandle stream) {
  Work work(stream, "a copy");
  work.reads_if_device(from);
  work.writes_if_device(to);
  std::memmove(to, from, nbytes);
  return 0;
}

int set(void* address, int byte, size_t nbytes, StreamHandle stream) {
  Work work(stream, "setting bytes");
  work.writes(address);
  std::memset(address, byte, nbytes);
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
          p->total_bytes = static_cast<int64_t>(settings().bytes);
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
          *free = static_cast<int64_t>(ledger().free_bytes());
          *total = static_cast<int64_t>(settings().bytes);
          return 0;
        },
    .malloc_async = [](void** address, size_t nbytes,
                       StreamHandle s) { return handed_out(address, ledger().allocate(nbytes, s)); },
    .free_async =
        [](void* address, StreamHandle s) {
          ledger().free(address, s);
          return 0;
        },
    .keep_pool_memory = [](int) { return 0; },
    .trim_pool = [](int, size_t) { return 0; },
    .malloc_host = [](void** address, size_t nbytes) { return handed_out(address, ledger().allocate_pinned(nbytes)); },
    .free_host =
        [](void* address) {
          ledger().free_pinned(address);
          return 0;
        },
    .copy_async = copy,
    .copy_peer_async = [](void* to, int, const void* from, int, size_t n,
                          StreamHandle s) { return copy(to, from, n, s); },
    .set_async = set,
    .stream_create =
        [](StreamHandle* s) {
          *s = ledger().make_stream();
          return 0;
        },
    .stream_destroy =
        [](StreamHandle s) {
          ledger().drop_stream(s);
          return 0;
        },
    .stream_synchronize =
        [](StreamHandle s) {
          ledger().host_waited(s);
          return 0;
        },
    .stream_wait_event =
        [](StreamHandle s, EventHandle e) {
          ledger().wait(s, e);
          return 0;
        },
    .event_create =
        [](EventHandle* e, bool) {
          *e = ledger().make_event();
          return 0;
        },
    .event_destroy =
        [](EventHandle e) {
          ledger().drop_event(e);
          return 0;
        },
    .event_record =
        [](EventHandle e, StreamHandle s) {
          ledger().record(e, s);
          return 0;
        },
    .event_query =
        [](EventHandle e) {
          ledger().host_saw(e);
          return 0;
        },
    .event_synchronize =
        [](EventHandle e) {
          ledger().host_saw(e);
          return 0;
        },
    .event_elapsed =
        [](float* ms, EventHandle begin, EventHandle end) {
          *ms = ledger().milliseconds(begin, end);
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
