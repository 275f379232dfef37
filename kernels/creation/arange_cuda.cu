#include "kernels/creation/arange.h"
#include "kernels/dense_operand.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/cuda/attach.h"
#include "runtime/cuda/launch.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_arange {
namespace {

/// Integers are computed in 64 bits and wrap around in narrower dtypes. Floats are computed in double, as on the CPU.
template <class T>
struct Steps {
  using Wide = std::conditional_t<std::is_integral_v<T>, int64_t, double>;
  T* out;
  Wide from, by;
  ERSATZ_DEVICE void operator()(int64_t i) const { out[i] = T(from + static_cast<Wide>(i) * by); }
};

void run(const Tensor& result, const Scalar& start, const Scalar& step) {
  DenseOutput out(result);
  dispatch_dtype<kReals>(result.dtype(), [&]<class T>() {
    using Wide = typename Steps<T>::Wide;
    T* const data = reinterpret_cast<T*>(out.tensor.raw_data());
    cuda_module::launch_each(result.device().index, result.numel().as_int(),
                             Steps<T>{data, start.to<Wide>(), step.to<Wide>()});
  });
  out.finish();
}

void end_cuda(KernelCall& call) { run(call.outputs[0], 0, 1); }
void start_cuda(KernelCall& call) { run(call.outputs[0], call.scalar(kArangeStart["start"]), 1); }
void step_cuda(KernelCall& call) {
  run(call.outputs[0], call.scalar(kStepped["start"]), call.scalar(kStepped["step"]));
}

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach(registry, "aten.arange.default", end_cuda);
  cuda_module::attach(registry, "aten.arange.start", start_cuda);
  cuda_module::attach(registry, "aten.arange.start_step", step_cuda);
  cuda_module::attach(registry, "aten.arange.out", end_cuda);
  cuda_module::attach(registry, "aten.arange.start_out", step_cuda);
}

}  // namespace ersatz::op_arange
