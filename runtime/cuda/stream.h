// Streams that are owned by an object, and the stream that this thread launches on.
//
// Each thread starts on the default stream of every device. A StreamScope makes another stream current until the scope
// ends; scopes nest. A Stream must outlive the scopes that use it. Memory belongs to the stream that it was allocated
// on (pool.h). When that stream is destroyed, its memory moves to the default stream.
#pragma once

#include <utility>

#include "runtime/cuda/driver.h"

namespace ersatz::cuda_module {

/// A stream on one device. The destructor waits for the stream's work and destroys it.
class Stream {
 public:
  explicit Stream(int device);
  Stream(Stream&& other) noexcept : device_(other.device_), stream_(std::exchange(other.stream_, nullptr)) {}
  Stream& operator=(Stream&&) = delete;
  ~Stream();

  int device() const { return device_; }
  StreamHandle handle() const { return stream_; }
  /// Waits until the stream's work is done. Raises the errors that kernels have recorded so far (deferred_failure.h).
  void synchronize() const;

 private:
  int device_;
  StreamHandle stream_ = nullptr;
};

/// Makes a device current on this thread until the end of the scope. If the device is already current, it calls no
/// function of the driver.
class DeviceScope {
 public:
  explicit DeviceScope(int device);
  ~DeviceScope();
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;

 private:
  int previous_ = 0;
  bool changed_ = false;
};

/// Returns the stream that kernels of this thread are launched on. REQUIRES: 0 <= device < kMaxDevices.
StreamHandle current_stream(int device);
/// Sets this thread's current stream of the device and returns the previous one.
StreamHandle exchange_current_stream(int device, StreamHandle stream);

class StreamScope {
 public:
  explicit StreamScope(const Stream& stream);
  ~StreamScope();
  StreamScope(const StreamScope&) = delete;
  StreamScope& operator=(const StreamScope&) = delete;

 private:
  int device_;
  StreamHandle previous_;
};

}  // namespace ersatz::cuda_module
