// Intrusive reference counting: `RefCounted` objects and `Ref<T>` handles.
//
// Counts are atomic, so any thread may copy a Ref. The documentation of each class says whether threads may share its
// objects. `WeakRef<T>` does not keep the object alive; its `lock()` returns null once the object is destroyed. An
// object allocates its WeakCell when the first WeakRef to it is made.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <utility>

#include "runtime/base/object_pool.h"

namespace ersatz {

class RefCounted;

namespace detail {
/// Connects an object with its WeakRefs. A WeakCell outlives its object.
struct WeakCell : Pooled<WeakCell> {
  std::atomic<uint32_t> refs{1};
  std::mutex mutex;
  RefCounted* object;
  explicit WeakCell(RefCounted* o) : object(o) {}
};
}  // namespace detail

class RefCounted {
 public:
  RefCounted() = default;
  RefCounted(const RefCounted&) = delete;
  RefCounted& operator=(const RefCounted&) = delete;
  virtual ~RefCounted() = default;

  void retain() const noexcept { refs_.fetch_add(1, std::memory_order_relaxed); }
  void release() const noexcept {
    // If this is the only reference, no other thread can change the count, so the atomic decrement is skipped.
    if (refs_.load(std::memory_order_acquire) == 1 || refs_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      destroy();
    }
  }
  uint32_t use_count() const noexcept { return refs_.load(std::memory_order_relaxed); }

  /// Returns the WeakCell that all WeakRefs of this object share; the first call creates it.
  detail::WeakCell* weak_cell() const;
  /// Adds a reference and returns true, unless the count has already reached zero.
  bool try_retain() const noexcept;

 private:
  void destroy() const noexcept;
  mutable std::atomic<uint32_t> refs_{0};
  mutable std::atomic<detail::WeakCell*> weak_{nullptr};
};

/// A shared handle to an object. A default-constructed Ref is null.
template <class T>
class Ref {
 public:
  Ref() = default;
  Ref(std::nullptr_t) {}
  explicit Ref(T* p) noexcept : p_(p) {
    if (p_) p_->retain();
  }
  Ref(const Ref& o) noexcept : Ref(o.p_) {}
  Ref(Ref&& o) noexcept : p_(std::exchange(o.p_, nullptr)) {}
  template <class U>
  requires std::is_convertible_v<U*, T*> Ref(const Ref<U>& o)
  noexcept : Ref(o.get()) {}
  ~Ref() {
    if (p_) p_->release();
  }
  Ref& operator=(Ref o) noexcept {
    std::swap(p_, o.p_);
    return *this;
  }
  T* get() const noexcept { return p_; }
  T* operator->() const noexcept { return p_; }
  T& operator*() const noexcept { return *p_; }
  explicit operator bool() const noexcept { return p_ != nullptr; }
  bool operator==(const Ref&) const = default;
  /// Returns the pointer and sets this handle to null, without a release: the caller now owns the reference.
  T* detach() noexcept { return std::exchange(p_, nullptr); }
  /// Makes a Ref of a pointer that was already retained for it.
  static Ref adopt(T* p) noexcept {
    Ref r;
    r.p_ = p;
    return r;
  }

 private:
  T* p_ = nullptr;
};

template <class T, class... A>
Ref<T> make_ref(A&&... args) {
  return Ref<T>(new T(std::forward<A>(args)...));
}

/// A handle that does not keep its object alive.
template <class T>
class WeakRef {
 public:
  WeakRef() = default;
  explicit WeakRef(const Ref<T>& r) : cell_(r ? r->weak_cell() : nullptr) {
    if (cell_) cell_->refs.fetch_add(1, std::memory_order_relaxed);
  }
  WeakRef(const WeakRef& o) : cell_(o.cell_) {
    if (cell_) cell_->refs.fetch_add(1, std::memory_order_relaxed);
  }
  WeakRef(WeakRef&& o) noexcept : cell_(std::exchange(o.cell_, nullptr)) {}
  WeakRef& operator=(WeakRef o) noexcept {
    std::swap(cell_, o.cell_);
    return *this;
  }
  ~WeakRef() {
    if (cell_ && cell_->refs.fetch_sub(1, std::memory_order_acq_rel) == 1) delete cell_;
  }
  /// Returns a handle to the object, or null if the object has been destroyed.
  Ref<T> lock() const {
    if (!cell_) return {};
    std::lock_guard guard(cell_->mutex);
    if (!cell_->object || !cell_->object->try_retain()) return {};
    return Ref<T>::adopt(static_cast<T*>(cell_->object));
  }
  bool expired() const { return !lock(); }

 private:
  detail::WeakCell* cell_ = nullptr;
};

}  // namespace ersatz
