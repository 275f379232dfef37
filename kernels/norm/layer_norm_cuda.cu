// native_layer_norm on CUDA: a warp or a block a row, moments in one pass, then the results.
#include <cmath>

#include "kernels/norm/device_parameter.h"
#include "kernels/reduction/moment_folds.h"
#include "kernels/reduction/reduce_launch.h"
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

/// Weights and biases are in the input's dtype, or in Acc.
template <class T, class Acc>
struct NormaliseRows {
  const T* in;
  T* out;
  const T *weight, *bias;
  const Acc *wide_weight, *wide_bias;
  DeviceParameter mean, rstd;
  int64_t rows, width;
  double eps;
  bool by_warps;

  ERSATZ_DEVICE void operator()(const cuda_module::Block& block) const {
    constexpr int kWarp = cuda_module::Block::kWarp;
    const int64_t team = by_warps ? kWarp : block.threads(), member = block.thread() % team;
    const int64_t row = (block.index() * block.threads() + block.thread()) / team;
    const bool works = row < rows;
    const folds::Spread<T> spread;
    const MergeMoments<T> merge;
    folds::Moments<double> moments = spread.open();
    const T* x = in + row * width;
    constexpr int64_t kPiece = 1024;
    for (int64_t i = member; works && i < width;) {
      auto acc = spread.start();
      for (int64_t k = 0; k < kPiece && i < width; ++k, i += team) spread.step(acc, x[i]);
      spread.fold(moments, acc);
    }
    if (by_warps) {
      for (int distance = kWarp / 2; distance > 0; distance /= 2) {
        const auto other = block.from_lane(moments, distance);
        if (block.lane() + distance < kWarp) moments = merge(moments, other);
      }
      auto* const shared = block.template shared<folds::Moments<double>>();
      if (member == 0) shared[block.thread() / kWarp] = moments;
      block.sync();
      moments = shared[block.thread() / kWarp];
    } else {
      moments = block.reduce(moments, merge);
    }
    if (!works) return;
    const Acc scale = Acc(1 / std::sqrt(moments.squares / double(width) + eps)), center = Acc(moments.mean);
    T* y = out + row * width;
    for (int64_t i = member; i < width; i += team) {
      const Acc w = weight ? Acc(weight[i]) : wide_weight ? wide_weight[i] : Acc(1);
      const Acc b = bias ? Acc(bias[i]) : wide_bias ? wide_bias[i] : Acc(0);
      y[i] = T((Acc(x[i]) - center) * scale * w + b);
    }
    if (member == 0) {
      mean.set(row, moments.mean);
      rstd.set(row, scale);
    }
  }
};

template <class T>
void normalise(KernelCall& call, int64_t rows, int64_t width) {
  using Acc = typename NormAcc<T>::type;
  const Tensor in = dense_input(call.tensor(0));
  const auto parameter = [&](size_t i) {
    const Tensor t = call.tensor(i);
    return dense_parameter(t, t && t.dtype() == dtype_of<T> ? dtype_of<T> : dtype_of<Acc>);
  };
  const Tensor weight = parameter(2), bias = parameter(3);
  const auto narrow = [](const Tensor& t) { return t && t.dtype() == dtype_of<T> ? data_or_null<T>(t) : nullptr; };
  const auto wide = [](const Tensor& t) { return t && t.dtype() != dtype_of<T> ? data_or_null<Acc>(t) : nullptr; };
  DenseOutput out(call.outputs[0]), mean(call.outputs[1]), rstd(call.outputs[2]);
  DeviceParameter means(mean.tensor), rstds(rstd.tensor);
  means.step = item_size(mean.tensor.dtype());  // row-major, whatever the rank
  rstds.step = item_size(rstd.tensor.dtype());
  const ReduceLaunch launch = choose_reduce_launch(rows, std::max<int64_t>(width, kShortRow + 1), true);
  const bool by_warps = launch.team == ReduceTeam::Warp;
  const int64_t each = by_warps ? launch.threads / cuda_module::Block::kWarp : 1;
  cuda_module::launch_blocks(
      in.device().index, (rows + each - 1) / each, launch.threads, 32 * sizeof(folds::Moments<double>),
      NormaliseRows<T, Acc>{reinterpret_cast<const T*>(in.raw_data()), reinterpret_cast<T*>(out.tensor.raw_data()),
                            narrow(weight), narrow(bias), wide(weight), wide(bias), means, rstds, rows, width,
                            call.real(4), by_warps});
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
