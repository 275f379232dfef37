#include "runtime/cuda/memory.h"

#include "runtime/base/log.h"
#include "runtime/cuda/deferred_failure.h"
#include "runtime/cuda/event.h"
#include "runtime/cuda/pinned.h"
#include "runtime/cuda/pool.h"
#include "runtime/cuda/status.h"
#include "runtime/cuda/stream.h"

namespace ersatz::cuda_module {
namespace {

void copy_between_devices(void* to, int to_device, const void* from, int from_device, size_t nbytes) {
  const StreamHandle target = current_stream(to_device), source = current_stream(from_device);
  Event filled(from_device), copied(to_device);
  filled.record(source);
  filled.make_wait(target);
  {
    DeviceScope scope(to_device);
    ERSATZ_CHECK_CUDA(driver().copy_peer_async(to, to_device, from, from_device, nbytes, target));
  }
  copied.record(target);
  DeviceScope scope(from_device);
  copied.make_wait(source);  // later work of `source`, which may write or free the memory, waits for the copy
}

}  // namespace

int allocate(void** address, int64_t nbytes, int device) {
  *address = pool_of(device).allocate(nbytes, current_stream(device));
  return 0;
}

int deallocate(void* address, int device) noexcept {
  try {
    pool_of(device).free(address, current_stream(device));
  } catch (const Error& e) {
    log().error("{}", e.message);
  }
  return 0;
}

int copy(void* to, int to_device, const void* from, int from_device, int64_t nbytes) {
  const auto n = static_cast<size_t>(nbytes);
  if (to_device >= 0 && from_device >= 0 && to_device != from_device) {
    copy_between_devices(to, to_device, from, from_device, n);
    return 0;
  }
  const int device = to_device >= 0 ? to_device : from_device;
  const StreamHandle stream = current_stream(device);
  DeviceScope scope(device);
  if (to_device == from_device) {
    ERSATZ_CHECK_CUDA(driver().copy_async(to, from, n, stream));
    return 0;
  }
  const bool staged = from_device >= 0 ? copy_to_host_staged(to, from, nbytes, device, stream)
                                       : copy_to_device_staged(to, from, nbytes, device, stream);
  if (!staged) ERSATZ_CHECK_CUDA(driver().copy_async(to, from, n, stream));
  ERSATZ_CHECK_CUDA(driver().stream_synchronize(stream));
  raise_noted(When::Waited);
  return 0;
}

int set(void* address, int byte, int64_t nbytes, int device) {
  DeviceScope scope(device);
  ERSATZ_CHECK_CUDA(driver().set_async(address, byte, static_cast<size_t>(nbytes), current_stream(device)));
  return 0;
}

int synchronize(int device) {
  DeviceScope scope(device);
  ERSATZ_CHECK_CUDA(driver().stream_synchronize(current_stream(device)));
  raise_noted(When::Waited);
  return 0;
}

}  // namespace ersatz::cuda_module
