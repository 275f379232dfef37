#include <cmath>

#include "kernels/dense_operand.h"
#include "kernels/norm/group_norm.h"
#include "kernels/norm/parameter.h"
#include "kernels/norm/row_statistics.h"
#include "kernels/shape/fill_elements.h"
#include "runtime/base/parallel.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_group_norm {
namespace {

template <class T>
void normalise(KernelCall& call, int64_t images, int64_t channels, int64_t points, int64_t groups) {
  using Acc = Compute_t<T>;
  const Tensor in = dense_input(call.tensor(kNativeGroupNorm["input"]));
  DenseOutput out(call.outputs[0]), mean(call.outputs[1]), rstd(call.outputs[2]);
  const auto weight = read_parameter<Acc>(call.tensor(kNativeGroupNorm["weight"]), channels, Acc(1));
  const auto bias = read_parameter<Acc>(call.tensor(kNativeGroupNorm["bias"]), channels, Acc(0));
  const double eps = call.real(kNativeGroupNorm["eps"]);
  const T* x = reinterpret_cast<const T*>(in.raw_data());
  T* y = reinterpret_cast<T*>(out.tensor.raw_data());
  const int64_t wide = channels / groups, width = wide * points;
  const auto write_statistics = [&](const Tensor& t, int64_t row, Acc v) {
    dispatch_dtype<kFloats>(t.dtype(), [&]<class S>() { reinterpret_cast<S*>(t.raw_data())[row] = S(v); });
  };
  parallel_for(images * groups, std::max<int64_t>(1, (1 << 14) / (width + 1)), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      const RowStatistics s = row_statistics<Acc>(x + r * width, width);
      const Acc scale = Acc(1 / std::sqrt(s.variance + eps)), center = Acc(s.mean);
      for (int64_t c = 0; c < wide; ++c) {
        const int64_t channel = r % groups * wide + c, at = r * width + c * points;
        for (int64_t i = 0; i < points; ++i) {
          y[at + i] = T((Acc(x[at + i]) - center) * scale * weight[channel] + bias[channel]);
        }
      }
      write_statistics(mean.tensor, r, Acc(s.mean));
      write_statistics(rstd.tensor, r, scale);
    }
  });
  out.finish();
  mean.finish();
  rstd.finish();
}

}  // namespace

void run_cpu(KernelCall& call) {
  const int64_t images = call.integer(kNativeGroupNorm["N"]), channels = call.integer(kNativeGroupNorm["C"]),
                points = call.integer(kNativeGroupNorm["HxW"]);
  if (call.outputs[0].numel().as_int() == 0) return;
  if (images == 0) {
    // If N = 0 and the input is not empty, ATen returns uninitialised memory. Here the result is zeros.
    return fill_elements(call.outputs[0], 0);
  }
  dispatch_dtype<kFloats>(call.outputs[0].dtype(), [&]<class T>() {
    normalise<T>(call, images, channels, points, call.integer(kNativeGroupNorm["group"]));
  });
}

}  // namespace ersatz::op_group_norm
