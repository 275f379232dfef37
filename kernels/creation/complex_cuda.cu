#include <cmath>

#include "kernels/creation/complex.h"
#include "kernels/dense_operand.h"
#include "kernels/pointwise/device_loop.h"
#include "kernels/pointwise/device_value.h"
#include "kernels/shape/broadcast.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/cuda/attach.h"
#include "runtime/cuda/launch.h"
#include "runtime/op/copy.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_complex {
namespace {

template <bool polar, class T>
struct Combine {
  pointwise::DeviceOffsets<3> offsets;
  std::byte* to;
  const std::byte *a, *b;
  ERSATZ_DEVICE void operator()(int64_t i) const {
    const auto at = offsets.of(static_cast<uint32_t>(i));
    const T x = *reinterpret_cast<const T*>(a + at[1]), y = *reinterpret_cast<const T*>(b + at[2]);
    auto* result = reinterpret_cast<DeviceComplex<T>*>(to + at[0]);
    if constexpr (polar) {
      *result = DeviceComplex<T>(x * std::cos(y), x * std::sin(y));
    } else {
      *result = DeviceComplex<T>(x, y);
    }
  }
};

template <bool polar>
void run(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  if (out.numel().as_int() == 0) return;
  const bool lazy = out.meta().conj || out.meta().neg;
  const Tensor to = lazy ? make_real_tensor(TensorMeta(out.dtype(), out.sizes(), out.device())) : out;
  const Tensor a = broadcast_view(plain_input(call.tensor(kPair["{0}"])), out.sizes());
  const Tensor b = broadcast_view(plain_input(call.tensor(kPair["{1}"])), out.sizes());
  const pointwise::LoopOperand operands[] = {{to.raw_data(), item_size(to.dtype()), as_ints(to.strides())},
                                             {a.raw_data(), item_size(a.dtype()), as_ints(a.strides())},
                                             {b.raw_data(), item_size(b.dtype()), as_ints(b.strides())}};
  constexpr DTypeSet wide{DType::F32, DType::F64};
  dispatch_dtype<wide>(a.dtype(), [&]<class T>() {
    pointwise::for_each_piece<3>(as_ints(to.sizes()), operands, [&](const pointwise::DevicePiece<3>& p) {
      cuda_module::launch_each(out.device().index, p.numel,
                               Combine<polar, T>{p.offsets, p.data[0], p.data[1], p.data[2]});
    });
  });
  if (lazy) copy_elements(out, to);
}

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach(registry, "aten.complex.default", run<false>);
  cuda_module::attach(registry, "aten.polar.default", run<true>);
}

}  // namespace ersatz::op_complex
