// Real CUDA tensors without a GPU, on the device of tests/plugins/hidden_device.cpp. Its addresses are invalid on the
// host, so host code that dereferences one crashes.
#pragma once

#include "tests/fake/checked.h"

namespace ersatz {

/// Returns a copy on the device with the same metadata and bytes.
Tensor on_device(const Tensor& cpu);
std::vector<Value> on_device(std::vector<Value> cpu);

/// Crosschecks one call with its arguments copied to the device.
Checked check_on_device(std::string_view op, std::vector<Value> cpu, CrosscheckOptions options = {},
                        std::vector<ResultFacts> facts = {}, const std::function<void(CallSite&)>& change = {});

/// Returns the host address of the bytes at a device address, for the kernels of a test.
std::byte* device_bytes(const void* address);
template <class T>
T* device_data(const Tensor& t) {
  return reinterpret_cast<T*>(device_bytes(t.raw_data()));
}

/// Calls the op's CUDA kernel (its CPU kernel on the device's bytes). Planted kernels call it.
void sound_kernel(KernelCall& call);

/// A scope in which the op has another CUDA kernel, or none, or another rule.
class PlantedOnDevice {
 public:
  explicit PlantedOnDevice(std::string_view op);
  PlantedOnDevice(std::string_view op, FillKernel kernel) : PlantedOnDevice(op) { entry.fill_kernels[1] = kernel; }
  ~PlantedOnDevice();
  PlantedOnDevice(const PlantedOnDevice&) = delete;
  PlantedOnDevice& operator=(const PlantedOnDevice&) = delete;

  OpEntry& entry;

 private:
  const Rule rule_;
  const FillKernel cpu_, cuda_;
  const ReturnKernel returns_;
  const double tolerance_;
};

}  // namespace ersatz
