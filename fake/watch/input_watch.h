// Finds undeclared writes: compares the storages of a call's inputs before and after the call, also between elements.
//
// The watch copies a storage, so that it knows the first changed byte. It hashes the blocks of a storage above
// `kMostCopied` bytes that the call may not write. A declared write covers only the elements of the written view.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/tensor/tensor.h"

namespace ersatz {

/// Buffers for copies, reused from call to call: `give_back` makes all buffers free for `take`.
class CopyBuffers {
 public:
  std::byte* take(size_t nbytes);
  /// Frees all taken buffers for reuse. Releases buffers beyond `kKept` bytes in total.
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
  static constexpr int64_t kMostCopied = int64_t(1) << 24;  ///< in bytes; larger unwritten storages are hashed
  static constexpr int64_t kBlock = int64_t(1) << 16;       ///< the bytes that share one hash, in larger storages

  explicit InputWatch(CopyBuffers& buffers) : buffers_(buffers) {}
  /// Owns its buffers.
  InputWatch() : own_buffers_(std::make_unique<CopyBuffers>()), buffers_(*own_buffers_) {}
  ~InputWatch() { buffers_.give_back(); }
  InputWatch(const InputWatch&) = delete;
  InputWatch& operator=(const InputWatch&) = delete;

  /// Declares an argument that the call may write. REQUIRES: called before `watch`.
  void may_write(const TensorImpl* t) { written_.push_back({t->storage, t->meta}); }
  /// Call it after the call: also covers the elements of the metadata that a written argument has now.
  void covers_now(const TensorImpl* t);
  /// Watches the storage of an input, once for all inputs that share it. Findings name the first `argument`. With `all`
  /// false, watches only storages with a written view.
  void watch(const TensorImpl* t, int argument, bool all);

  struct Change {
    int argument;
    int64_t byte;      ///< first changed byte of the storage
    int64_t span = 1;  ///< the changed byte is one of `span` bytes from `byte`
  };
  /// Returns each storage with a change outside the declared writes, once.
  std::vector<Change> find_changes() const;
  /// Copies the old bytes back into the written storages, before a second run of the call.
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

/// Names the element at `byte` of a tensor's storage: `element [1, 2]`, or `byte 17 of its storage, beside its
/// elements`. With `span` above 1: `one of the bytes [a,b) of its storage`.
std::string byte_place(const TensorMeta& meta, int64_t byte, int64_t span);

/// 64-bit hash of bytes: fast, not cryptographic.
uint64_t hash_bytes(const std::byte* data, int64_t nbytes);

}  // namespace ersatz
