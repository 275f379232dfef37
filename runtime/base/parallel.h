// The thread pool of all kernels, which is oneTBB's.
//
// `parallel_for(n, grain, f)` calls f(begin, end) for ranges that together are [0, n). If n <= grain or the pool has
// one thread, it makes one call on the calling thread. Exceptions of `f` reach the caller. Inside of `f`, libraries
// that have threads of their own run on one thread.
#pragma once

#include <cstdint>
#include <functional>

namespace ersatz {

/// Returns the number of threads in the pool: ERSATZ_THREADS if set, else the number of the machine's threads. At least
/// 1.
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
