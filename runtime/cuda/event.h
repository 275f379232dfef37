// Events: marks in the work of a stream, which the host and other streams can wait for.
#pragma once

#include <utility>

#include "runtime/cuda/driver.h"

namespace ersatz::cuda_module {

/// Of one device. An event that was never recorded has passed. Move-only; one thread at a time.
class Event {
 public:
  enum class Timing : bool { Off, On };  ///< Off is cheaper
  explicit Event(int device, Timing timing = Timing::Off);
  Event(Event&& other) noexcept : device_(other.device_), event_(std::exchange(other.event_, nullptr)) {}
  Event& operator=(Event&&) = delete;
  ~Event();

  int device() const { return device_; }
  EventHandle handle() const { return event_; }
  /// Marks the work of a stream of this device so far; a mark before is forgotten.
  void record(StreamHandle stream);
  /// Has the marked work been done?
  bool has_passed() const;
  /// Later work of `stream`, of any device, begins after the marked work.
  void make_wait(StreamHandle stream) const;
  /// Until the marked work is done. Raises what launches have noted by then (deferred_failure.h).
  void synchronize() const;
  /// The same, and leaves the notes to the next wait.
  void wait_quietly() const;

 private:
  int device_;
  EventHandle event_ = nullptr;
};

/// Between two recorded events with timing; waits for both.
float milliseconds_between(const Event& begin, const Event& end);

}  // namespace ersatz::cuda_module
