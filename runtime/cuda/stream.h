// Owned streams, and the stream that this thread launches on.
//
// Each thread starts on the default stream of every device. A StreamScope puts another in its place until the scope
// ends; scopes nest. A Stream must outlive the scopes that use it. Memory belongs to the stream that it was allocated
// on (pool.h). After that stream's end it belongs to the default stream.
#pragma once

#include <utility>

#include "runtime/cuda/driver.h"

namespace ersatz::cuda_module {

/// An owned stream on one device. Its destructor waits for its work.
class Stream {
 public:
  explicit Stream(int device);
  Stream(Stream&& other) noexcept : device_(other.device_), stream_(std::exchange(other.stream_, nullptr)) {}
  Stream& operator=(Stream&&) = delete;
  ~Stream();

  int device() const { return device_; }
  StreamHandle handle() const { return stream_; }
  /// Waits until its work is done. Raises the notes of launches so far (deferred_failure.h).
  void synchronize() const;

 private:
  int device_;
  StreamHandle stream_ = nullptr;
};

/// Makes a device current on this thread until the end of the scope; asks the driver for nothing where it is already.
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

/// The stream that kernels of this thread are launched on. REQUIRES: 0 <= device < kMaxDevices.
StreamHandle current_stream(int device);
/// Sets this thread's stream for the device; returns the previous one.
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
