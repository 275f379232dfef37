// Events: marks in the work of a stream, which the host and other streams can wait for.
#pragma once

#include <utility>

#include "runtime/cuda/driver.h"

namespace ersatz::cuda_module {

/// An event on one device. An event that was never recorded counts as passed. Move-only; one thread at a time may use
/// it.
class Event {
 public:
  enum class Timing : bool { Off, On };  ///< Off: the event measures no time, which is cheaper
  explicit Event(int device, Timing timing = Timing::Off);
  Event(Event&& other) noexcept : device_(other.device_), event_(std::exchange(other.event_, nullptr)) {}
  Event& operator=(Event&&) = delete;
  ~Event();

  int device() const { return device_; }
  EventHandle handle() const { return event_; }
  /// Marks all work that has been queued on `stream` so far, and replaces an earlier mark. REQUIRES: a stream of this
  /// device.
  void record(StreamHandle stream);
  /// Returns whether the marked work is done.
  bool has_passed() const;
  /// Makes later work of `stream`, on any device, begin after the marked work.
  void make_wait(StreamHandle stream) const;
  /// Waits until the marked work is done. Raises the errors that kernels have recorded by then (deferred_failure.h).
  void synchronize() const;
  /// Waits until the marked work is done, but leaves recorded errors to the next wait.
  void wait_quietly() const;

 private:
  int device_;
  EventHandle event_ = nullptr;
};

/// Returns the time between two recorded events with Timing::On. Waits for both events.
float milliseconds_between(const Event& begin, const Event& end);

}  // namespace ersatz::cuda_module
