// The allocator of memory on CUDA devices. It calls the functions of the CUDA module.
#include "runtime/base/error.h"
#include "runtime/base/other_devices.h"
#include "runtime/tensor/allocation_counter.h"
#include "runtime/tensor/cuda_module.h"

namespace ersatz {
namespace {

/// Returns the functions of the CUDA module. Raises an error if `device` does not exist or is a metadata-only device.
const CudaFunctions& functions_for(Device device) {
  if (is_other(device))
    fail(ErrorKind::NotSupported, ErrorFamily::Runtime,
         "{} is a device of metadata: there is no memory of it here; give --no-real", to_string(device));
  const CudaFunctions& cuda = cuda_functions();
  if (device.index < 0 || device.index >= cuda.device_count) {
    fail(ErrorKind::NotSupported, ErrorFamily::Runtime, "{}: there is no such device here (devices: {})",
         to_string(device), cuda.device_count);
  }
  return cuda;
}

class CudaAllocator final : public CountedAllocator {
 public:
  void* allocate(int64_t nbytes, Device device) override {
    void* address = nullptr;
    check_cuda(functions_for(device).allocate(&address, nbytes, device.index), device, "allocation", nbytes);
    counter_.add(nbytes);
    return address;
  }

  void deallocate(void* p, int64_t nbytes, Device device) noexcept override {
    if (!p) return;
    cuda_functions().deallocate(p, device.index);  // the module is loaded, because it allocated `p`
    counter_.subtract(nbytes);
  }
};

}  // namespace

Allocator& cuda_allocator() {
  cuda_functions();
  static CudaAllocator* allocator = new CudaAllocator;  // outlives every tensor, static ones too
  return *allocator;
}

CudaMemory cuda_memory(Device device) {
  CudaMemory memory;
  if (const auto ask = functions_for(device).memory) ask(device.index, &memory);
  return memory;
}

void cuda_empty_cache(Device device) {
  if (const auto empty = functions_for(device).empty_cache) empty(device.index);
}

void cuda_copy_bytes(void* to, Device to_device, const void* from, Device from_device, int64_t nbytes) {
  if (nbytes == 0) return;
  Device gpu = to_device.is_cuda() ? to_device : from_device;
  const CudaFunctions& cuda = functions_for(gpu);
  auto index = [](Device d) { return d.is_cuda() ? d.index : -1; };
  check_cuda(cuda.copy(to, index(to_device), from, index(from_device), nbytes), gpu, "copy", nbytes);
}

void cuda_set_bytes(void* at, Device device, std::byte byte, int64_t nbytes) {
  if (nbytes == 0) return;
  check_cuda(functions_for(device).set(at, static_cast<int>(byte), nbytes, device.index), device, "fill", nbytes);
}

}  // namespace ersatz
