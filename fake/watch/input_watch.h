// Finds undeclared writes: compares the storages of a call's inputs before and after the call, including bytes between
// the elements of the inputs.
//
// InputWatch copies a storage, so that it can find the first changed byte. If the call may not write a storage of more
// than `kMostCopied` bytes, its blocks are hashed instead. A declared write allows changes only in the elements of the
// written view.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/tensor/tensor.h"

namespace ersatz {

/// Buffers for copies, which are reused from call to call.
class CopyBuffers {
 public:
  std::byte* take(size_t nbytes);
  /// Makes all taken buffers available for `take` again. Frees buffers beyond `kKept` bytes in total.
  void give_back();

 private:
  static constexpr size_t kKept = size_t(1) << 26;  // maximum number of bytes that give_back keeps in all buffers
                                                    // together
  struct Buffer {
    std::unique_ptr<std::byte[]> bytes;
    size_t size = 0;
  };
  std::vector<Buffer> buffers_;
  size_t taken_ = 0;
};

class InputWatch {
 public:
  static constexpr int64_t kMostCopied = int64_t(1) << 24;  ///< in bytes; a larger storage that the call may not write
                                                            ///< is hashed
  static constexpr int64_t kBlock = int64_t(1) << 16;       ///< number of bytes per hash

  explicit InputWatch(CopyBuffers& buffers) : buffers_(buffers) {}
  /// Makes an InputWatch that has buffers of its own.
  InputWatch() : own_buffers_(std::make_unique<CopyBuffers>()), buffers_(*own_buffers_) {}
  ~InputWatch() { buffers_.give_back(); }
  InputWatch(const InputWatch&) = delete;
  InputWatch& operator=(const InputWatch&) = delete;

  /// Declares an argument that the call may write. REQUIRES: called before `watch`.
  void may_write(const TensorImpl* t) { written_.push_back({t->storage, t->meta}); }
  /// Allows changes in the elements of the argument's new metadata too. Must be called for each argument of `may_write`
  /// after the watched call.
  void covers_now(const TensorImpl* t);
  /// Watches the storage of an input. If several inputs share a storage, its Change has the `argument` of the first
  /// input. If `all` is false, watches the storage only if the call may write to it.
  void watch(const TensorImpl* t, int argument, bool all);

  struct Change {
    int argument;
    int64_t byte;      ///< first changed byte of the storage
    int64_t span = 1;  ///< the changed byte is one of `span` bytes from `byte`
  };
  /// Returns one Change for each storage that changed outside the declared writes.
  std::vector<Change> find_changes() const;
  /// Copies the old bytes back into the storages that the call may write, before a second run of the call.
  void restore();

 private:
  struct Written {
    Ref<Storage> storage;
    TensorMeta meta;
  };
  struct Watched {
    Ref<Storage> storage;
    int argument;
    int64_t nbytes = 0;
    bool written = false;
    std::byte* copy = nullptr;
    std::vector<uint64_t> hashes;  // hashes of the blocks, if there is no copy
  };
  std::unique_ptr<CopyBuffers> own_buffers_;
  CopyBuffers& buffers_;
  InlineVec<Written, 1> written_;
  InlineVec<Watched, 3> watched_;
};

/// Returns the name of the element at `byte` of a tensor's storage: `element [1, 2]`, or `byte 17 of its storage,
/// beside its elements`. If `span` is above 1: `one of the bytes [a,b) of its storage`.
std::string byte_place(const TensorMeta& meta, int64_t byte, int64_t span);

/// Returns a 64-bit hash of the bytes: fast, not cryptographic.
uint64_t hash_bytes(const std::byte* data, int64_t nbytes);

}  // namespace ersatz
