#include "kernels/pooling/volume.h"
#include "kernels/pooling/volume_loops.h"
#include "runtime/kernel.h"

namespace ersatz::op_pool3d {

void run_average_cpu(KernelCall& call) {
  const Tensor in = call.tensor(0);
  const Tensor& out = call.outputs[0];
  if (out.numel().as_int() == 0) return;
  const Window3d w = volume_window(call.ints(1), call.ints(2), call.ints(3));
  const bool count_padding = call.boolean(5);
  const int64_t fixed = call.has(6) ? call.integer(6) : 0;
  const Volume v = volume_of(in, out, 3);
  auto place = [&](int64_t i, int64_t j, int64_t k) {
    Box b;
    const int64_t at[3] = {i, j, k};
    for (int d = 0; d < 3; ++d) {
      const int64_t begin = at[d] * w.stride[d] - w.padding[d];
      b.begin[d] = std::max<int64_t>(begin, 0);
      b.end[d] = std::min(begin + w.size[d], v.in[d]);
    }
    return b;
  };
  auto divisor = [&](int64_t i, int64_t j, int64_t k) {
    if (fixed) return fixed;
    const Box b = place(i, j, k);
    const int64_t at[3] = {i, j, k};
    int64_t n = 1;
    for (int d = 0; d < 3; ++d) {
      const int64_t begin = at[d] * w.stride[d] - w.padding[d];
      n *= count_padding ? std::min(begin + w.size[d], v.in[d] + w.padding[d]) - begin
                         : std::max<int64_t>(b.end[d] - b.begin[d], 0);
    }
    return std::max<int64_t>(n, 1);
  };
  average_of_boxes<DTypeSet{DType::F32, DType::F64, DType::I64}>(in, out, 3, place, divisor);
}

void run_max_cpu(KernelCall& call) {
  const Tensor in = call.tensor(0);
  const Tensor& out = call.outputs[0];
  if (out.numel().as_int() == 0) return;
  Window3d w = volume_window(call.ints(1), call.ints(2), call.ints(3));
  spread_triple(call.ints(4), w.dilation);
  const Volume v = volume_of(in, out, 3);
  max_of_boxes<kReals>(in, out, call.outputs[1], 3, [&](int64_t i, int64_t j, int64_t k) {
    Box b;
    const int64_t at[3] = {i, j, k};
    for (int d = 0; d < 3; ++d) {
      b.begin[d] = at[d] * w.stride[d] - w.padding[d];
      b.end[d] = std::min(b.begin[d] + (w.size[d] - 1) * w.dilation[d] + 1, v.in[d]);
      b.step[d] = w.dilation[d];
      if (b.begin[d] < 0) b.begin[d] += (-b.begin[d] + w.dilation[d] - 1) / w.dilation[d] * w.dilation[d];
    }
    return b;
  });
}

}  // namespace ersatz::op_pool3d
