// native_layer_norm on CUDA. The elements of short rows are kept in registers. Longer rows are read twice: once for the
// moments and once for the results.
#include <cmath>

#include "kernels/norm/device_norm_rows.h"
#include "kernels/norm/layer_norm.h"
#include "kernels/reduction/moment_folds.h"
#include "runtime/cuda/attach.h"
#include "runtime/cuda/launch.h"

namespace ersatz::op_layer_norm {
namespace {

template <class T>
struct MergeMoments {
  ERSATZ_DEVICE folds::Moments<double> operator()(folds::Moments<double> a, const folds::Moments<double>& b) const {
    folds::Spread<T>().merge(a, b);
    return a;
  }
};

/// Multiplies the elements of a row by the weights, and adds the biases. They have the input's dtype (`weight`,
/// `bias`), or type Acc (`wide_weight`, `wide_bias`).
template <class T, class Acc>
struct RowAffine {
  const T *weight, *bias;
  const Acc *wide_weight, *wide_bias;

  template <int kItems, class Cut>
  ERSATZ_DEVICE void apply(Acc (&x)[kItems], const Cut& cut, decltype(Cut::n) first, int64_t) const {
    if (weight || wide_weight) {
      Acc w[kItems];
      read(w, weight, wide_weight, cut, first);
      ERSATZ_UNROLL
      for (int k = 0; k < kItems; ++k) x[k] *= w[k];
    }
    if (bias || wide_bias) {
      Acc b[kItems];
      read(b, bias, wide_bias, cut, first);
      ERSATZ_UNROLL
      for (int k = 0; k < kItems; ++k) x[k] += b[k];
    }
  }

 private:
  template <int kItems, class Cut>
  ERSATZ_DEVICE static void read(Acc (&to)[kItems], const T* narrow, const Acc* wide, const Cut& cut,
                                 decltype(Cut::n) first) {
    if (std::is_same_v<T, Acc> || narrow) {
      const auto packet = cut.read(narrow, first, T(0.0f));
      ERSATZ_UNROLL
      for (int k = 0; k < kItems; ++k) to[k] = Acc(packet.item[k]);
    } else {
      const auto packet = cut.read(wide, first, Acc(0));
      ERSATZ_UNROLL
      for (int k = 0; k < kItems; ++k) to[k] = packet.item[k];
    }
  }
};

/// Normalises rows that do not fit into registers. One block of threads processes one row.
template <class T, class Acc>
struct NormaliseLongRows {
  static constexpr int kMostThreads = RowTeam::kLongRowThreads;
  const T* in;
  T* out;
  RowAffine<T, Acc> affine;
  DeviceParameter mean, rstd;
  int64_t width;
  double eps;

  ERSATZ_DEVICE void operator()(const cuda_module::Block& block) const {
    // kPiece: the number of packets that are summed in Acc before the sum is added to a double
    constexpr int kItems = kPacketItems<T>, kPiece = 1024 / kItems;
    const T* x = in + block.index() * width;
    T* y = out + block.index() * width;
    const RowCut<kItems> cut(y, width);
    const int64_t packets = cut.packets(), by = block.threads();
    const folds::Spread<T> spread;
    folds::Moments<double> moments = spread.open();
    for (int64_t p = block.thread(); p < packets;) {
      auto acc = spread.start();
      for (int n = 0; n < kPiece && p < packets; ++n, p += by) {
        const int64_t first = cut.first(p);
        const auto packet = cut.read(x, first, T(0.0f));
        ERSATZ_UNROLL
        for (int k = 0; k < kItems; ++k) {
          if (cut.has(first + k)) spread.step(acc, packet.item[k]);
        }
      }
      spread.fold(moments, acc);
    }
    moments = block.reduce(moments, MergeMoments<T>());
    const Acc scale = Acc(1 / std::sqrt(moments.squares / double(width) + eps)), center = Acc(moments.mean);
    for (int64_t p = block.thread(); p < packets; p += by) {
      const int64_t first = cut.first(p);
      auto packet = cut.read(x, first, T(0.0f));
      Acc values[kItems];
      ERSATZ_UNROLL
      for (int k = 0; k < kItems; ++k) values[k] = (Acc(packet.item[k]) - center) * scale;
      affine.apply(values, cut, first, block.index());
      ERSATZ_UNROLL
      for (int k = 0; k < kItems; ++k) packet.item[k] = T(values[k]);
      cut.write(y, first, packet);
    }
    if (block.thread() == 0) {
      mean.set(block.index(), moments.mean);
      rstd.set(block.index(), scale);
    }
  }
};

template <class T>
void normalise(KernelCall& call, int64_t rows, int64_t width) {
  using Acc = Compute_t<T>;
  const Tensor in = dense_input(call.tensor(kNativeLayerNorm["input"]));
  const auto parameter = [&](size_t i) {
    const Tensor t = call.tensor(i);
    return dense_parameter(t, t && t.dtype() == dtype_of<T> ? dtype_of<T> : dtype_of<Acc>);
  };
  const Tensor weight = parameter(2), bias = parameter(3);
  const auto narrow = [](const Tensor& t) { return t && t.dtype() == dtype_of<T> ? data_or_null<T>(t) : nullptr; };
  const auto wide = [](const Tensor& t) { return t && t.dtype() != dtype_of<T> ? data_or_null<Acc>(t) : nullptr; };
  DenseOutput out(call.outputs[0]), mean(call.outputs[1]), rstd(call.outputs[2]);
  DeviceParameter means(mean.tensor), rstds(rstd.tensor);
  means.step = item_size(mean.tensor.dtype());  // the statistics are row-major for any rank
  rstds.step = item_size(rstd.tensor.dtype());
  const T* x = reinterpret_cast<const T*>(in.raw_data());
  T* y = reinterpret_cast<T*>(out.tensor.raw_data());
  const RowAffine<T, Acc> affine{narrow(weight), narrow(bias), wide(weight), wide(bias)};
  const RowTeam team = choose_row_team(y, width);
  const int device = in.device().index;
  if (team.holds) {
    using Rows = device_norm::NormaliseHeldRows<T, Acc, RowAffine<T, Acc>>;
    cuda_module::launch_blocks(device, team.blocks(rows), team.threads, 0,
                               Rows{x, y, affine, means, rstds, rows, width, call.real(kNativeLayerNorm["eps"]), team});
  } else {
    cuda_module::launch_blocks(
        device, rows, team.threads, 0,
        NormaliseLongRows<T, Acc>{x, y, affine, means, rstds, width, call.real(kNativeLayerNorm["eps"])});
  }
  out.finish();
  mean.finish();
  rstd.finish();
}

void layer_norm_cuda(KernelCall& call) {
  const int64_t numel = call.outputs[0].numel().as_int(), rows = call.outputs[1].numel().as_int();
  if (rows == 0) return;
  dispatch_dtype<kFloats>(call.outputs[0].dtype(), [&]<class T>() { normalise<T>(call, rows, numel / rows); });
}

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach(registry, "aten.native_layer_norm.default", layer_norm_cuda);
}

}  // namespace ersatz::op_layer_norm
