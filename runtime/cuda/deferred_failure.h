// Values that a call cannot take, met by its launch and raised by the host later: nothing waits for the device.
//
//   const FailureNote note = note_for(device, {.family = ..., .words = ...});   on the host, before the launch
//   if (index >= size) { note.take(index, where); return; }                     in the launch: skip what cannot be done
//   raise_noted(When::Waited);                                                  on the host, where it waited
//
// N1  A launch that is given a note touches no memory for a value that it cannot take, and takes the note. The first of
//     these threads writes the value into pinned memory, which the host reads without asking the driver.
// N2  Notes are raised, as a DeferredError (runtime/op/value_checks.h), wherever the host waits for any device, and
//     before a kernel of the next call runs. A wait therefore raises all notes of the work that it waited for, even if
//     that work ran on another device. The oldest of several is raised, with their number.
// N3  Each note is raised once, on the thread that comes first. The device goes on: a failed call leaves unspecified
//     values in its outputs, and changes nothing outside of them.
// N4  Destructors and freeing raise nothing and leave the notes to the next wait. A fault of the device is raised
//     before notes. A process that never waits may end with unread notes; it has read no result either.
// N5  A note's memory is used again kNotes notes later. If kNotes are on their way, an older failure may be reported
//     without its op, or with the newer one instead of itself; it is never reported as a success. Any thread. The first
//     note of a device allocates 130 KiB, most of it pinned, and waits for that.
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
/// Stores a word that the host may read at any time. The host then sees all earlier stores of this thread too.
ERSATZ_DEVICE void store_for_host(uint64_t* to, uint64_t value) {
#if defined(__CUDA_ARCH__)
  __threadfence_system();
  *reinterpret_cast<volatile uint64_t*>(to) = value;
#elif !defined(__CUDACC__)
  std::atomic_ref<uint64_t>(*to).store(value, std::memory_order_release);
#endif
}
}  // namespace detail

/// A handle of one note, which functors carry to the device. An empty one ignores `take`.
struct FailureNote {
  uint64_t* claims = nullptr;  ///< on the device: the newest note that was taken among those that share a record
  NotedFailures* failures = nullptr;
  uint64_t number = 0;

  explicit operator bool() const { return failures != nullptr; }
  /// Notes a value that the launch cannot take. `value` has eight bytes of the type that the note's `words` expect;
  /// `place` is its address or position.
  ERSATZ_DEVICE void take(uint64_t value, uint64_t place) const {
    if (failures) take(claims, failures, number, value, place);
  }

 private:
  /// Takes the members by value: if it were a member function that is not inlined, each thread would copy the whole
  /// functor to its stack.
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

/// The error message of a note. The call's op comes before the words.
struct FailureWords {
  ErrorFamily family = ErrorFamily::Runtime;
  std::string (*words)(const NotedValue&) = nullptr;
  int64_t size = 0, dim = 0;    ///< handed to `words`
  const void* first = nullptr;  ///< address of the first value, from which positions follow
  int64_t item = 0;             ///< bytes of a value; 0: positions cannot be derived from addresses
};

/// A note for the call that this thread runs.
FailureNote note_for(int device, const FailureWords& words);

/// The host finds a note when it has waited, or at its next call.
enum class When : bool { Waited, NextCall };
/// Raises the notes of launches on any device. If nothing was noted, the cost is one load for each device.
void raise_noted(When when);

}  // namespace ersatz::cuda_module
