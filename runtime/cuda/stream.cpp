#include "runtime/cuda/stream.h"

#include <array>

#include "runtime/cuda/status.h"

namespace ersatz::cuda_module {
namespace {

thread_local std::array<cudaStream_t, kMaxDevices> t_streams{};  // null: the default stream

}  // namespace

Stream::Stream(int device) : device_(device) {
  DeviceScope scope(device);
  ERSATZ_CHECK_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
}

Stream::~Stream() {
  if (!stream_) return;
  cudaStreamSynchronize(stream_);
  cudaStreamDestroy(stream_);
}

void Stream::synchronize() const { ERSATZ_CHECK_CUDA(cudaStreamSynchronize(stream_)); }

DeviceScope::DeviceScope(int device) {
  ERSATZ_CHECK_CUDA(cudaGetDevice(&previous_));
  if (device != previous_) ERSATZ_CHECK_CUDA(cudaSetDevice(device));
}

DeviceScope::~DeviceScope() { cudaSetDevice(previous_); }

cudaStream_t current_stream(int device) { return t_streams[device]; }

StreamScope::StreamScope(const Stream& stream)
    : device_(stream.device()), previous_(std::exchange(t_streams[stream.device()], stream.handle())) {}

StreamScope::~StreamScope() { t_streams[device_] = previous_; }

}  // namespace ersatz::cuda_module
