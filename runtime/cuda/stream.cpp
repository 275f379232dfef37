#include "runtime/cuda/stream.h"

#include <array>

#include "runtime/cuda/deferred_failure.h"
#include "runtime/cuda/pool.h"
#include "runtime/cuda/status.h"

namespace ersatz::cuda_module {
namespace {

thread_local std::array<StreamHandle, kMaxDevices> t_streams{};  // null is the default stream

}  // namespace

Stream::Stream(int device) : device_(device) {
  DeviceScope scope(device);
  ERSATZ_CHECK_CUDA(driver().stream_create(&stream_));
}

Stream::~Stream() {
  if (!stream_ || !is_usable(device_)) return;
  note_failure(device_, driver().stream_synchronize(stream_), "stream_synchronize");
  pool_of(device_).stream_ended(stream_);
  note_failure(device_, driver().stream_destroy(stream_), "stream_destroy");
}

void Stream::synchronize() const {
  require_usable(device_);
  ERSATZ_CHECK_CUDA_ON(device_, driver().stream_synchronize(stream_));
  raise_noted(When::Waited);
}

DeviceScope::DeviceScope(int device) {
  require_usable(device);
  ERSATZ_CHECK_CUDA_ON(device, driver().get_device(&previous_));
  if (device == previous_) return;
  ERSATZ_CHECK_CUDA_ON(device, driver().set_device(device));
  changed_ = true;
}

DeviceScope::~DeviceScope() {
  if (changed_) driver().set_device(previous_);
}

StreamHandle current_stream(int device) { return t_streams[static_cast<size_t>(device)]; }
StreamHandle exchange_current_stream(int device, StreamHandle stream) {
  return std::exchange(t_streams[static_cast<size_t>(device)], stream);
}

StreamScope::StreamScope(const Stream& stream)
    : device_(stream.device()), previous_(exchange_current_stream(stream.device(), stream.handle())) {}

StreamScope::~StreamScope() { exchange_current_stream(device_, previous_); }

}  // namespace ersatz::cuda_module
