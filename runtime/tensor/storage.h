// A storage has an identity, a size in bytes and, unless it is fake, bytes.
//
// Tensors that are views of each other hold one Storage. `id()` is unique in the process and never reused, so it stays
// valid as a key after the storage is freed. The version counts in-place writes through all views. A fake storage has
// no bytes: `data()` REQUIRES has_bytes(). Several threads may read metadata at once; threads that write bytes must
// synchronise.
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/base/device.h"
#include "runtime/base/object_pool.h"
#include "runtime/base/ref_count.h"
#include "runtime/sym/sym_int.h"

namespace ersatz {

class Storage final : public RefCounted, public Pooled<Storage> {
 public:
  /// Makes a storage without bytes: for fake tensors and the meta device.
  static Ref<Storage> make_fake(SymInt nbytes, Device device);
  /// Makes a storage with uninitialised bytes from the device's allocator. Without bytes its data pointer is null.
  static Ref<Storage> allocate(int64_t nbytes, Device device);
  /// Makes a storage of bytes that it does not own. The storage's destructor calls `deleter(context)`; `deleter` may be
  /// null.
  static Ref<Storage> wrap(void* data, int64_t nbytes, Device device, void (*deleter)(void*), void* context);
  ~Storage() override;

  uint64_t id() const { return id_; }
  Device device() const { return device_; }
  SymInt nbytes() const { return nbytes_; }
  bool has_bytes() const { return has_bytes_; }
  std::byte* data() const { return static_cast<std::byte*>(data_); }

  uint32_t version() const { return version_.load(std::memory_order_relaxed); }
  void bump_version() { version_.fetch_add(1, std::memory_order_relaxed); }

  /// Returns a storage that shares the bytes of `of`, and keeps `of` alive, until an op writes or resizes one of the
  /// two. Then the copy gets bytes of its own. REQUIRES: of->has_bytes().
  static Ref<Storage> lazy_copy(const Ref<Storage>& of);
  /// Must be called before the bytes are written. Each lazy copy that shares the bytes then gets bytes of its own. Any
  /// thread may call it.
  void prepare_write() {
    if (shares_bytes()) [[unlikely]]
      part_lazy_copies();
  }
  /// Returns whether this storage is a lazy copy that still shares its source's bytes.
  bool is_lazy_copy() const;
  /// Returns whether this storage shares its bytes with another one, as a lazy copy or as the source of one.
  bool shares_bytes() const { return lazy_.load(std::memory_order_relaxed) != nullptr; }

  /// Returns whether fakes of this storage have known values (fake/mode/constants.h). If so, fake modes must be
  /// notified of writes.
  bool watched() const { return watched_.load(std::memory_order_relaxed); }
  void watch() { watched_.store(true, std::memory_order_relaxed); }

  /// Grows or shrinks the storage and keeps the bytes that fit, for `resize_` and `out=`.
  void resize(SymInt nbytes);

 private:
  Storage(SymInt nbytes, Device device, bool has_bytes);
  void free_bytes() noexcept;
  void part_lazy_copies();
  void take_own_bytes();
  void forget_lazy_copies() noexcept;
  uint64_t id_;
  SymInt nbytes_;
  void* data_ = nullptr;
  void (*deleter_)(void*) = nullptr;
  void* deleter_context_ = nullptr;
  struct LazyCopies;  // the source of a lazy copy, and the lazy copies of a source
  std::atomic<LazyCopies*> lazy_{nullptr};
  std::atomic<uint32_t> version_{0};
  std::atomic<bool> watched_{false};
  Device device_;
  bool has_bytes_;
  bool foreign_ = false;  ///< the storage does not own its bytes: `deleter_` frees them
};

}  // namespace ersatz
