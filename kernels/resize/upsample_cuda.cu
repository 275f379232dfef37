// Images made another size on CUDA: a thread for each output element gathers its taps. Where there are weights, a first
// launch writes the taps of each dim to a table.
#include <algorithm>

#include "kernels/dense_operand.h"
#include "kernels/resize/upsample.h"
#include "kernels/resize/upsample_taps.h"
#include "kernels/shape/device_image.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/cuda/attach.h"
#include "runtime/cuda/launch.h"
#include "runtime/cuda/scratch.h"

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

template <class Acc>
struct DeviceTap {
  int64_t index;
  Acc weight;
};

/// The taps of output o of dim d: count[start[d] + o] of them, from taps[(start[d] + o) * most] on.
template <class Acc>
struct TapTable {
  DeviceTap<Acc>* taps;
  int64_t* count;
  int64_t start[3], most;
};

template <class Acc>
struct WriteTaps {
  TapTable<Acc> table;
  TapRule<Acc> rule[3];
  ERSATZ_DEVICE void operator()(int64_t i) const {
    const int d = i < table.start[1] ? 0 : i < table.start[2] ? 1 : 2;
    const TapRow row = rule[d].row(i - table.start[d]);
    table.count[i] = row.count;
    for (int64_t k = 0; k < row.count; ++k) {
      const Tap tap = row[k];
      table.taps[i * table.most + k] = {tap.index, static_cast<Acc>(tap.weight)};
    }
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
    const DeviceTap<Acc>*depth = table.taps + a * table.most, *height = table.taps + b * table.most,
          *width = table.taps + c * table.most;
    const int64_t slices = table.count[a], lines = table.count[b], columns = table.count[c];
    const T* const plane = x + in.plane(p);
    Acc sum = 0;
    for (int64_t s = 0; s < slices; ++s) {
      Acc slice = 0;
      for (int64_t l = 0; l < lines; ++l) {
        const T* const line = plane + depth[s].index * in.stride[2] + height[l].index * in.stride[3];
        Acc row = 0;
        for (int64_t k = 0; k < columns; ++k) row += width[k].weight * Acc(line[width[k].index * in.stride[4]]);
        slice += height[l].weight * row;
      }
      sum += depth[s].weight * slice;
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

/// The most taps that an output of the dim has.
template <class Acc>
int64_t most_taps(const TapRule<Acc>& rule) {
  switch (rule.mode) {
    case Interpolation::Linear:
      return 2;
    case Interpolation::Cubic:
      return 4;
    default:
      break;
  }
  const double half = rule.mode == Interpolation::AntialiasedCubic ? 2 : 1;
  const double support = std::max(static_cast<double>(rule.step), 1.0) * half;
  return static_cast<int64_t>(std::min(static_cast<double>(rule.in), 2 * support + 2));
}

template <Interpolation mode, class T>
void interpolate(KernelCall& call, const Tensor& in) {
  using Acc = std::conditional_t<std::is_same_v<T, double>, double, float>;
  const Tensor& out = call.outputs[0];
  const int device = out.device().index;
  const ImageShape to(out, spatial_dims(out));
  const ImageOrder order(to);
  WriteTaps<Acc> write;
  write.table.most = 1;
  int64_t rows = 0;
  for (int d = 0; d < 3; ++d) {
    write.rule[d] = tap_rule<Acc>(call, mode, d);
    write.table.start[d] = rows;
    rows += write.rule[d].out;
    write.table.most = std::max(write.table.most, most_taps(write.rule[d]));
  }
  const cuda_module::DeviceScratch taps(device, rows * write.table.most * int64_t(sizeof(DeviceTap<Acc>)));
  const cuda_module::DeviceScratch counts(device, rows * int64_t(sizeof(int64_t)));
  write.table.taps = taps.as<DeviceTap<Acc>>();
  write.table.count = counts.as<int64_t>();
  cuda_module::launch_each(device, rows, write);
  cuda_module::launch_each(
      device, order.count(),
      Interpolate<T, Acc>{order, ImageShape(in, spatial_dims(in)), to, reinterpret_cast<const T*>(in.raw_data()),
                          reinterpret_cast<T*>(out.raw_data()), write.table});
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
