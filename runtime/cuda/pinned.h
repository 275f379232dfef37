// Pinned host memory, which a device can access directly, and asynchronous copies through it.
//
// A tensor's usual memory is pageable: the driver copies it in small pieces one after another, and the device waits for
// each. Large copies go through two buffers of pinned memory instead: while the device reads or writes one buffer, the
// host fills or empties the other. These copies pin no other memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "runtime/cuda/event.h"

namespace ersatz::cuda_module {

/// Pinned host memory of at least `nbytes` bytes. Pinning takes longer than a copy. So the memory of a destroyed buffer
/// is kept for later buffers, in sizes of powers of two. Any thread may use it.
class PinnedBuffer {
 public:
  explicit PinnedBuffer(int64_t nbytes);
  PinnedBuffer(PinnedBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), nbytes_(other.nbytes_), last_use_(std::move(other.last_use_)) {}
  PinnedBuffer& operator=(PinnedBuffer&&) = delete;
  ~PinnedBuffer();

  std::byte* data() const { return data_; }
  int64_t nbytes() const { return nbytes_; }
  /// Must be called after work that reads or writes the buffer was queued on `stream`. The memory is not reused before
  /// that work is done.
  void used_by(int device, StreamHandle stream);

 private:
  std::byte* data_ = nullptr;
  int64_t nbytes_ = 0;
  std::unique_ptr<Event> last_use_;
};

struct PinnedFigures {
  int64_t live_bytes = 0, cached_bytes = 0;
  int64_t driver_calls = 0;  ///< calls of the driver to pin and to unpin memory
};
PinnedFigures pinned_figures();
/// Unpins the cached memory that no stream uses.
void empty_pinned_cache();

/// The least size of a copy through pinned memory. For smaller copies, events and locks (about 10 us for each piece)
/// cost more than the overlap saves.
inline constexpr int64_t kStagedFrom = int64_t(1) << 20;
/// Returns the size of a piece: a quarter of the copy, so that pieces overlap. A piece has at most the bytes that a
/// device moves in about 200 us; its costs are small compared with that.
int64_t staged_piece(int64_t nbytes);

/// A copy to the host that may still be running. The destructor waits for it.
class CopyToHost {
 public:
  CopyToHost(CopyToHost&&) = default;
  CopyToHost& operator=(CopyToHost&&) = delete;
  ~CopyToHost();

  bool is_done() const { return event_.has_passed(); }
  /// Waits until the bytes are in `to`. Raises the errors that kernels have recorded so far (deferred_failure.h).
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

/// Queues a copy on `stream`, through pinned memory of the same size. REQUIRES: `to` is valid until `wait` returns.
CopyToHost copy_to_host_async(void* to, const void* from, int64_t nbytes, int device, StreamHandle stream);
/// Copies to the device in pieces. When this function returns, `from` has been read. The returned event passes when the
/// copy has ended.
Event copy_to_device_async(void* to, const void* from, int64_t nbytes, int device, StreamHandle stream);

/// Copy in pieces. A copy to the host has ended when the function returns. Both return false without copying if pieces
/// save no time: the copy is small, the host's memory is already pinned, or no memory can be pinned.
bool copy_to_host_staged(void* to, const void* from, int64_t nbytes, int device, StreamHandle stream);
bool copy_to_device_staged(void* to, const void* from, int64_t nbytes, int device, StreamHandle stream);

}  // namespace ersatz::cuda_module
