// Bytes of a storage where the host can read them: the storage's own on the CPU, a copy of what lies on a device.
#pragma once

#include <vector>

#include "runtime/tensor/storage.h"

namespace ersatz {

/// A span of a storage's bytes as they are now. It must not outlive the storage, nor a write to it.
class HostBytes {
 public:
  /// Bytes [first, first + nbytes), counted from the storage's start; of guarded storages they may lie beside it.
  HostBytes(const Storage& storage, int64_t first, int64_t nbytes);
  /// All of them.
  explicit HostBytes(const Storage& storage) : HostBytes(storage, 0, storage.nbytes().as_int()) {}

  const std::byte* data() const { return data_; }
  const std::byte& operator[](int64_t i) const { return data_[i]; }

 private:
  std::vector<std::byte> copy_;
  const std::byte* data_;
};

}  // namespace ersatz
