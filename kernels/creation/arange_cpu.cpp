#include "kernels/creation/arange.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/base/parallel.h"
#include "runtime/op/copy.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_arange {
namespace {

// Integers are computed in 64 bits and wrap around in narrower dtypes. Floats are computed in double.
template <class T>
void write(const Tensor& dense, const Scalar& start, const Scalar& step) {
  T* out = dense.data<T>();
  const int64_t n = dense.numel().as_int();
  if constexpr (std::is_integral_v<T>) {
    const int64_t from = start.to_int(), by = step.to_int();
    parallel_for(n, 1 << 15, [&](int64_t b, int64_t e) {
      for (int64_t i = b; i < e; ++i) out[i] = static_cast<T>(from + i * by);
    });
  } else {
    const double from = start.to_double(), by = step.to_double();
    parallel_for(n, 1 << 15, [&](int64_t b, int64_t e) {
      for (int64_t i = b; i < e; ++i) out[i] = T(from + static_cast<double>(i) * by);
    });
  }
}

void run(const Tensor& out, const Scalar& start, const Scalar& step) {
  const bool direct = out.is_contiguous();
  const Tensor dense = direct ? out : make_real_tensor(TensorMeta(out.dtype(), out.sizes()));
  dispatch_dtype<kReals>(out.dtype(), [&]<class T>() { write<T>(dense, start, step); });
  if (!direct) copy_elements(out, dense);
}

}  // namespace

void end_cpu(KernelCall& call) { run(call.outputs[0], 0, 1); }
void start_cpu(KernelCall& call) { run(call.outputs[0], call.scalar(kArangeStart["start"]), 1); }
void step_cpu(KernelCall& call) { run(call.outputs[0], call.scalar(kStepped["start"]), call.scalar(kStepped["step"])); }

}  // namespace ersatz::op_arange
