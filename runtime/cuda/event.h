// Events: marks in the work of a stream, which the host and other streams can wait for.
#pragma once

#include <utility>

#include "runtime/cuda/driver.h"

namespace ersatz::cuda_module {

/// An event on one device. An event that was never recorded has passed. Move-only; one thread at a time.
class Event {
 public:
  enum class Timing : bool { Off, On };  ///< Off is cheaper
  explicit Event(int device, Timing timing = Timing::Off);
  Event(Event&& other) noexcept : device_(other.device_), event_(std::exchange(other.event_, nullptr)) {}
  Event& operator=(Event&&) = delete;
  ~Event();

  int device() const { return device_; }
  EventHandle handle() const { return event_; }
  /// Marks the work of a stream of this device so far. An earlier mark is replaced.
  void record(StreamHandle stream);
  /// Whether the marked work is done.
  bool has_passed() const;
  /// Later work of `stream`, on any device, begins after the marked work.
  void make_wait(StreamHandle stream) const;
  /// Waits until the marked work is done. Raises errors that launches have noted by then (deferred_failure.h).
  void synchronize() const;
  /// Waits until the marked work is done, and leaves noted errors to the next wait.
  void wait_quietly() const;

 private:
  int device_;
  EventHandle event_ = nullptr;
};

/// The time between two recorded events with timing. Waits for both.
float milliseconds_between(const Event& begin, const Event& end);

}  // namespace ersatz::cuda_module
