#include "runtime/base/parallel.h"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <thread>

#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace ersatz {

namespace {

// The distribution's oneTBB is not instrumented for the thread sanitizer. These functions tell the sanitizer that the
// fork happens before each call of `body`, and each call before the join.
#if defined(__SANITIZE_THREAD__)
void happens_before(void* what) { __tsan_release(what); }
void happens_after(void* what) { __tsan_acquire(what); }
#else
void happens_before(void*) {}
void happens_after(void*) {}
#endif

int threads_at_start() {
  if (const char* text = std::getenv("ERSATZ_THREADS")) {
    int n = std::atoi(text);
    if (n > 0) return std::min(n, 1024);
  }
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

std::atomic<int>& threads() {
  static std::atomic<int> n{threads_at_start()};
  return n;
}

}  // namespace

int pool_threads() { return threads().load(std::memory_order_relaxed); }
void set_pool_threads(int n) { threads().store(std::max(1, n)); }

void detail::run_parallel(int64_t n, int64_t grain, void (*body)(void*, int64_t, int64_t), void* context) {
  // Each thread has one arena of the current pool size. All arenas share one set of workers, so a second arena costs
  // little.
  thread_local tbb::task_arena arena(pool_threads());
  if (arena.max_concurrency() != pool_threads()) {
    arena.terminate();
    arena.initialize(pool_threads());
  }
  happens_before(context);
  arena.execute([&] {
    tbb::parallel_for(tbb::blocked_range<int64_t>(0, n, std::max<int64_t>(grain, 1)),
                      [&](const tbb::blocked_range<int64_t>& r) {
                        happens_after(context);
                        body(context, r.begin(), r.end());
                        happens_before(context);
                      });
  });
  happens_after(context);
}

}  // namespace ersatz
