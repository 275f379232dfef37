#include "runtime/cuda/memory.h"

#include "runtime/cuda/stream.h"

namespace ersatz::cuda_module {
namespace {

/// Runs `call` with the device current and puts the caller's device back; the table answers codes, it never throws.
template <class F>
int on_device(int device, F call) {
  int previous = 0;
  if (int e = driver().get_device(&previous)) return e;
  if (int e = driver().set_device(device)) return e;
  int status = call(current_stream(device));
  driver().set_device(previous);
  if (status != 0) driver().take_last_error();  // reported here: the next launch must not meet it again
  return status;
}

}  // namespace

int allocate(void** address, int64_t nbytes, int device) {
  return on_device(device,
                   [&](StreamHandle s) { return driver().malloc_async(address, static_cast<size_t>(nbytes), s); });
}

int deallocate(void* address, int device) {
  return on_device(device, [&](StreamHandle s) { return driver().free_async(address, s); });
}

int copy(void* to, int to_device, const void* from, int from_device, int64_t nbytes) {
  int device = to_device >= 0 ? to_device : from_device;
  return on_device(device, [&](StreamHandle s) {
    // Work that fills the source may be queued on its own device's stream.
    if (from_device >= 0 && from_device != device) {
      if (int e = synchronize(from_device)) return e;
    }
    int e = driver().copy_async(to, from, static_cast<size_t>(nbytes), s);
    return e == 0 ? driver().stream_synchronize(s) : e;
  });
}

int set(void* address, int byte, int64_t nbytes, int device) {
  return on_device(device,
                   [&](StreamHandle s) { return driver().set_async(address, byte, static_cast<size_t>(nbytes), s); });
}

int synchronize(int device) {
  return on_device(device, [](StreamHandle s) { return driver().stream_synchronize(s); });
}

}  // namespace ersatz::cuda_module
