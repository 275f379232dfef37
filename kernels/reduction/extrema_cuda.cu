// Extrema on CUDA.
#include "kernels/reduction/device_reduce.h"
#include "kernels/reduction/extrema.h"
#include "kernels/reduction/truth_folds.h"
#include "runtime/cuda/attach.h"

namespace ersatz::op_extrema {

void attach_cuda(Registry& registry) {
  cuda_module::attach(registry, "aten.amax.default", folds::extremum_over_dims<DeviceReduction, true>);
  cuda_module::attach(registry, "aten.amin.default", folds::extremum_over_dims<DeviceReduction, false>);
  cuda_module::attach(registry, "aten.max.default", folds::extremum_of_all<DeviceReduction, true>);
  cuda_module::attach(registry, "aten.min.default", folds::extremum_of_all<DeviceReduction, false>);
  cuda_module::attach(registry, "aten.aminmax.default", folds::aminmax<DeviceReduction>);
}

}  // namespace ersatz::op_extrema
