// The thread pool that all kernels share: oneTBB's.
//
// `parallel_for(n, grain, f)` calls f(begin, end) on pieces of [0, n); on the calling thread alone when n <= grain or
// the pool has one thread. Libraries with threads of their own run single-threaded inside. Exceptions pass to the
// caller.
#pragma once

#include <cstdint>
#include <functional>

namespace ersatz {

/// Threads of the pool: ERSATZ_THREADS, else the hardware's. At least 1.
int pool_threads();
void set_pool_threads(int n);

namespace detail {
void run_parallel(int64_t n, int64_t grain, void (*body)(void*, int64_t, int64_t), void* context);
}

template <class F>
void parallel_for(int64_t n, int64_t grain, F&& f) {
  if (n <= grain || pool_threads() == 1) {
    if (n > 0) f(int64_t(0), n);
    return;
  }
  detail::run_parallel(
      n, grain, [](void* c, int64_t b, int64_t e) { (*static_cast<std::remove_reference_t<F>*>(c))(b, e); }, &f);
}

}  // namespace ersatz
