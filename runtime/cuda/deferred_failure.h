// Errors for values that a call on CUDA cannot take (an index out of range). Kernels record them, and the host raises
// them later, so that no call has to wait for the device.
//
//   const FailureNote note = note_for(device, {.family = ..., .words = ...});   on the host, before the launch
//   if (index >= size) { note.take(index, where); return; }                     in the launch: skip what cannot be done
//   raise_noted(When::Waited);                                                  on the host, where it waited
//
// N1  A kernel with a FailureNote skips each value that it cannot take, touches no memory for it, and calls `take`. The
//     first thread that does so writes the value into pinned memory, which the host reads without calling the driver.
// N2  The host raises notes as DeferredErrors (runtime/op/value_checks.h) whenever it waits for any device, and before
//     a kernel of its next call runs. A wait therefore raises all notes of the work that it waited for, even of work on
//     another device. If there are several notes, the error is the oldest and says how many there are.
// N3  Each note is raised once, on the first thread that looks for notes. The device continues its work: a failed call
//     leaves unspecified values in its outputs, and changes no other memory.
// N4  Destructors and functions that free memory raise no notes; the next wait does. A fault of the device is raised
//     before notes. A process that never waits may end with unread notes, but it has read no results either.
// N5  A note's record is reused kNotes notes later. If more than kNotes notes are in flight, an older failure may be
//     reported without its op, or a newer failure instead of it, but some failure is always reported. Any thread may
//     use notes. The first note of a device allocates 130 KiB, most of it pinned, and waits for the allocation.
#pragma once

#include <string>

#include "runtime/base/error.h"
#include "runtime/cuda/device_code.h"

namespace ersatz::cuda_module {

inline constexpr uint64_t kNotes = 4096;

/// The notes of a device in pinned memory, which kernels write and the host reads.
struct NotedFailures {
  struct Record {
    uint64_t number;  ///< number of the note; 0: the record is empty or being written
    uint64_t value;
    uint64_t place;
  };
  uint64_t last;  ///< the number of the note that was taken last
  Record records[kNotes];
};

namespace detail {
/// Stores a word that the host may read at any time. If the host sees the word, it sees all earlier stores of this
/// thread too.
ERSATZ_DEVICE void store_for_host(uint64_t* to, uint64_t value) {
#if defined(__CUDA_ARCH__)
  __threadfence_system();
  *reinterpret_cast<volatile uint64_t*>(to) = value;
#elif !defined(__CUDACC__)
  std::atomic_ref<uint64_t>(*to).store(value, std::memory_order_release);
#endif
}
}  // namespace detail

/// A handle to one note. A functor carries it to the device. `take` of an empty handle does nothing.
struct FailureNote {
  uint64_t* claims = nullptr;  ///< on the device: per record, the number of the newest note that was taken
  NotedFailures* failures = nullptr;
  uint64_t number = 0;

  explicit operator bool() const { return failures != nullptr; }
  /// Records a value that the kernel cannot take. `value` has eight bytes of the type that FailureWords::words expects;
  /// `place` is the address or position of the value.
  ERSATZ_DEVICE void take(uint64_t value, uint64_t place) const {
    if (failures) take(claims, failures, number, value, place);
  }

 private:
  /// A static function with the members as parameters. If it were a non-static member that is not inlined, each thread
  /// would copy the whole functor to its stack.
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

/// The value that a kernel recorded, and its position.
struct NotedValue {
  uint64_t value = 0;
  int64_t position = -1;  ///< index of the value in the kernel's input; -1: unknown
  int64_t size = 0, dim = 0;
};

/// Makes the error message of a note. The message begins with the call's op.
struct FailureWords {
  ErrorFamily family = ErrorFamily::Runtime;
  std::string (*words)(const NotedValue&) = nullptr;
  int64_t size = 0, dim = 0;    ///< passed on to `words`
  const void* first = nullptr;  ///< address of the input's first value, to compute a value's position
  int64_t item = 0;             ///< bytes of a value; 0: addresses do not determine positions
};

/// Returns a note for the call that this thread is running.
FailureNote note_for(int device, const FailureWords& words);

/// Says when the host looks for notes: after it has waited, or at its next call.
enum class When : bool { Waited, NextCall };
/// Raises the notes of all devices. If there are none, it only loads one word for each device.
void raise_noted(When when);

}  // namespace ersatz::cuda_module
