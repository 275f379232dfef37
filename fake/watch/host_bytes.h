// Makes the bytes of a storage readable for the host: the storage's own bytes on the CPU, a copy for another device.
#pragma once

#include <vector>

#include "runtime/tensor/storage.h"

namespace ersatz {

/// A span of a storage's bytes as they are now. REQUIRES: the storage outlives it and is not written meanwhile.
class HostBytes {
 public:
  /// The bytes [first, first + nbytes), counted from the storage's start. The range may reach into the guard zones of
  /// the storage, if it has any.
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
