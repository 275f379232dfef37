#include <cmath>
#include <memory>
#include <type_traits>

#include "kernels/dense_operand.h"
#include "kernels/norm/layer_norm.h"
#include "kernels/norm/parameter.h"
#include "kernels/norm/row_statistics.h"
#include "kernels/pointwise/block_move.h"
#include "runtime/base/parallel.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_layer_norm {
namespace {

template <class T>
void normalise(KernelCall& call, int64_t rows, int64_t width) {
  using Acc = Compute_t<T>;
  const Tensor in = dense_input(call.tensor(kNativeLayerNorm["input"]));
  DenseOutput out(call.outputs[0]), mean(call.outputs[1]), rstd(call.outputs[2]);
  const auto weight = read_parameter<Acc>(dense_input(call.tensor(kNativeLayerNorm["weight"])), width, Acc(1));
  const auto bias = read_parameter<Acc>(dense_input(call.tensor(kNativeLayerNorm["bias"])), width, Acc(0));
  const double eps = call.real(kNativeLayerNorm["eps"]);
  const T* x = reinterpret_cast<const T*>(in.raw_data());
  T* y = reinterpret_cast<T*>(out.tensor.raw_data());
  const auto write_statistics = [&](const Tensor& t, int64_t row, Acc v) {
    dispatch_dtype<kFloats>(t.dtype(), [&]<class S>() { reinterpret_cast<S*>(t.raw_data())[row] = S(v); });
  };
  // f16 and bf16 are converted to Acc and back one row at a time, by conversion instructions of the processor.
  constexpr bool kNarrow = sizeof(T) < sizeof(Acc);
  const auto widen = kNarrow ? pointwise::converter(dtype_of<Acc>, in.dtype()) : nullptr;
  const auto narrow = kNarrow ? pointwise::converter(in.dtype(), dtype_of<Acc>) : nullptr;
  using Row = std::conditional_t<kNarrow, Acc, T>;
  parallel_for(rows, std::max<int64_t>(1, (1 << 14) / (width + 1)), [&](int64_t begin, int64_t end) {
    const std::unique_ptr<Row[]> wide(kNarrow ? new Row[static_cast<size_t>(width) + 1] : nullptr);
    for (int64_t r = begin; r < end; ++r) {
      const Row* from = reinterpret_cast<const Row*>(x + r * width);
      Row* to = reinterpret_cast<Row*>(y + r * width);
      if constexpr (kNarrow) {
        widen(wide.get(), x + r * width, width);
        from = to = wide.get();
      }
      const RowStatistics s = row_statistics<Acc>(from, width);
      const Acc scale = Acc(1 / std::sqrt(s.variance + eps));
      const Acc center = Acc(s.mean);
      for (int64_t i = 0; i < width; ++i) to[i] = (from[i] - center) * scale * weight[i] + bias[i];
      if constexpr (kNarrow) narrow(y + r * width, wide.get(), width);
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
  const int64_t numel = call.outputs[0].numel().as_int(), rows = call.outputs[1].numel().as_int();
  if (rows == 0) return;
  dispatch_dtype<kFloats>(call.outputs[0].dtype(), [&]<class T>() { normalise<T>(call, rows, numel / rows); });
}

}  // namespace ersatz::op_layer_norm
