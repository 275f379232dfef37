// Guard zones: buffers with marked bytes on both sides, so that a write beside them shows.
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
  /// Uninitialised bytes, aligned as the device's allocator aligns them, with 256 marked bytes before and behind; also
  /// where no bytes are asked for.
  Ref<Storage> allocate(int64_t nbytes, Device device);

  struct Damage {
    const Storage* storage;
    int64_t byte;  ///< relative to the buffer's start: negative before it, >= its size behind it
  };
  /// The first damaged byte of each storage that was made here.
  std::vector<Damage> find_damage() const;

 private:
  std::vector<Ref<Storage>> made_;
};

}  // namespace ersatz
