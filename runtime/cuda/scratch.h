// Device memory that lives as long as one call: work space, and a flag that kernels set and the host reads.
#pragma once

#include <cstdint>

namespace ersatz::cuda_module {

class DeviceFlag {
 public:
  /// Makes a flag, and queues a write of 0 to it on the device's current stream.
  explicit DeviceFlag(int device);
  ~DeviceFlag();
  DeviceFlag(const DeviceFlag&) = delete;
  DeviceFlag& operator=(const DeviceFlag&) = delete;

  uint32_t* address() const { return word_; }
  /// Waits for the stream and returns the flag.
  uint32_t read() const;

 private:
  int device_;
  uint32_t* word_ = nullptr;
};

/// Device memory for the work space of a kernel. It belongs to the device's current stream and is freed at the end of
/// the scope. Null for 0 bytes.
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

/// `to_device` copies a host array to device memory, `to_host` copies it back. Both wait until the copy has ended.
void to_device(int device, void* to, const void* from, int64_t nbytes);
void to_host(int device, void* to, const void* from, int64_t nbytes);

}  // namespace ersatz::cuda_module
