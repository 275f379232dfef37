// Samples images at the places of a grid on CUDA, with one thread for each place and channel. Adjacent threads have
// adjacent places, or adjacent channels if channels are innermost in the output.
#include "kernels/compute_type.h"
#include "kernels/dense_operand.h"
#include "kernels/resize/grid_sampler.h"
#include "kernels/resize/grid_taps.h"
#include "kernels/shape/device_image.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/cuda/attach.h"
#include "runtime/cuda/launch.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_grid_sampler {
namespace {

template <class T, class Real, GridMode mode, bool volume>
struct SampleGrid {
  static constexpr int kFewestBlocks = std::is_same_v<Real, double> ? 2 : 0;
  ImageOrder order;
  ImageShape in, out;
  const T *x, *grid;
  T* y;
  int64_t grid_stride[4], coordinate;  ///< strides of [n, d, h, w], and the stride between coordinates
  GridAxis<Real> depth, height, width;

  ERSATZ_DEVICE void operator()(int64_t i) const {
    const ImagePoint p = order.point(i);
    const T* const place = grid + p.at[0] * grid_stride[0] + p.at[2] * grid_stride[1] + p.at[3] * grid_stride[2] +
                           p.at[4] * grid_stride[3];
    const GridTaps across = grid_taps(width, mode, Real(place[0]));
    const GridTaps down = grid_taps(height, mode, Real(place[coordinate]));
    const GridTaps through = volume ? grid_taps(depth, mode, Real(place[2 * coordinate])) : only_tap();
    const T* const channel = x + in.plane(p);
    Real sum = 0;
    for (int k = 0; k < through.count; ++k) {
      ERSATZ_UNROLL
      for (int j = 0; j < down.count; ++j) {
        ERSATZ_UNROLL
        for (int l = 0; l < across.count; ++l) {
          const Tap &a = through.tap[k], &b = down.tap[j], &c = across.tap[l];
          if (a.index < 0 || b.index < 0 || c.index < 0) continue;
          sum += Real(a.weight * b.weight * c.weight) *
                 Real(channel[a.index * in.stride[2] + b.index * in.stride[3] + c.index * in.stride[4]]);
        }
      }
    }
    y[out.offset(p)] = T(sum);
  }
};

template <class T, GridMode mode, bool volume>
void sample(KernelCall& call) {
  using Real = Compute_t<T>;
  const Tensor in = plain_input(call.tensor(kSampled["input"])), grid = plain_input(call.tensor(kSampled["grid"])),
               &out = call.outputs[0];
  constexpr int spatial = volume ? 3 : 2;
  const ImageShape to(out, spatial), from(in, spatial);
  const auto axis = [&](int d) {
    return GridAxis<Real>{from.size[2 + d], GridPadding{call.integer(kSampled["padding_mode"])},
                          call.boolean(kSampled["align_corners"])};
  };
  const auto strides = as_ints(grid.strides());
  SampleGrid<T, Real, mode, volume> body{
      ImageOrder(to),
      from,
      to,
      reinterpret_cast<const T*>(in.raw_data()),
      reinterpret_cast<const T*>(grid.raw_data()),
      reinterpret_cast<T*>(out.raw_data()),
      {strides[0], volume ? strides[1] : 0, strides[strides.size() - 3], strides[strides.size() - 2]},
      strides[strides.size() - 1],
      axis(0),
      axis(1),
      axis(2)};
  cuda_module::launch_each(out.device().index, body.order.count(), body);
}

/// `mode` is a template argument of the loops, so that the taps stay in registers.
template <bool volume>
void run(KernelCall& call) {
  if (call.outputs[0].numel().as_int() == 0) return;
  const GridMode mode{call.integer(kSampled["interpolation_mode"])};
  dispatch_dtype<kFloats>(call.outputs[0].dtype(), [&]<class T>() {
    if (mode == GridMode::Nearest) {
      sample<T, GridMode::Nearest, volume>(call);
    } else if (mode == GridMode::Bicubic) {
      sample<T, GridMode::Bicubic, volume>(call);
    } else {
      sample<T, GridMode::Bilinear, volume>(call);
    }
  });
}

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach(registry, "aten.grid_sampler_2d.default", run<false>);
  cuda_module::attach(registry, "aten.grid_sampler_3d.default", run<true>);
}

}  // namespace ersatz::op_grid_sampler
