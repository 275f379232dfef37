// Real CUDA tensors without a GPU, for tests: the device of tests/plugins/hidden_device.cpp, whose memory the host
// cannot read. Whatever follows a device address on the host dies of it.
#pragma once

#include "tests/fake/checked.h"

namespace ersatz {

/// A copy on the device: same metadata, same bytes.
Tensor on_device(const Tensor& cpu);
std::vector<Value> on_device(std::vector<Value> cpu);

/// One call under crosscheck, with its arguments copied to the device.
Checked check_on_device(std::string_view op, std::vector<Value> cpu, CrosscheckOptions options = {},
                        std::vector<ResultFacts> facts = {}, const std::function<void(CallSite&)>& change = {});

/// Where the bytes behind a device address are: for the kernels of a test.
std::byte* device_bytes(const void* address);
template <class T>
T* device_data(const Tensor& t) {
  return reinterpret_cast<T*>(device_bytes(t.raw_data()));
}

/// The op's CUDA kernel (its CPU kernel on the device's bytes), to be called by a planted one.
void sound_kernel(KernelCall& call);

/// Another CUDA kernel, or none, or another rule, until the end of the scope.
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
