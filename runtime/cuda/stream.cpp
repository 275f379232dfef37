#include "runtime/cuda/stream.h"

#include <array>

#include "runtime/cuda/status.h"

namespace ersatz::cuda_module {
namespace {

thread_local std::array<StreamHandle, kMaxDevices> t_streams{};  // null: the default stream

}  // namespace

Stream::Stream(int device) : device_(device) {
  DeviceScope scope(device);
  ERSATZ_CHECK_CUDA(driver().stream_create(&stream_));
}

Stream::~Stream() {
  if (!stream_) return;
  driver().stream_synchronize(stream_);
  driver().stream_destroy(stream_);
}

void Stream::synchronize() const { ERSATZ_CHECK_CUDA(driver().stream_synchronize(stream_)); }

DeviceScope::DeviceScope(int device) {
  ERSATZ_CHECK_CUDA(driver().get_device(&previous_));
  if (device != previous_) ERSATZ_CHECK_CUDA(driver().set_device(device));
}

DeviceScope::~DeviceScope() { driver().set_device(previous_); }

StreamHandle current_stream(int device) { return t_streams[device]; }

StreamScope::StreamScope(const Stream& stream)
    : device_(stream.device()), previous_(std::exchange(t_streams[stream.device()], stream.handle())) {}

StreamScope::~StreamScope() { t_streams[device_] = previous_; }

}  // namespace ersatz::cuda_module
