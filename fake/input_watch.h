// Undeclared writes: the storages of a call's inputs before and after it, gaps included.
//
// A storage that nothing may write is hashed. One that has a written view is copied, and compared outside the view's
// elements: a declared write covers these and nothing else. CPU storages only.
#pragma once

#include <optional>
#include <vector>

#include "runtime/tensor.h"

namespace ersatz {

class InputWatch {
 public:
  /// What the call may write is said before the inputs are watched.
  void may_write(const TensorImpl* t) { written_.push_back({t->storage, t->meta}); }
  /// Looks at the storage of an input once, whoever shares it. `argument` is what a finding will name.
  /// Without `hash_unwritten` only storages with a written view are looked at.
  void watch(const TensorImpl* t, int argument, bool hash_unwritten);

  struct Change {
    int argument;
    int64_t byte;  ///< first changed byte of the storage; -1: somewhere
  };
  /// Storages that changed where nothing may.
  std::vector<Change> find_changes() const;
  /// Puts written storages back to what they held, for a second run.
  void restore();

 private:
  struct Written {
    Ref<Storage> storage;
    TensorMeta meta;
  };
  struct Watched {
    Ref<Storage> storage;
    int argument;
    uint64_t hash = 0;
    int64_t nbytes = 0;
    bool written = false;
    bool hashed = false;
    std::vector<std::byte> copy;  ///< of a written one
  };
  std::vector<Written> written_;
  std::vector<Watched> watched_;
};

/// 64-bit hash of bytes, fast and not for enemies.
uint64_t hash_bytes(const std::byte* data, int64_t nbytes);

}  // namespace ersatz
