#include "runtime/cuda/emulated_launch.h"

#include "tests/emulated_cuda/permutation.h"
#include "tests/emulated_cuda/settings.h"
#include "tests/emulated_cuda/team.h"
#include "tests/emulated_cuda/work.h"
#include "tests/emulated_cuda/workers.h"

namespace ersatz::cuda_module::emulated {

void launch_each(int device, const Functor& functor, int64_t n,
                 void (*run)(const void* functor, int64_t begin, int64_t end)) {
  if (n <= 0) return;
  Work work(device, functor.name);
  if (functor.cleared) work.functor(functor.cleared, functor.nbytes);
  const Permutation order(n, settings().order);
  if (settings().threads == 1 && !order.is_drawn()) return run(functor.address, 0, n);
  // Neighbouring indices run on different host threads.
  deal(n, [&](int64_t first, int64_t step) {
    for (int64_t k = first; k < n; k += step) {
      const int64_t i = order(k);
      run(functor.address, i, i + 1);
    }
  });
}

void launch_blocks(int device, const Functor& functor, int64_t blocks, int threads, size_t shared_bytes,
                   void (*run)(const void* functor, Team& team)) {
  if (blocks <= 0) return;
  Work work(device, functor.name);
  if (functor.cleared) work.functor(functor.cleared, functor.nbytes);
  const Permutation order(blocks, settings().order);
  deal(blocks, [&](int64_t first, int64_t step) {
    run_blocks({order, settings().order, blocks, first, step, threads, shared_bytes, run, functor.address});
  });
}

}  // namespace ersatz::cuda_module::emulated
