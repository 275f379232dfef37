// native_group_norm on CUDA: the moments of each group by the reduction engine, then the elements.
#include <cmath>

#include "kernels/norm/device_parameter.h"
#include "kernels/reduction/device_reduce.h"
#include "kernels/reduction/moment_folds.h"
#include "runtime/cuda/attach.h"

namespace ersatz::op_group_norm {
namespace {

struct Clear {
  std::byte* data;
  ERSATZ_DEVICE void operator()(int64_t i) const { data[i] = std::byte(0); }
};

/// What each group is shifted and scaled by, also as results.
template <class Acc>
struct StoreScales {
  Acc *centers, *scales;
  DeviceParameter mean, rstd;
  double eps;
  ERSATZ_DEVICE void operator()(int64_t row, const folds::Moments<double>& m) const {
    centers[row] = Acc(m.mean);
    scales[row] = Acc(1 / std::sqrt(m.squares / m.n + eps));
    mean.set(row, m.mean);
    rstd.set(row, scales[row]);
  }
};

template <class T, class Acc>
struct Transform {
  const T* in;
  T* out;
  device_reduce::LongOffsets<2> places;  // an element's group and channel
  const Acc *centers, *scales, *weight, *bias;
  ERSATZ_DEVICE void operator()(int64_t i) const {
    const auto at = places.of(i);
    const Acc w = weight ? weight[at[1]] : Acc(1), b = bias ? bias[at[1]] : Acc(0);
    out[i] = T((Acc(in[i]) - centers[at[0]]) * scales[at[0]] * w + b);
  }
};

template <class T>
void normalise(KernelCall& call, int64_t images, int64_t channels, int64_t points, int64_t groups) {
  using Acc = typename NormAcc<T>::type;
  const Tensor in = dense_input(call.tensor(0));
  const Tensor weight = dense_parameter(call.tensor(1), dtype_of<Acc>),
               bias = dense_parameter(call.tensor(2), dtype_of<Acc>);
  DenseOutput out(call.outputs[0]), mean(call.outputs[1]), rstd(call.outputs[2]);
  const int device = in.device().index;
  const int64_t wide = channels / groups, rows = images * groups, width = wide * points;
  const cuda_module::DeviceScratch scratch(device, 2 * rows * static_cast<int64_t>(sizeof(Acc)));
  Acc *centers = scratch.as<Acc>(), *scales = centers + rows;
  DeviceParameter means(mean.tensor), rstds(rstd.tensor);
  means.step = item_size(mean.tensor.dtype());  // row-major, whatever the rank
  rstds.step = item_size(rstd.tensor.dtype());
  ReducePlan plan;
  plan.outputs = rows;
  plan.count = width;
  plan.kept.push_back({rows, width, 1});
  plan.reduced.push_back({width, 1, 0});
  const T* x = reinterpret_cast<const T*>(in.raw_data());
  device_reduce::run_plan(device, folds::Spread<T>(), StoreScales<Acc>{centers, scales, means, rstds, call.real(7)},
                          plan, x);
  Transform<T, Acc> transform{x,
                              reinterpret_cast<T*>(out.tensor.raw_data()),
                              {},
                              centers,
                              scales,
                              data_or_null<Acc>(weight),
                              data_or_null<Acc>(bias)};
  transform.places.wide = rows * width > pointwise::kDeviceElements;
  transform.places.push_inner(images, {groups, 0});
  transform.places.push_inner(groups, {1, wide});
  transform.places.push_inner(wide, {0, 1});
  transform.places.push_inner(points, {0, 0});
  cuda_module::launch_each(device, rows * width, transform);
  out.finish();
  mean.finish();
  rstd.finish();
}

void group_norm_cuda(KernelCall& call) {
  const int64_t images = call.integer(3), channels = call.integer(4), points = call.integer(5);
  if (call.outputs[0].numel().as_int() == 0) return;
  if (images == 0) {
    // N = 0 beside an input that holds something: ATen leaves the output as it was allocated.
    DenseOutput out(call.outputs[0]);
    const int64_t bytes = out.tensor.numel().as_int() * item_size(out.tensor.dtype());
    cuda_module::launch_each(out.tensor.device().index, bytes, Clear{out.tensor.raw_data()});
    return out.finish();
  }
  dispatch_dtype<kFloats>(call.outputs[0].dtype(),
                          [&]<class T>() { normalise<T>(call, images, channels, points, call.integer(6)); });
}

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach(registry, "aten.native_group_norm.default", group_norm_cuda);
}

}  // namespace ersatz::op_group_norm
