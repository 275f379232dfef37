// A thread's cache of freed objects of one class, which the thread's next allocations reuse. It saves time because each
// operator call creates and frees tensors and storages.
//
//   class TensorImpl final : public RefCounted, public Pooled<TensorImpl> { ... };
//
// A thread keeps at most kKept objects of a class and frees further ones. When the thread ends, it frees all of them. A
// thread may free an object that another thread created. With a sanitizer all objects come from the heap, so that uses
// after free are detected.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

namespace ersatz {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ERSATZ_POOLED 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define ERSATZ_POOLED 0
#endif
#endif
#ifndef ERSATZ_POOLED
#define ERSATZ_POOLED 1
#endif

namespace detail {

/// The free objects of one class on one thread, linked through their first word.
struct FreeObjects {
  static constexpr uint32_t kKept = 128;
  void* first = nullptr;
  uint32_t count = 0;
  bool closed = false;  // the thread is ending: it keeps no freed objects now

  constexpr FreeObjects() = default;
  ~FreeObjects() {
    closed = true;
    while (first) {
      void* next = *static_cast<void**>(first);
      ::operator delete(first);
      first = next;
    }
  }
};

}  // namespace detail

template <class T>
class Pooled {
 public:
#if ERSATZ_POOLED
  // ERSATZ_DEFINE_POOL(T) defines these operators in the class's .cpp file, so that a library has one list of free
  // objects.
  static void* operator new(size_t bytes);
  static void operator delete(void* object) noexcept;
#endif
};

}  // namespace ersatz

#if ERSATZ_POOLED
#define ERSATZ_DEFINE_POOL(T)                                                      \
  namespace {                                                                      \
  thread_local constinit ::ersatz::detail::FreeObjects t_free_##T;                 \
  }                                                                                \
  template <>                                                                      \
  void* Pooled<T>::operator new(size_t bytes) {                                    \
    auto& free = t_free_##T;                                                       \
    if (void* object = free.first) {                                               \
      free.first = *static_cast<void**>(object);                                   \
      --free.count;                                                                \
      return object;                                                               \
    }                                                                              \
    return ::operator new(bytes);                                                  \
  }                                                                                \
  template <>                                                                      \
  void Pooled<T>::operator delete(void* object) noexcept {                         \
    auto& free = t_free_##T;                                                       \
    if (free.closed || free.count >= free.kKept) return ::operator delete(object); \
    *static_cast<void**>(object) = free.first;                                     \
    free.first = object;                                                           \
    ++free.count;                                                                  \
  }
#else
#define ERSATZ_DEFINE_POOL(T)
#endif
