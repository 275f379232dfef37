// Matrix products on the emulated device.
#include "runtime/cuda/blas.h"

#include "runtime/base/error.h"
#include "tests/emulated_cuda/product.h"
#include "tests/emulated_cuda/work.h"

namespace ersatz::cuda_module {

int blas_version() { return 0; }

bool run(int device, const MatrixProduct& p) {
  ERSATZ_ASSERT(device == 0 && p.m > 0 && p.n > 0 && p.k > 0 && p.batch > 0, "product of {} by {} by {}, {} times", p.m,
                p.n, p.k, p.batch);
  ERSATZ_ASSERT(!p.bias || (takes_bias(p.dtype) && p.beta == 0.0), "bias beside {}", name(p.dtype));
  emulated::Work work(device, "a matrix product");
  work.reads(p.a.data);
  work.reads(p.b.data);
  work.reads(p.bias);
  work.writes(p.c);
  emulated::multiply(p);
  return true;
}

}  // namespace ersatz::cuda_module
