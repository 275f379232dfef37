// Guard zones: marked bytes before and after each buffer. A changed mark shows a write out of bounds.
//
// The zones live as long as the storage.
#pragma once

#include <optional>
#include <vector>

#include "runtime/tensor/storage.h"

namespace ersatz {

/// Makes guarded storages and remembers them, for one call.
class GuardZones {
 public:
  /// Returns uninitialised bytes with the alignment of the device's allocator, after 256 marked bytes and before at
  /// least 256 more. A storage of 0 bytes has both zones too. Memory on `meta` has none.
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
