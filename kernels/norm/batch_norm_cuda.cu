// Batch normalisation on CUDA, for any memory format. The reduction engine computes the moments of each channel. Then
// one thread for each channel computes the channel's factors, and a last launch transforms the elements.
#include <cmath>

#include "kernels/norm/batch_norm_calls.h"
#include "kernels/norm/device_parameter.h"
#include "kernels/reduction/device_reduce.h"
#include "kernels/reduction/moment_folds.h"
#include "runtime/cuda/attach.h"

namespace ersatz::op_batch_norm {
namespace {

struct StoreMoments {
  folds::Moments<double>* moments;
  ERSATZ_DEVICE void operator()(int64_t channel, const folds::Moments<double>& m) const { moments[channel] = m; }
};

/// Computes the factors of a channel, and its saved and running statistics. In inference, the saved statistics come
/// from the running statistics.
template <class Acc>
struct Channel {
  const folds::Moments<double>* moments;  // null in inference
  DeviceParameter weight, bias, running_mean, running_var, saved_mean, saved_inverse;
  Acc* factors;  // [channels, 3]: an element becomes (element - center) * factor + summand
  double momentum, eps;
  int64_t channels;
  bool in_turn;  // true: the running statistics of all channels share one element, so one thread updates them in order

  ERSATZ_DEVICE void operator()(int64_t i) const {
    for (int64_t c = i; c < (in_turn ? channels : i + 1); ++c) one(c);
  }
  ERSATZ_DEVICE void one(int64_t c) const {
    double mean, inverse;
    if (moments != nullptr) {
      const folds::Moments<double>& m = moments[c];
      mean = m.mean;
      inverse = 1 / std::sqrt(m.squares / m.n + eps);
      running_mean.set(c, momentum * mean + (1 - momentum) * running_mean.get(c, 0));
      running_var.set(c, momentum * (m.squares / (m.n - 1)) + (1 - momentum) * running_var.get(c, 0));
    } else {
      mean = running_mean.get(c, 0);
      inverse = 1 / std::sqrt(running_var.get(c, 1) + eps);
    }
    saved_mean.set(c, mean);
    saved_inverse.set(c, inverse);
    factors[3 * c] = Acc(mean);
    factors[3 * c + 1] = Acc(inverse * weight.get(c, 1));
    factors[3 * c + 2] = Acc(bias.get(c, 0));
  }
};

template <class T, class Acc>
struct Transform {
  pointwise::DeviceOffsets<3> offsets;
  std::byte* out;
  const std::byte* in;
  const std::byte* factors;
  ERSATZ_DEVICE void operator()(int64_t i) const {
    const auto at = offsets.of(static_cast<uint32_t>(i));
    const Acc* f = reinterpret_cast<const Acc*>(factors + at[2]);
    const Acc x = Acc(*reinterpret_cast<const T*>(in + at[1]));
    // subtracts the center first, to avoid cancellation
    *reinterpret_cast<T*>(out + at[0]) = T((x - f[0]) * f[1] + f[2]);
  }
};

/// Transforms dense images packet by packet. Channels are innermost, or all elements of a packet belong to one channel.
template <class T, class Acc, bool kChannelsLast>
struct TransformPackets {
  static constexpr int kItems = kPacketItems<T>;
  using P = Packet<T, kItems>;
  T* out;
  const T* in;
  const Acc* factors;
  pointwise::LongOffsets<1> channel;  // the channel of a packet's first element
  ERSATZ_DEVICE void operator()(int64_t i) const {
    const Acc* f = factors + 3 * channel.of(i)[0];
    P packet = reinterpret_cast<const P*>(in)[i];
    ERSATZ_UNROLL
    for (int k = 0; k < kItems; ++k) {
      const Acc* const own = kChannelsLast ? f + 3 * k : f;
      packet.item[k] = T((Acc(packet.item[k]) - own[0]) * own[1] + own[2]);
    }
    cuda_module::store_packet(out + i * kItems, packet);
  }
};

/// RETURNS: false, and writes nothing, unless both tensors are aligned and dense in one memory format. Each packet also
/// has to be part of one channel, or of the channels of one point.
template <class T, class Acc>
bool transform_packets(const Tensor& out, const Tensor& in, const Acc* factors) {
  constexpr int kItems = kPacketItems<T>;
  const int64_t images = in.sizes()[0].as_int(), channels = in.sizes()[1].as_int(), numel = in.numel().as_int();
  if (numel == 0) return false;
  const int64_t points = numel / images / channels;
  const auto both = [&](MemoryFormat f) { return is_contiguous(in.meta(), f) && is_contiguous(out.meta(), f); };
  const bool dense = both(MemoryFormat::Contiguous), rows = dense && points % kItems == 0;
  const bool last = (dense && points == 1) || (in.dim() == 4 && both(MemoryFormat::ChannelsLast)) ||
                    (in.dim() == 5 && both(MemoryFormat::ChannelsLast3d));
  const auto address = reinterpret_cast<uintptr_t>(in.raw_data()) | reinterpret_cast<uintptr_t>(out.raw_data());
  if (address % 16 != 0 || !(rows || (last && channels % kItems == 0))) return false;
  const auto run = [&]<bool kChannelsLast>() {
    TransformPackets<T, Acc, kChannelsLast> transform{
        reinterpret_cast<T*>(out.raw_data()), reinterpret_cast<const T*>(in.raw_data()), factors, {}};
    transform.channel.wide = numel / kItems > pointwise::kDeviceElements;
    transform.channel.push_inner(images * (kChannelsLast ? points : 1), {0});
    transform.channel.push_inner(channels / (kChannelsLast ? kItems : 1), {kChannelsLast ? kItems : 1});
    if (!kChannelsLast) transform.channel.push_inner(points / kItems, {0});
    cuda_module::launch_each(in.device().index, numel / kItems, transform);
  };
  rows ? run.template operator()<false>() : run.template operator()<true>();
  return true;
}

template <class T>
void normalise(const Operands& o, std::span<Tensor> outputs) {
  using Acc = Compute_t<T>;
  const Tensor& out = outputs[0];
  const int device = out.device().index;
  const int64_t channels = o.input.sizes()[1].as_int();
  if (channels == 0) return;
  const Tensor in = plain_input(o.input);
  constexpr int64_t kFactors = 3 * sizeof(Acc);
  const cuda_module::DeviceScratch factors(device, channels * kFactors);
  const cuda_module::DeviceScratch statistics(
      device, o.training ? channels * static_cast<int64_t>(sizeof(folds::Moments<double>)) : 0);
  auto* moments = statistics.as<folds::Moments<double>>();
  if (o.training) {
    const SymInt size[] = {channels}, stride[] = {1};
    DeviceReduction::run_to(folds::Spread<T>(), StoreMoments{moments}, in,
                            TensorMeta(DType::F64, size, stride, out.device()), ~(DimMask(1) << 1));
  }
  const auto shared = [&](const Tensor& t) { return t && t.dim() == 1 && t.strides()[0].as_int() == 0; };
  const bool in_turn = o.training && channels > 1 && (shared(o.running_mean) || shared(o.running_var));
  const Channel<Acc> channel{moments,
                             DeviceParameter(o.weight),
                             DeviceParameter(o.bias),
                             DeviceParameter(o.running_mean),
                             DeviceParameter(o.running_var),
                             DeviceParameter(outputs[1]),
                             DeviceParameter(outputs[2]),
                             factors.as<Acc>(),
                             o.momentum,
                             o.eps,
                             channels,
                             in_turn};
  cuda_module::launch_each(device, in_turn ? 1 : channels, channel);
  if (transform_packets<T, Acc>(out, in, factors.as<Acc>())) return;
  InlineVec<int64_t, 6> by_channel;
  for (int64_t d = 0; d < in.dim(); ++d) by_channel.push_back(d == 1);
  const pointwise::LoopOperand operands[] = {
      {out.raw_data(), item_size(out.dtype()), as_ints(out.strides())},
      {in.raw_data(), item_size(in.dtype()), as_ints(in.strides())},
      {factors.as<std::byte>(), kFactors, {by_channel.data(), by_channel.size()}}};
  pointwise::for_each_piece<3>(as_ints(out.sizes()), operands, [&](const pointwise::DevicePiece<3>& piece) {
    cuda_module::launch_each(device, piece.numel,
                             Transform<T, Acc>{piece.offsets, piece.data[0], piece.data[1], piece.data[2]});
  });
}

struct DeviceBatchNorm {
  static void run(const Operands& o, std::span<Tensor> outputs) {
    dispatch_dtype<kFloats>(o.input.dtype(), [&]<class T>() { normalise<T>(o, outputs); });
  }
};

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach(registry, "aten._native_batch_norm_legit_no_training.default", inference<DeviceBatchNorm>);
  cuda_module::attach(registry, "aten._native_batch_norm_legit.default", legit<DeviceBatchNorm>);
  cuda_module::attach(registry, "aten._native_batch_norm_legit.out", legit<DeviceBatchNorm>);
  cuda_module::attach(registry, "aten._native_batch_norm_legit.no_stats", no_stats<DeviceBatchNorm>);
  cuda_module::attach(registry, "aten._native_batch_norm_legit_functional.default", functional<DeviceBatchNorm>);
  cuda_module::attach(registry, "aten.native_batch_norm.default", legit<DeviceBatchNorm>);
  cuda_module::attach(registry, "aten.native_batch_norm.out", legit<DeviceBatchNorm>);
  cuda_module::attach(registry, "aten._batch_norm_with_update.default", with_update<DeviceBatchNorm>);
  cuda_module::attach(registry, "aten._batch_norm_with_update.out", with_update<DeviceBatchNorm>);
}

}  // namespace ersatz::op_batch_norm
