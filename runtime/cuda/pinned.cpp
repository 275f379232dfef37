#include "runtime/cuda/pinned.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <deque>
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

  /// Returns whether no stream uses the buffer. If that is unknown because of an error, the buffer counts as used.
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
  static auto* all = new Cache;  // never destroyed, because static buffers may be destroyed later
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

void PinnedBuffer::used_by(int device, StreamHandle stream) try {
  if (last_use_ && last_use_->device() != device) {
    last_use_->wait_quietly();
    last_use_.reset();
  }
  if (!last_use_) last_use_ = std::make_unique<Event>(device);
  last_use_->record(stream);
} catch (const Error&) {  // if no event was recorded, the work must end before the buffer is reused
  if (is_usable(device)) note_failure(device, driver().stream_synchronize(stream), "stream_synchronize");
  throw;
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
  Event event(device);
  ERSATZ_CHECK_CUDA(driver().copy_async(staging.data(), from, static_cast<size_t>(nbytes), stream));
  staging.used_by(device, stream);
  event.record(stream);
  return CopyToHost(to, nbytes, std::move(staging), std::move(event));
}

namespace {

Event send_piece(void* to, const void* from, int64_t nbytes, int device, StreamHandle stream) {
  PinnedBuffer staging(nbytes);
  std::memcpy(staging.data(), from, static_cast<size_t>(nbytes));
  Event event(device);
  ERSATZ_CHECK_CUDA(driver().copy_async(to, staging.data(), static_cast<size_t>(nbytes), stream));
  staging.used_by(device, stream);
  event.record(stream);
  return event;
}

constexpr size_t kUnderWay = 2;  ///< the most pieces that are copied at the same time

/// Calls start(offset, bytes) for each piece in turn. If kUnderWay pieces are being copied, it first calls end() of the
/// oldest one.
template <class UnderWay, class Start, class End>
void for_each_piece(int64_t nbytes, UnderWay& under_way, Start&& start, End&& end) {
  const int64_t piece = staged_piece(nbytes);
  int64_t at = 0;
  do {
    if (under_way.size() == kUnderWay) {
      end(under_way.front());
      under_way.pop_front();
    }
    const int64_t n = std::min(piece, nbytes - at);
    under_way.push_back(start(at, n));
    at += n;
  } while (at < nbytes);
}

bool is_pinned(const void* first, int64_t nbytes) {
  const auto* bytes = static_cast<const std::byte*>(first);
  return driver().is_pinned && driver().is_pinned(bytes) && driver().is_pinned(bytes + nbytes - 1);
}

/// Runs f. Returns false if f raised an error because memory was exhausted.
template <class F>
bool had_memory(F&& f) {
  try {
    f();
    return true;
  } catch (const Error& e) {
    if (e.kind != ErrorKind::InvalidArgument) throw;
    return false;
  }
}

}  // namespace

int64_t staged_piece(int64_t nbytes) {
  constexpr int64_t kLeast = kStagedFrom / 2, kMost = int64_t(4) << 20;
  return std::clamp(static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(nbytes) / 4)), kLeast, kMost);
}

Event copy_to_device_async(void* to, const void* from, int64_t nbytes, int device, StreamHandle stream) {
  DeviceScope scope(device);
  auto* target = static_cast<std::byte*>(to);
  const auto* source = static_cast<const std::byte*>(from);
  std::deque<Event> under_way;
  for_each_piece(
      nbytes, under_way, [&](int64_t at, int64_t n) { return send_piece(target + at, source + at, n, device, stream); },
      [](const Event& sent) { sent.wait_quietly(); });  // the next piece uses the buffer of `sent`
  return std::move(under_way.back());
}

bool copy_to_device_staged(void* to, const void* from, int64_t nbytes, int device, StreamHandle stream) {
  if (nbytes < kStagedFrom || is_pinned(from, nbytes)) return false;
  return had_memory([&] { copy_to_device_async(to, from, nbytes, device, stream); });
}

bool copy_to_host_staged(void* to, const void* from, int64_t nbytes, int device, StreamHandle stream) {
  if (nbytes < kStagedFrom || is_pinned(to, nbytes)) return false;
  auto* target = static_cast<std::byte*>(to);
  const auto* source = static_cast<const std::byte*>(from);
  return had_memory([&] {
    std::deque<CopyToHost> under_way;
    for_each_piece(
        nbytes, under_way,
        [&](int64_t at, int64_t n) { return copy_to_host_async(target + at, source + at, n, device, stream); },
        [](CopyToHost& piece) { piece.finish(); });
    for (CopyToHost& piece : under_way) piece.finish();
  });
}

}  // namespace ersatz::cuda_module
