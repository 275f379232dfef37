#include <cmath>

#include "kernels/creation/linspace.h"
#include "kernels/creation/spacing.h"
#include "kernels/dense_operand.h"
#include "kernels/pointwise/device_value.h"
#include "kernels/shape/fill_elements.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/cuda/attach.h"
#include "runtime/cuda/launch.h"

namespace ersatz::op_linspace {
namespace {

template <bool log, class T>
struct Spaced {
  using W = DeviceType_t<typename Spacing<T>::W>;
  DeviceType_t<T>* out;
  W start, end, step;
  double base;
  int64_t n;

  ERSATZ_DEVICE void operator()(int64_t i) const {
    W v = n > 1 ? spaced_number(start, end, step, i, n) : start;
    if constexpr (log) v = power(v);
    if constexpr (is_complex(dtype_of<T>)) {
      using Part = typename T::value_type;
      out[i] = DeviceType_t<T>(static_cast<Part>(v.real()), static_cast<Part>(v.imag()));
    } else if constexpr (std::is_integral_v<T>) {
      out[i] = static_cast<T>(static_cast<int64_t>(v));
    } else {
      out[i] = T(v);
    }
  }

 private:
  ERSATZ_DEVICE W power(const W& v) const {
    if constexpr (is_complex(dtype_of<T>)) {
      return complex_math::pow(W(base), v);
    } else {
      return std::pow(base, v);
    }
  }
};

template <class W>
DeviceType_t<W> for_device(const W& v) {
  if constexpr (std::is_same_v<W, double>) {
    return v;
  } else {
    return DeviceType_t<W>(v.real(), v.imag());
  }
}

template <bool log>
void run(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  const int64_t n = out.numel().as_int();
  if (n == 0) return;
  // the result is on the CPU if only start or end are on CUDA
  if (out.device().is_cpu()) return log ? logspace_cpu(call) : linspace_cpu(call);
  const double base = log ? call.real(kLogspace["base"]) : 0;
  if (n == 1 && out.dtype() == DType::Bool) {
    const Scalar end = given_number(call, kEach["start"]);
    return fill_elements(out, log ? Scalar(std::pow(base, end.to_double())) : end);
  }
  DenseOutput to(out);
  dispatch_dtype<kNumbers>(out.dtype(), [&]<class T>() {
    const Spacing<T> s(call, n);
    cuda_module::launch_each(out.device().index, n,
                             Spaced<log, T>{reinterpret_cast<DeviceType_t<T>*>(to.tensor.raw_data()),
                                            for_device(s.start), for_device(s.end), for_device(s.step), base, n});
  });
  to.finish();
}

}  // namespace

void attach_cuda(Registry& registry) {
  for (const char* name :
       {"aten.linspace.default", "aten.linspace.out", "aten.linspace.Tensor_Tensor", "aten.linspace.Tensor_Tensor_out",
        "aten.linspace.Tensor_Scalar", "aten.linspace.Tensor_Scalar_out", "aten.linspace.Scalar_Tensor",
        "aten.linspace.Scalar_Tensor_out"}) {
    cuda_module::attach(registry, name, run<false>);
  }
  for (const char* name :
       {"aten.logspace.default", "aten.logspace.out", "aten.logspace.Tensor_Tensor", "aten.logspace.Tensor_Tensor_out",
        "aten.logspace.Tensor_Scalar", "aten.logspace.Tensor_Scalar_out", "aten.logspace.Scalar_Tensor",
        "aten.logspace.Scalar_Tensor_out"}) {
    cuda_module::attach(registry, name, run<true>);
  }
}

}  // namespace ersatz::op_linspace
