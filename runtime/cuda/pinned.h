// Pinned host memory, which a device reads and writes by itself, and copies through it that run while the host works.
//
// A tensor's usual memory is pageable: the driver copies small pieces of it one after the other, and the device waits
// for each. Large copies go in pieces through two buffers of pinned memory instead: while the device moves one, the
// host fills or empties the other. No other memory is pinned for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "runtime/cuda/event.h"

namespace ersatz::cuda_module {

/// Host memory of at least so many bytes, pinned. Pinning takes the driver longer than the copy itself. So the memory
/// of a destroyed buffer is kept for later ones, in sizes of powers of two. Any thread.
class PinnedBuffer {
 public:
  explicit PinnedBuffer(int64_t nbytes);
  PinnedBuffer(PinnedBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), nbytes_(other.nbytes_), last_use_(std::move(other.last_use_)) {}
  PinnedBuffer& operator=(PinnedBuffer&&) = delete;
  ~PinnedBuffer();

  std::byte* data() const { return data_; }
  int64_t nbytes() const { return nbytes_; }
  /// Says that work queued on the stream so far reads or writes the buffer. The memory is not reused before that work
  /// is done.
  void used_by(int device, StreamHandle stream);

 private:
  std::byte* data_ = nullptr;
  int64_t nbytes_ = 0;
  std::unique_ptr<Event> last_use_;
};

struct PinnedFigures {
  int64_t live_bytes = 0, cached_bytes = 0;
  int64_t driver_calls = 0;  ///< to pin and to unpin
};
PinnedFigures pinned_figures();
/// Unpins the free blocks of the cache that no stream uses.
void empty_pinned_cache();

/// The least size of a staged copy. For smaller ones, events and locks (some 10 us for each piece) cost more than the
/// overlap gains.
inline constexpr int64_t kStagedFrom = int64_t(1) << 20;
/// Returns the size of a piece: a quarter of the copy, so that pieces overlap, but at most what a device moves in some
/// 200 us. The costs of a piece are small compared with that.
int64_t staged_piece(int64_t nbytes);

/// A copy to the host that may still run. Waits for it when it dies.
class CopyToHost {
 public:
  CopyToHost(CopyToHost&&) = default;
  CopyToHost& operator=(CopyToHost&&) = delete;
  ~CopyToHost();

  bool is_done() const { return event_.has_passed(); }
  /// Waits until the bytes are in `to`. Raises the notes of launches so far (deferred_failure.h).
  void wait();

 private:
  friend CopyToHost copy_to_host_async(void*, const void*, int64_t, int, StreamHandle);
  friend bool copy_to_host_staged(void*, const void*, int64_t, int, StreamHandle);
  void finish();
  CopyToHost(void* to, int64_t nbytes, PinnedBuffer staging, Event event)
      : to_(to), nbytes_(nbytes), staging_(std::move(staging)), event_(std::move(event)) {}
  void* to_;
  int64_t nbytes_;
  PinnedBuffer staging_;
  Event event_;
};

/// Queues a copy on `stream`, through pinned memory of the same size. `to` must live until `wait` returns.
CopyToHost copy_to_host_async(void* to, const void* from, int64_t nbytes, int device, StreamHandle stream);
/// Copies to the device in pieces. `from` has been read when this returns; the event passes when the copy has ended.
Event copy_to_device_async(void* to, const void* from, int64_t nbytes, int device, StreamHandle stream);

/// Copies in pieces; those to the host have ended when this returns. Returns false without copying if staging gains
/// nothing: the copy is small, the host's memory is pinned already, or no memory can be pinned.
bool copy_to_host_staged(void* to, const void* from, int64_t nbytes, int device, StreamHandle stream);
bool copy_to_device_staged(void* to, const void* from, int64_t nbytes, int device, StreamHandle stream);

}  // namespace ersatz::cuda_module
