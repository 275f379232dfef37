// Draws with probabilities in a tensor, and dropout, on CUDA.
#include "kernels/pointwise/device_loop.h"
#include "kernels/pointwise/device_value.h"
#include "kernels/random/draw.h"
#include "kernels/random/moments_device.h"
#include "runtime/cuda/attach.h"
#include "runtime/dtype_switch.h"

namespace ersatz::op_bernoulli {
namespace {

/// Probabilities are argument `p`.
void draw(KernelCall& call, size_t p, size_t generator) {
  const Tensor& out = call.outputs[0];
  if (out.numel().as_int() == 0) return;
  const Tensor dense = spread_argument(call, p, out, DType::F64);
  require_on_device<IsNoProbability>(call, dense, require_probabilities);
  draw_bernoulli(out, generator_or_default(call.args[generator].as_generator(), out.device()), dense);
}

void self_cuda(KernelCall& call) { draw(call, 0, 1); }
void tensor_cuda(KernelCall& call) { draw(call, 1, 2); }

/// out = out * scale where the mask says so, else 0 (a NaN stays one, unless it is complex).
template <class T>
struct ScaleKept {
  pointwise::DeviceOffsets<2> offsets;
  std::byte* out;
  const std::byte* mask;
  double scale;
  ERSATZ_DEVICE void operator()(int64_t i) const {
    const auto at = offsets.of(static_cast<uint32_t>(i));
    T& to = *reinterpret_cast<T*>(out + at[0]);
    const bool kept = *reinterpret_cast<const bool*>(mask + at[1]);
    if constexpr (kIsDeviceComplex<T>) {
      using Part = typename T::value_type;
      to = kept ? T(to.real() * Part(scale), to.imag() * Part(scale)) : T(0);
    } else {
      to = convert_value<T>(convert_value<double>(to) * (kept ? scale : 0.0));
    }
  }
};

void native_dropout_cuda(KernelCall& call) {
  const Tensor input = call.tensor(0);
  const Tensor &out = call.outputs[0], &mask = call.outputs[1];
  if (out.numel().as_int() == 0) return;
  const double p = call.real(1);
  copy_elements(out, input);
  if (call.has(2) && !call.boolean(2)) return fill_elements(mask, true);
  const int device = out.device().index;
  draw_bernoulli(mask, default_generator(out.device()), 1 - p);
  const pointwise::LoopOperand operands[] = {{out.raw_data(), item_size(out.dtype()), as_ints(out.strides())},
                                             {mask.raw_data(), 1, as_ints(mask.strides())}};
  dispatch_dtype<kFloatsAndComplexes>(out.dtype(), [&]<class T>() {
    pointwise::for_each_piece<2>(as_ints(out.sizes()), operands, [&](const pointwise::DevicePiece<2>& piece) {
      cuda_module::launch_each(
          device, piece.numel,
          ScaleKept<DeviceType_t<T>>{piece.offsets, piece.data[0], piece.data[1], p == 1 ? 0 : 1 / (1 - p)});
    });
  });
}

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach(registry, "aten.bernoulli.default", self_cuda);
  cuda_module::attach(registry, "aten.bernoulli.out", self_cuda);
  cuda_module::attach(registry, "aten.bernoulli.Tensor", tensor_cuda);
  cuda_module::attach(registry, "aten.bernoulli_.Tensor", tensor_cuda);
  cuda_module::attach(registry, "aten.native_dropout.default", native_dropout_cuda);
}

}  // namespace ersatz::op_bernoulli
