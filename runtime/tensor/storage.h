// A storage: an identity, a size and, unless it is fake, bytes.
//
// Tensors that are views of each other hold the same Storage; `id()` is unique in the process and never
// recycled, so it may be remembered after the storage is gone. The version counts in-place writes through any
// view. A fake storage has an identity and a size and no bytes: `data()` REQUIRES has_bytes().
// Reading metadata from several threads is safe; writing bytes needs the callers' own order.
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
  /// Makes a storage with uninitialised bytes from the device's allocator; zero bytes give a null pointer.
  static Ref<Storage> allocate(int64_t nbytes, Device device);
  /// Makes a storage of bytes that it does not own; `deleter(context)` runs when the storage dies (may be null).
  static Ref<Storage> wrap(void* data, int64_t nbytes, Device device, void (*deleter)(void*), void* context);
  ~Storage() override;

  uint64_t id() const { return id_; }
  Device device() const { return device_; }
  SymInt nbytes() const { return nbytes_; }
  bool has_bytes() const { return has_bytes_; }
  std::byte* data() const { return static_cast<std::byte*>(data_); }

  uint32_t version() const { return version_.load(std::memory_order_relaxed); }
  void bump_version() { version_.fetch_add(1, std::memory_order_relaxed); }

  /// Returns a storage that shares the bytes of `of` until an op writes one of the two (or it grows); then it gets
  /// bytes of its own. It keeps `of` alive until then. REQUIRES: of->has_bytes().
  static Ref<Storage> lazy_copy(const Ref<Storage>& of);
  /// Call before bytes are written: gives lazy copies bytes of their own. Any thread.
  void prepare_write() {
    if (shares_bytes()) [[unlikely]]
      part_lazy_copies();
  }
  /// Does this storage share another storage's bytes?
  bool is_lazy_copy() const;
  /// Does this storage share its bytes with another storage, in either direction?
  bool shares_bytes() const { return lazy_.load(std::memory_order_relaxed) != nullptr; }

  /// The storage has known values of fakes (fake/mode/constants.h), so fake modes must be notified of writes.
  bool watched() const { return watched_.load(std::memory_order_relaxed); }
  void watch() { watched_.store(true, std::memory_order_relaxed); }

  /// Grows or shrinks the storage; the common prefix of the bytes is kept. For `resize_` and `out=`.
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
  struct LazyCopies;  // a lazy copy stores its source, a source stores its lazy copies
  std::atomic<LazyCopies*> lazy_{nullptr};
  std::atomic<uint32_t> version_{0};
  std::atomic<bool> watched_{false};
  Device device_;
  bool has_bytes_;
  bool foreign_ = false;  ///< the storage does not own its bytes: `deleter_` frees them
};

}  // namespace ersatz
