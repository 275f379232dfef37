// Guard zones are bytes with a known value before and after each buffer. A changed byte shows a write out of bounds.
//
// Guard zones are freed together with their storage.
#pragma once

#include <optional>
#include <vector>

#include "runtime/tensor/storage.h"

namespace ersatz {

/// Allocates storages with guard zones during one call, and finds the damaged zones.
class GuardZones {
 public:
  /// Returns uninitialised bytes with the alignment of the device's allocator. A zone of 256 bytes is before them, and
  /// one of at least 256 after them. A storage of 0 bytes has both zones too; a storage on `meta` has none.
  Ref<Storage> allocate(int64_t nbytes, Device device);

  struct Damage {
    const Storage* storage;
    int64_t byte;  ///< relative to the buffer's start: negative before the buffer, >= its size after it
  };
  /// Returns the first damaged byte of each storage that `allocate` returned.
  std::vector<Damage> find_damage() const;

 private:
  std::vector<Ref<Storage>> made_;
};

}  // namespace ersatz
