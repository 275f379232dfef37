// Resizes images on CUDA. One thread computes one output element from its taps. For modes with weights, a first kernel
// writes the taps of each dim to a table.
#include "kernels/dense_operand.h"
#include "kernels/resize/device_taps.h"
#include "kernels/resize/upsample.h"
#include "kernels/resize/upsample_taps.h"
#include "kernels/shape/device_image.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/cuda/attach.h"
#include "runtime/cuda/launch.h"

namespace ersatz::op_upsample {
namespace {

template <class Word, class Real>
struct TakeNearest {
  ImageOrder order;
  ImageShape in, out;
  const Word* from;
  Word* to;
  TapRule<Real> rule[3];
  ERSATZ_DEVICE void operator()(int64_t i) const {
    ImagePoint p = order.point(i);
    Word& place = to[out.offset(p)];
    for (int d = 0; d < 3; ++d) p.at[2 + d] = rule[d].nearest(p.at[2 + d]);
    place = from[in.offset(p)];
  }
};

template <class T, class Acc>
struct Interpolate {
  ImageOrder order;
  ImageShape in, out;
  const T* x;
  T* y;
  TapTable<Acc> table;

  ERSATZ_DEVICE void operator()(int64_t i) const {
    const ImagePoint p = order.point(i);
    const int64_t a = table.start[0] + p.at[2], b = table.start[1] + p.at[3], c = table.start[2] + p.at[4];
    const TapSpan depth = table.rows[a], height = table.rows[b], width = table.rows[c];
    const Acc *through = table.weights_of(a), *down = table.weights_of(b), *across = table.weights_of(c);
    const T* const first =
        x + in.plane(p) + depth.first * in.stride[2] + height.first * in.stride[3] + width.first * in.stride[4];
    Acc sum = 0;
    for (int64_t s = 0; s < depth.count; ++s) {
      Acc slice = 0;
      for (int64_t l = 0; l < height.count; ++l) {
        const T* const line = first + s * in.stride[2] + l * in.stride[3];
        Acc row = 0;
        for (int64_t k = 0; k < width.count; ++k) row += across[k] * Acc(line[k * in.stride[4]]);
        slice += down[l] * row;
      }
      sum += through[s] * slice;
    }
    y[out.offset(p)] = T(sum);
  }
};

int spatial_dims(const Tensor& t) { return static_cast<int>(t.dim()) - 2; }

template <Interpolation mode, class Real>
void take_nearest(KernelCall& call, const Tensor& in) {
  const Tensor& out = call.outputs[0];
  const ImageShape to(out, spatial_dims(out));
  const ImageOrder order(to);
  dispatch_item_size(item_size(in.dtype()), [&]<class Word>() {
    TakeNearest<Word, Real> take{order,
                                 ImageShape(in, spatial_dims(in)),
                                 to,
                                 reinterpret_cast<const Word*>(in.raw_data()),
                                 reinterpret_cast<Word*>(out.raw_data()),
                                 {}};
    for (int d = 0; d < 3; ++d) take.rule[d] = tap_rule<Real>(call, mode, d);
    cuda_module::launch_each(out.device().index, order.count(), take);
  });
}

template <Interpolation mode>
void nearest_cuda(KernelCall& call) {
  if (call.outputs[0].numel().as_int() == 0) return;
  const Tensor in = plain_input(call.tensor(kUpsample["self"]));
  in.dtype() == DType::F64 ? take_nearest<mode, double>(call, in) : take_nearest<mode, float>(call, in);
}

template <Interpolation mode, class T>
void interpolate(KernelCall& call, const Tensor& in) {
  using Acc = std::conditional_t<std::is_same_v<T, double>, double, float>;
  const Tensor& out = call.outputs[0];
  const int device = out.device().index;
  const ImageShape to(out, spatial_dims(out));
  const ImageOrder order(to);
  TapRule<Acc> rules[3];
  for (int d = 0; d < 3; ++d) rules[d] = tap_rule<Acc>(call, mode, d);
  const DeviceTaps<Acc> taps(device, rules);
  cuda_module::launch_each(
      device, order.count(),
      Interpolate<T, Acc>{order, ImageShape(in, spatial_dims(in)), to, reinterpret_cast<const T*>(in.raw_data()),
                          reinterpret_cast<T*>(out.raw_data()), taps.table});
}

template <Interpolation mode>
void weighted_cuda(KernelCall& call) {
  if (call.outputs[0].numel().as_int() == 0) return;
  const Tensor in = plain_input(call.tensor(kUpsample["self"]));
  dispatch_dtype<kFloats>(in.dtype(), [&]<class T>() { interpolate<mode, T>(call, in); });
}

}  // namespace

void attach_cuda(Registry& registry) {
  for (const char* name :
       {"aten.upsample_nearest1d.default", "aten.upsample_nearest2d.default", "aten.upsample_nearest3d.default"}) {
    cuda_module::attach(registry, name, nearest_cuda<Interpolation::Nearest>);
  }
  for (const char* name : {"aten._upsample_nearest_exact1d.default", "aten._upsample_nearest_exact2d.default",
                           "aten._upsample_nearest_exact3d.default"}) {
    cuda_module::attach(registry, name, nearest_cuda<Interpolation::NearestExact>);
  }
  for (const char* name :
       {"aten.upsample_linear1d.default", "aten.upsample_bilinear2d.default", "aten.upsample_trilinear3d.default"}) {
    cuda_module::attach(registry, name, weighted_cuda<Interpolation::Linear>);
  }
  cuda_module::attach(registry, "aten.upsample_bicubic2d.default", weighted_cuda<Interpolation::Cubic>);
  cuda_module::attach(registry, "aten._upsample_bilinear2d_aa.default",
                      weighted_cuda<Interpolation::AntialiasedLinear>);
  cuda_module::attach(registry, "aten._upsample_bicubic2d_aa.default", weighted_cuda<Interpolation::AntialiasedCubic>);
}

}  // namespace ersatz::op_upsample
