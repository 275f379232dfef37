// An array in the memory of the emulated device, for tests that launch functors of their own. These run on the emulated
// device even if a GPU runs the samples.
#pragma once

#include <vector>

#include "runtime/cuda/scratch.h"

namespace ersatz {

template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(const std::vector<T>& values) : n_(values.size()), memory_(0, nbytes()) {
    cuda_module::to_device(0, data(), values.data(), nbytes());
  }
  /// Makes an array of n zeros.
  explicit DeviceArray(size_t n) : DeviceArray(std::vector<T>(n)) {}

  T* data() const { return memory_.as<T>(); }
  size_t size() const { return n_; }
  /// Returns the elements. Waits for the current stream.
  std::vector<T> values() const {
    std::vector<T> all(n_);
    cuda_module::to_host(0, all.data(), data(), nbytes());
    return all;
  }

 private:
  int64_t nbytes() const { return static_cast<int64_t>(n_ * sizeof(T)); }
  size_t n_;
  cuda_module::DeviceScratch memory_;
};

}  // namespace ersatz
