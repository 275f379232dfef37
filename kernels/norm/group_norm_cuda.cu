// native_group_norm on CUDA. The elements of small groups are kept in registers. For larger groups, the reduction
// engine computes the moments, and a second launch computes the results.
#include <cmath>

#include "kernels/norm/device_norm_rows.h"
#include "kernels/norm/group_norm.h"
#include "kernels/reduction/device_reduce.h"
#include "kernels/reduction/moment_folds.h"
#include "runtime/cuda/attach.h"

namespace ersatz::op_group_norm {
namespace {

struct Clear {
  std::byte* data;
  ERSATZ_DEVICE void operator()(int64_t i) const { data[i] = std::byte(0); }
};

/// Stores the center and scale of each group to memory, and to the results mean and rstd.
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

/// Transforms `kItems` elements of one channel: a packet, or one element.
template <class T, class Acc, int kItems>
struct Transform {
  const T* in;
  T* out;
  pointwise::LongOffsets<2> places;  // indices of the group and the channel of packet i
  const Acc *centers, *scales, *weight, *bias;
  ERSATZ_DEVICE void operator()(int64_t i) const {
    const auto at = places.of(i);
    const Acc w = weight ? weight[at[1]] : Acc(1), b = bias ? bias[at[1]] : Acc(0);
    const Acc center = centers[at[0]], scale = scales[at[0]];
    auto packet = reinterpret_cast<const Packet<T, kItems>*>(in)[i];
    ERSATZ_UNROLL
    for (T& element : packet.item) element = T((Acc(element) - center) * scale * w + b);
    if constexpr (sizeof packet == 16) {
      cuda_module::store_packet(out + i * kItems, packet);
    } else {
      out[i] = packet.item[0];
    }
  }
};

/// Multiplies the elements of a group by the weights of their channels, and adds the biases.
template <class Acc>
struct GroupAffine {
  const Acc *weight, *bias;
  int64_t groups, wide;
  pointwise::FastDivisor points;

  template <int kItems, class Cut>
  ERSATZ_DEVICE void apply(Acc (&x)[kItems], const Cut& cut, int first, int64_t row) const {
    if (!weight && !bias) return;
    const int64_t channels = row % groups * wide;
    ERSATZ_UNROLL
    for (int k = 0; k < kItems; ++k) {
      if (!cut.has(first + k)) continue;
      const int64_t channel = channels + points.divide(static_cast<uint32_t>(first + k));
      x[k] = x[k] * (weight ? weight[channel] : Acc(1)) + (bias ? bias[channel] : Acc(0));
    }
  }
};

struct Extent {
  int64_t images, channels, points, groups;
  int64_t wide() const { return channels / groups; }
  int64_t rows() const { return images * groups; }
  int64_t width() const { return wide() * points; }
};

/// Normalises groups whose elements do not fit into registers.
template <class T, class Acc>
void normalise_large(int device, const T* in, T* out, const Acc* weight, const Acc* bias, DeviceParameter mean,
                     DeviceParameter rstd, const Extent& e, double eps) {
  const int64_t rows = e.rows(), width = e.width();
  const cuda_module::DeviceScratch scratch(device, 2 * rows * static_cast<int64_t>(sizeof(Acc)));
  Acc *centers = scratch.as<Acc>(), *scales = centers + rows;
  ReducePlan plan;
  plan.outputs = rows;
  plan.count = width;
  plan.kept.push_back({rows, width, 1});
  plan.reduced.push_back({width, 1, 0});
  device_reduce::run_plan(device, folds::Spread<T>(), StoreScales<Acc>{centers, scales, mean, rstd, eps}, plan, in);
  const auto transform = [&]<int kItems>() {
    Transform<T, Acc, kItems> part{in, out, {}, centers, scales, weight, bias};
    part.places.wide = rows * width / kItems > pointwise::kDeviceElements;
    part.places.push_inner(e.images, {e.groups, 0});
    part.places.push_inner(e.groups, {1, e.wide()});
    part.places.push_inner(e.wide(), {0, 1});
    part.places.push_inner(e.points / kItems, {0, 0});
    cuda_module::launch_each(device, rows * width / kItems, part);
  };
  constexpr int kItems = kPacketItems<T>;
  const auto address = reinterpret_cast<uintptr_t>(in) | reinterpret_cast<uintptr_t>(out);
  e.points % kItems == 0 && address % 16 == 0 ? transform.template operator()<kItems>()
                                              : transform.template operator()<1>();
}

template <class T>
void normalise(KernelCall& call, const Extent& e) {
  using Acc = Compute_t<T>;
  const Tensor in = dense_input(call.tensor(kNativeGroupNorm["input"]));
  const Tensor weights = dense_parameter(call.tensor(kNativeGroupNorm["weight"]), dtype_of<Acc>),
               biases = dense_parameter(call.tensor(kNativeGroupNorm["bias"]), dtype_of<Acc>);
  DenseOutput out(call.outputs[0]), mean(call.outputs[1]), rstd(call.outputs[2]);
  const int device = in.device().index;
  DeviceParameter means(mean.tensor), rstds(rstd.tensor);
  means.step = item_size(mean.tensor.dtype());  // the statistics are row-major for any rank
  rstds.step = item_size(rstd.tensor.dtype());
  const T* x = reinterpret_cast<const T*>(in.raw_data());
  T* y = reinterpret_cast<T*>(out.tensor.raw_data());
  const Acc *weight = data_or_null<Acc>(weights), *bias = data_or_null<Acc>(biases);
  const RowTeam team = choose_row_team(y, e.width());
  if (team.holds) {
    using Rows = device_norm::NormaliseHeldRows<T, Acc, GroupAffine<Acc>>;
    const GroupAffine<Acc> affine{weight, bias, e.groups, e.wide(),
                                  pointwise::FastDivisor(static_cast<uint32_t>(e.points))};
    cuda_module::launch_blocks(
        device, team.blocks(e.rows()), team.threads, 0,
        Rows{x, y, affine, means, rstds, e.rows(), e.width(), call.real(kNativeGroupNorm["eps"]), team});
  } else {
    normalise_large<T, Acc>(device, x, y, weight, bias, means, rstds, e, call.real(kNativeGroupNorm["eps"]));
  }
  out.finish();
  mean.finish();
  rstd.finish();
}

void group_norm_cuda(KernelCall& call) {
  const int64_t images = call.integer(kNativeGroupNorm["N"]), channels = call.integer(kNativeGroupNorm["C"]),
                points = call.integer(kNativeGroupNorm["HxW"]);
  if (call.outputs[0].numel().as_int() == 0) return;
  if (images == 0) {
    // If N = 0 and the input is not empty, ATen returns uninitialised memory. Here the result is zeros.
    DenseOutput out(call.outputs[0]);
    const int64_t bytes = out.tensor.numel().as_int() * item_size(out.tensor.dtype());
    cuda_module::launch_each(out.tensor.device().index, bytes, Clear{out.tensor.raw_data()});
    return out.finish();
  }
  dispatch_dtype<kFloats>(call.outputs[0].dtype(), [&]<class T>() {
    normalise<T>(call, {images, channels, points, call.integer(kNativeGroupNorm["group"])});
  });
}

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach(registry, "aten.native_group_norm.default", group_norm_cuda);
}

}  // namespace ersatz::op_group_norm
