#include "runtime/cuda/scratch.h"

#include "runtime/cuda/memory.h"
#include "runtime/cuda/status.h"

namespace ersatz::cuda_module {

DeviceScratch::DeviceScratch(int device, int64_t nbytes) : device_(device) {
  if (nbytes > 0) ERSATZ_CHECK_CUDA(allocate(&address_, nbytes, device));
}
DeviceScratch::~DeviceScratch() {
  if (address_) deallocate(address_, device_);
}

DeviceFlag::DeviceFlag(int device) : device_(device) {
  void* address = nullptr;
  ERSATZ_CHECK_CUDA(allocate(&address, sizeof *word_, device));
  word_ = static_cast<uint32_t*>(address);
  ERSATZ_CHECK_CUDA(set(word_, 0, sizeof *word_, device));
}
DeviceFlag::~DeviceFlag() {
  if (word_) deallocate(word_, device_);
}
uint32_t DeviceFlag::read() const {
  uint32_t value = 0;
  to_host(device_, &value, word_, sizeof value);
  return value;
}

void to_device(int device, void* to, const void* from, int64_t nbytes) {
  if (nbytes > 0) ERSATZ_CHECK_CUDA(copy(to, device, from, -1, nbytes));
}
void to_host(int device, void* to, const void* from, int64_t nbytes) {
  if (nbytes > 0) ERSATZ_CHECK_CUDA(copy(to, -1, from, device, nbytes));
}

}  // namespace ersatz::cuda_module
