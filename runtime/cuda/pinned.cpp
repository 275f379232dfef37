#include "runtime/cuda/pinned.h"

#include <bit>
#include <cstring>
#include <mutex>
#include <vector>

#include "runtime/base/log.h"
#include "runtime/cuda/deferred_failure.h"
#include "runtime/cuda/status.h"
#include "runtime/cuda/stream.h"

namespace ersatz::cuda_module {
namespace {

constexpr int64_t kSmallest = 4096;

struct Kept {
  std::byte* data;
  int64_t nbytes;
  std::unique_ptr<Event> last_use;
  int driver;

  /// Anything that goes wrong counts as a use that goes on.
  bool is_idle() const {
    try {
      return !last_use || last_use->has_passed();
    } catch (const Error&) {
      return false;
    }
  }
};

struct Cache {
  std::mutex mutex;
  std::vector<Kept> kept;
  PinnedFigures figures;
};

Cache& cache() {
  static auto* all = new Cache;  // outlives static buffers
  return *all;
}

}  // namespace

PinnedBuffer::PinnedBuffer(int64_t nbytes)
    : nbytes_(static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(std::max(nbytes, kSmallest))))) {
  Cache& c = cache();
  std::lock_guard lock(c.mutex);
  for (Kept& k : c.kept) {
    if (k.nbytes != nbytes_ || k.driver != driver_number() || !k.is_idle()) continue;
    data_ = k.data;
    c.figures.cached_bytes -= nbytes_;
    c.figures.live_bytes += nbytes_;
    std::swap(k, c.kept.back());
    c.kept.pop_back();
    return;
  }
  void* address = nullptr;
  ++c.figures.driver_calls;
  ERSATZ_CHECK_CUDA(driver().malloc_host(&address, static_cast<size_t>(nbytes_)));
  data_ = static_cast<std::byte*>(address);
  c.figures.live_bytes += nbytes_;
}

PinnedBuffer::~PinnedBuffer() {
  if (!data_) return;
  Cache& c = cache();
  std::lock_guard lock(c.mutex);
  c.figures.live_bytes -= nbytes_;
  c.figures.cached_bytes += nbytes_;
  c.kept.push_back({data_, nbytes_, std::move(last_use_), driver_number()});
}

void PinnedBuffer::used_by(int device, StreamHandle stream) {
  if (last_use_ && last_use_->device() != device) {
    last_use_->wait_quietly();
    last_use_.reset();
  }
  if (!last_use_) last_use_ = std::make_unique<Event>(device);
  last_use_->record(stream);
}

PinnedFigures pinned_figures() {
  std::lock_guard lock(cache().mutex);
  return cache().figures;
}

void empty_pinned_cache() {
  Cache& c = cache();
  std::lock_guard lock(c.mutex);
  std::erase_if(c.kept, [&](const Kept& k) {
    if (k.driver != driver_number() || !k.is_idle()) return false;
    ++c.figures.driver_calls;
    c.figures.cached_bytes -= k.nbytes;
    driver().free_host(k.data);
    return true;
  });
}

CopyToHost::~CopyToHost() {
  try {
    finish();
  } catch (const Error& e) {
    log().error("{}", e.message);
  }
}

void CopyToHost::finish() {
  if (!to_ || !staging_.data()) return;
  void* to = std::exchange(to_, nullptr);
  event_.wait_quietly();
  std::memcpy(to, staging_.data(), static_cast<size_t>(nbytes_));
}

void CopyToHost::wait() {
  finish();
  raise_noted(When::Waited);
}

CopyToHost copy_to_host_async(void* to, const void* from, int64_t nbytes, int device, StreamHandle stream) {
  DeviceScope scope(device);
  PinnedBuffer staging(nbytes);
  ERSATZ_CHECK_CUDA(driver().copy_async(staging.data(), from, static_cast<size_t>(nbytes), stream));
  staging.used_by(device, stream);
  Event event(device);
  event.record(stream);
  return CopyToHost(to, nbytes, std::move(staging), std::move(event));
}

Event copy_to_device_async(void* to, const void* from, int64_t nbytes, int device, StreamHandle stream) {
  DeviceScope scope(device);
  PinnedBuffer staging(nbytes);
  std::memcpy(staging.data(), from, static_cast<size_t>(nbytes));
  ERSATZ_CHECK_CUDA(driver().copy_async(to, staging.data(), static_cast<size_t>(nbytes), stream));
  staging.used_by(device, stream);
  Event event(device);
  event.record(stream);
  return event;
}

}  // namespace ersatz::cuda_module
