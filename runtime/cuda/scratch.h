// Small memory on the device for the time of a call: work space, and a flag that kernels raise and the host reads.
#pragma once

#include <cstdint>

namespace ersatz::cuda_module {

class DeviceFlag {
 public:
  /// The flag is set to 0 as work of the device's current stream.
  explicit DeviceFlag(int device);
  ~DeviceFlag();
  DeviceFlag(const DeviceFlag&) = delete;
  DeviceFlag& operator=(const DeviceFlag&) = delete;

  uint32_t* address() const { return word_; }
  /// Waits for the stream.
  uint32_t read() const;

 private:
  int device_;
  uint32_t* word_ = nullptr;
};

/// Memory of the device's current stream that lives for a scope: a kernel's work space. Null for 0 bytes.
class DeviceScratch {
 public:
  DeviceScratch(int device, int64_t nbytes);
  ~DeviceScratch();
  DeviceScratch(const DeviceScratch&) = delete;
  DeviceScratch& operator=(const DeviceScratch&) = delete;

  template <class T>
  T* as() const {
    return static_cast<T*>(address_);
  }

 private:
  int device_;
  void* address_ = nullptr;
};

/// Copies a host array to scratch memory and back; both wait.
void to_device(int device, void* to, const void* from, int64_t nbytes);
void to_host(int device, void* to, const void* from, int64_t nbytes);

}  // namespace ersatz::cuda_module
