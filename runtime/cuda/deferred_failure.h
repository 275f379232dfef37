// Values that a call cannot take, met by its launch and raised by the host later: nothing waits for the device.
//
//   const FailureNote note = note_for(device, {.family = ..., .words = ...});   on the host, before the launch
//   if (index >= size) { note.take(index, where); return; }                     in the launch: skip what cannot be done
//   raise_noted(When::Waited);                                                  on the host, where it waited
//
// N1  A launch that is given a note touches no memory for a value that it cannot take, and takes the note. The first
//     of its threads that does writes what it met into pinned memory, which the host reads without asking the driver.
// N2  What has been noted is raised, as a DeferredError (runtime/op/value_checks.h), wherever the host waits for any
//     device, and before a kernel of the next call runs. A wait therefore raises all that the work it waited for has
//     noted, also where that reached it through another device. The oldest of several is raised, with their number.
// N3  Each is raised once, on the thread that comes first. The device goes on: what a failed call leaves in its outputs
//     is unspecified, but nothing outside of them.
// N4  Destructors and freeing raise nothing and leave the notes to the next wait. A fault of the device goes first. A
//     process that never waits may end with notes unread; it has read no result either.
// N5  A note's memory is used again kNotes notes later. If kNotes are on their way, an older failure may be reported
//     without its op, or with the newer one instead of itself; it is never reported as a success. Any thread. Memory of
//     130 KiB a device, most of it pinned, is made by its first note, which waits for that.
#pragma once

#include <string>

#include "runtime/base/error.h"
#include "runtime/cuda/device_code.h"

namespace ersatz::cuda_module {

inline constexpr uint64_t kNotes = 4096;

/// In pinned memory: launches write it, the host reads it.
struct NotedFailures {
  struct Record {
    uint64_t number;  ///< of the note; 0: nothing, or being written
    uint64_t value;
    uint64_t place;
  };
  uint64_t last;  ///< the number of the note that was taken last
  Record records[kNotes];
};

namespace detail {
/// Stores what the host may read at any time, after all that this thread has stored so far.
ERSATZ_DEVICE void store_for_host(uint64_t* to, uint64_t value) {
#if defined(__CUDA_ARCH__)
  __threadfence_system();
  *reinterpret_cast<volatile uint64_t*>(to) = value;
#elif !defined(__CUDACC__)
  std::atomic_ref<uint64_t>(*to).store(value, std::memory_order_release);
#endif
}
}  // namespace detail

/// Goes to the device in functors. An empty one takes nothing.
struct FailureNote {
  uint64_t* claims = nullptr;  ///< on the device: the newest note that was taken among those that share a record
  NotedFailures* failures = nullptr;
  uint64_t number = 0;

  explicit operator bool() const { return failures != nullptr; }
  /// `value` has eight bytes of whatever type the note's words expect; `place`, an address or a position, says where.
  ERSATZ_DEVICE void take(uint64_t value, uint64_t place) const {
    if (failures) take(claims, failures, number, value, place);
  }

 private:
  /// By values: a call of a member that is not inlined has the whole functor around the note copied to each thread's
  /// stack.
  ERSATZ_DEVICE_CALL static void take(uint64_t* claims, NotedFailures* failures, uint64_t number, uint64_t value,
                                      uint64_t place) {
    uint64_t* const claim = claims + number % kNotes;
    for (uint64_t seen = atomic_replace(claim, 0, 0);;) {
      if (seen >= number) return;
      const uint64_t before = atomic_replace(claim, seen, number);
      if (before == seen) break;
      seen = before;
    }
    NotedFailures::Record& record = failures->records[number % kNotes];
    detail::store_for_host(&record.number, 0);
    detail::store_for_host(&record.value, value);
    detail::store_for_host(&record.place, place);
    detail::store_for_host(&record.number, number);
    detail::store_for_host(&failures->last, number);
  }
};

/// The value that a launch noted, and its position.
struct NotedValue {
  uint64_t value = 0;
  int64_t position = -1;  ///< among the values that were looked at; -1: not known
  int64_t size = 0, dim = 0;
};

/// How a note reads. The call's op comes before the words.
struct FailureWords {
  ErrorFamily family = ErrorFamily::Runtime;
  std::string (*words)(const NotedValue&) = nullptr;
  int64_t size = 0, dim = 0;    ///< handed to `words`
  const void* first = nullptr;  ///< where the values begin and how many bytes each has: positions follow from places
  int64_t item = 0;             ///< 0: places tell no position
};

/// A note for the call that this thread runs.
FailureNote note_for(int device, const FailureWords& words);

/// The host finds a note when it has waited, or at its next call.
enum class When : bool { Waited, NextCall };
/// Raises what launches on any device have noted. If nothing was noted, the cost is one load for each device.
void raise_noted(When when);

}  // namespace ersatz::cuda_module
