// Undeclared writes: the storages of a call's inputs before and after it, gaps included.
//
// Storages are copied and compared, so that the first byte that changed is known; very large ones that nothing may
// write are hashed by blocks instead. A declared write covers the elements of the written view and nothing else.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/tensor/tensor.h"

namespace ersatz {

/// Buffers for copies, kept from call to call: what is taken is handed out again after `give_back`.
class CopyBuffers {
 public:
  std::byte* take(size_t nbytes);
  /// All that was taken; large buffers are freed.
  void give_back();

 private:
  static constexpr size_t kKept = size_t(1) << 26;  // bytes, all buffers together
  struct Buffer {
    std::unique_ptr<std::byte[]> bytes;
    size_t size = 0;
  };
  std::vector<Buffer> buffers_;
  size_t taken_ = 0;
};

class InputWatch {
 public:
  static constexpr int64_t kMostCopied = int64_t(1) << 24;  ///< bytes of a storage that nothing may write
  static constexpr int64_t kBlock = int64_t(1) << 16;       ///< of larger ones: bytes hashed together

  explicit InputWatch(CopyBuffers& buffers) : buffers_(buffers) {}
  /// With buffers of its own.
  InputWatch() : own_buffers_(std::make_unique<CopyBuffers>()), buffers_(*own_buffers_) {}
  ~InputWatch() { buffers_.give_back(); }
  InputWatch(const InputWatch&) = delete;
  InputWatch& operator=(const InputWatch&) = delete;

  /// Declares an argument that the call may write. REQUIRES: called before `watch`.
  void may_write(const TensorImpl* t) { written_.push_back({t->storage, t->meta}); }
  /// After the call: a written argument may have been given other metadata, and covers the elements of these too.
  void covers_now(const TensorImpl* t);
  /// Watches the storage of an input, once however many inputs share it. `argument`: the number that findings name.
  /// Without `all` only storages with a written view are watched.
  void watch(const TensorImpl* t, int argument, bool all);

  struct Change {
    int argument;
    int64_t byte;      ///< first changed byte of the storage
    int64_t span = 1;  ///< the changed byte is among so many from there
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
    int64_t nbytes = 0;
    bool written = false;
    std::byte* copy = nullptr;
    std::vector<uint64_t> hashes;  // of blocks, where there is no copy
  };
  std::unique_ptr<CopyBuffers> own_buffers_;
  CopyBuffers& buffers_;
  InlineVec<Written, 1> written_;
  InlineVec<Watched, 3> watched_;
};

/// Where a byte of a tensor's storage lies: `element [1, 2]`, or `byte 17 of its storage, beside its elements`. With a
/// span of more than 1: `one of the bytes [a,b) of its storage`.
std::string byte_place(const TensorMeta& meta, int64_t byte, int64_t span);

/// 64-bit hash of bytes: fast, not cryptographic.
uint64_t hash_bytes(const std::byte* data, int64_t nbytes);

}  // namespace ersatz
