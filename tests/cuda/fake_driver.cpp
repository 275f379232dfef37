#include "tests/cuda/fake_driver.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "runtime/cuda/status.h"

namespace ersatz {

using cuda_module::Driver;
using cuda_module::EventHandle;
using cuda_module::StreamHandle;

namespace {

FakeDriver* g_fake = nullptr;
thread_local int t_device = 0;

std::string text(const void* handle) { return std::to_string(reinterpret_cast<intptr_t>(handle)); }
/// Returns whether the address is a synthetic one of the FakeDriver, which must not be dereferenced.
bool is_device_memory(const void* address) { return reinterpret_cast<uintptr_t>(address) >> 44 == 1; }

}  // namespace

struct FakeCalls {
  using Event = FakeDriver::Event;
  static Event* event_of(EventHandle e) { return static_cast<Event*>(e); }

  /// Returns f(FakeDriver&), or the error code if the call is to fail.
  template <class F>
  static int answer(const char* call, const std::string& about, F f) {
    std::lock_guard lock(g_fake->mutex_);
    if (int e = g_fake->enter(call, about)) return e;
    return f(*g_fake);
  }

  static int malloc_async(void** address, size_t nbytes, StreamHandle stream) {
    const auto n = static_cast<int64_t>(nbytes);
    return answer("malloc_async", fmt::format("{} on {}", n, text(stream)), [&](FakeDriver& f) {
      if (n > f.limit - f.used()) return cuda_module::kOutOfMemory;
      *address = reinterpret_cast<void*>(f.next_address_);
      f.next_address_ += (nbytes + 511) / 512 * 512;
      f.blocks_[*address] = n;
      return 0;
    });
  }
  static int free_async(void* address, StreamHandle stream) {
    return answer("free_async", "on " + text(stream), [&](FakeDriver& f) { return f.blocks_.erase(address) ? 0 : 1; });
  }
  static int trim_pool(int device, size_t) {
    return answer("trim_pool", std::to_string(device), [](FakeDriver&) { return 0; });
  }
  static int malloc_host(void** address, size_t nbytes) {
    return answer("malloc_host", std::to_string(nbytes), [&](FakeDriver& f) {
      *address = std::malloc(nbytes);
      f.pinned_[static_cast<const std::byte*>(*address)] = nbytes;
      return 0;
    });
  }
  static int free_host(void* address) {
    return answer("free_host", "", [&](FakeDriver& f) {
      f.pinned_.erase(static_cast<const std::byte*>(address));
      std::free(address);
      return 0;
    });
  }
  static bool is_pinned(const void* address) {
    std::lock_guard lock(g_fake->mutex_);
    for (const auto& [data, nbytes] : g_fake->pinned_) {
      if (address >= data && address < data + nbytes) return true;
    }
    return false;
  }
  static int copy_async(void* to, const void* from, size_t nbytes, StreamHandle stream) {
    return answer("copy_async", fmt::format("{} on {}", nbytes, text(stream)), [&](FakeDriver& f) {
      ++f.streams_[stream].queued;
      if (is_device_memory(to)) return 0;
      if (is_device_memory(from)) return std::memset(to, 7, nbytes), 0;  // the value of each device byte
      return std::memcpy(to, from, nbytes), 0;
    });
  }
  static int copy_peer_async(void*, int to_device, const void*, int from_device, size_t nbytes, StreamHandle stream) {
    return answer("copy_peer_async",
                  fmt::format("{} from {} to {} on {}", nbytes, from_device, to_device, text(stream)),
                  [&](FakeDriver& f) { return ++f.streams_[stream].queued, 0; });
  }
  static int set_async(void*, int, size_t nbytes, StreamHandle stream) {
    return answer("set_async", fmt::format("{} on {}", nbytes, text(stream)),
                  [&](FakeDriver& f) { return ++f.streams_[stream].queued, 0; });
  }
  static int stream_create(StreamHandle* stream) {
    return answer("stream_create", "",
                  [&](FakeDriver& f) { return *stream = FakeDriver::stream(f.next_stream_++), 0; });
  }
  static int stream_destroy(StreamHandle stream) {
    return answer("stream_destroy", text(stream), [](FakeDriver&) { return 0; });
  }
  static int stream_synchronize(StreamHandle stream) {
    return answer("stream_synchronize", text(stream), [&](FakeDriver& f) { return f.finish(stream), 0; });
  }
  static int stream_wait_event(StreamHandle stream, EventHandle event) {
    return answer("stream_wait_event", fmt::format("of {} on {}", text(event_of(event)->stream), text(stream)),
                  [](FakeDriver&) { return 0; });
  }
  static int event_create(EventHandle* event, bool) {
    return answer("event_create", "", [&](FakeDriver& f) { return *event = *f.events_.insert(new Event).first, 0; });
  }
  static int event_destroy(EventHandle event) {
    return answer("event_destroy", "", [&](FakeDriver& f) {
      if (!f.events_.erase(event_of(event))) return 1;
      delete event_of(event);
      return 0;
    });
  }
  static int event_record(EventHandle event, StreamHandle stream) {
    return answer("event_record", "on " + text(stream), [&](FakeDriver& f) {
      *event_of(event) = {stream, ++f.streams_[stream].queued};
      return 0;
    });
  }
  static int event_query(EventHandle event) {
    return answer("event_query", "", [&](FakeDriver& f) {
      const Event& e = *event_of(event);
      return f.streams_[e.stream].done >= e.at ? 0 : cuda_module::kNotReady;
    });
  }
  static int event_synchronize(EventHandle event) {
    return answer("event_synchronize", "", [&](FakeDriver& f) {
      const Event& e = *event_of(event);
      auto& done = f.streams_[e.stream].done;
      done = std::max(done, e.at);
      return 0;
    });
  }
  static int event_elapsed(float* milliseconds, EventHandle begin, EventHandle end) {
    return answer("event_elapsed", "", [&](FakeDriver&) {
      *milliseconds = static_cast<float>(event_of(end)->at - event_of(begin)->at);
      return 0;
    });
  }
};

namespace {

const Driver kTable{
    .error_text = [](int code) -> const char* {
      if (code == cuda_module::kOutOfMemory) return "out of memory";
      return code == 700 ? "an illegal memory access was encountered" : "invalid argument";
    },
    .take_last_error = [] { return 0; },
    .device_count = [](int* count) { return *count = 2, 0; },
    .properties =
        [](int device, cuda_module::DeviceProperties* p) {
          return FakeCalls::answer("properties", std::to_string(device), [&](FakeDriver& f) {
            std::snprintf(p->name, sizeof p->name, "Card %d", device);
            p->capability = f.capability[device];
            p->multiprocessors = 10 + device;
            return 0;
          });
        },
    .get_device = [](int* device) { return *device = t_device, 0; },
    .set_device =
        [](int device) {
          ++g_fake->device_changes;
          return t_device = device, 0;
        },
    .free_bytes =
        [](int64_t* free, int64_t* total) {
          *total = g_fake->limit;
          *free = g_fake->limit - g_fake->used();
          return 0;
        },
    .malloc_async = FakeCalls::malloc_async,
    .free_async = FakeCalls::free_async,
    .keep_pool_memory =
        [](int device) {
          return FakeCalls::answer("keep_pool_memory", std::to_string(device), [](FakeDriver&) { return 0; });
        },
    .trim_pool = FakeCalls::trim_pool,
    .malloc_host = FakeCalls::malloc_host,
    .free_host = FakeCalls::free_host,
    .copy_async = FakeCalls::copy_async,
    .copy_peer_async = FakeCalls::copy_peer_async,
    .set_async = FakeCalls::set_async,
    .stream_create = FakeCalls::stream_create,
    .stream_destroy = FakeCalls::stream_destroy,
    .stream_synchronize = FakeCalls::stream_synchronize,
    .stream_wait_event = FakeCalls::stream_wait_event,
    .event_create = FakeCalls::event_create,
    .event_destroy = FakeCalls::event_destroy,
    .event_record = FakeCalls::event_record,
    .event_query = FakeCalls::event_query,
    .event_synchronize = FakeCalls::event_synchronize,
    .event_elapsed = FakeCalls::event_elapsed,
    .built_for = "80,90",
    .is_pinned = FakeCalls::is_pinned,
};

}  // namespace

FakeDriver::FakeDriver() {
  g_fake = this;
  cuda_module::use_driver(&kTable);
}

FakeDriver::~FakeDriver() {
  cuda_module::use_driver(nullptr);
  g_fake = nullptr;
  for (Event* e : events_) delete e;
}

int FakeDriver::enter(const char* call, const std::string& about) {
  ++calls_[call];
  ++calls_[""];
  log.push_back(about.empty() ? call : fmt::format("{} {}", call, about));
  if (sticky_ != 0) return sticky_;
  const auto failure = failures_.find(call);
  if (failure == failures_.end()) return 0;
  if (failure->second.after-- > 0) return 0;
  const int code = failure->second.code;
  failures_.erase(failure);
  if (cuda_module::is_sticky(code)) sticky_ = code;
  return code;
}

void FakeDriver::finish(StreamHandle stream) {
  std::lock_guard lock(mutex_);
  streams_[stream].done = streams_[stream].queued;
}

void FakeDriver::fail(const std::string& call, int code, int after) {
  std::lock_guard lock(mutex_);
  failures_[call] = {code, after};
}

int FakeDriver::calls(const std::string& call) const {
  std::lock_guard lock(mutex_);
  const auto found = calls_.find(call);
  return found == calls_.end() ? 0 : found->second;
}

int64_t FakeDriver::used() const {
  std::lock_guard lock(mutex_);
  int64_t sum = 0;
  for (const auto& [address, nbytes] : blocks_) sum += nbytes;
  return sum;
}

}  // namespace ersatz
