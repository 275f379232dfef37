// Looking for a bad number among the operands of a draw on CUDA.
#pragma once

#include "kernels/random/moments.h"
#include "runtime/cuda/launch.h"
#include "runtime/cuda/scratch.h"

namespace ersatz {

template <class Bad>
struct LookForBad {
  const double* values;
  uint32_t* found;
  ERSATZ_DEVICE void operator()(int64_t i) const {
    if (Bad()(values[i])) cuda_module::atomic_or(found, 1);
  }
};

/// Runs `require`(call, numbers on the host, n) where the device finds a bad one: the message names it.
template <class Bad, class Require>
void require_on_device(const KernelCall& call, const Tensor& dense, Require&& require) {
  const int64_t n = dense.numel().as_int();
  if (n == 0) return;
  const cuda_module::DeviceFlag found(dense.device().index);
  cuda_module::launch_each(dense.device().index, n,
                           LookForBad<Bad>{reinterpret_cast<const double*>(dense.raw_data()), found.address()});
  if (!found.read()) return;
  const Tensor here = make_real_tensor(TensorMeta(DType::F64, dense.sizes()));
  copy_elements(here, dense);
  require(call, here.data<double>(), n);
}

}  // namespace ersatz
