// Bytes of a storage that the host can read: the storage's own bytes on the CPU, a copy of a device's bytes.
#pragma once

#include <vector>

#include "runtime/tensor/storage.h"

namespace ersatz {

/// A span of a storage's bytes as they are now. The storage must outlive it, and must not be written meanwhile.
class HostBytes {
 public:
  /// Bytes [first, first + nbytes) from the storage's start. They may be outside the storage if it has guard zones.
  HostBytes(const Storage& storage, int64_t first, int64_t nbytes);
  /// All bytes of the storage.
  explicit HostBytes(const Storage& storage) : HostBytes(storage, 0, storage.nbytes().as_int()) {}

  const std::byte* data() const { return data_; }
  const std::byte& operator[](int64_t i) const { return data_[i]; }

 private:
  std::vector<std::byte> copy_;
  const std::byte* data_;
};

}  // namespace ersatz
