#include <limits>

#include "kernels/dense_operand.h"
#include "kernels/pooling/pool1d.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/base/parallel.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_pool1d {

void run_max_cpu(KernelCall& call) {
  if (call.outputs[0].numel().as_int() == 0) return;
  const Tensor in = dense_input(call.tensor(kMaxPool1d["self"]));
  DenseOutput out(call.outputs[0]);
  const int64_t kernel = call.ints(kMaxPool1d["kernel_size"])[0],
                stride = call.ints(kMaxPool1d["stride"]).empty() ? kernel : call.ints(kMaxPool1d["stride"])[0];
  const int64_t padding = call.ints(kMaxPool1d["padding"])[0], dilation = call.ints(kMaxPool1d["dilation"])[0];
  const int64_t from = in.size(-1).as_int(), to = out.tensor.size(-1).as_int();
  const int64_t rows = in.numel().as_int() / from;
  dispatch_dtype<kFloats>(in.dtype(), [&]<class T>() {
    const T* x = reinterpret_cast<const T*>(in.raw_data());
    T* y = reinterpret_cast<T*>(out.tensor.raw_data());
    parallel_for(rows, 1 + (1 << 15) / (to * std::min(kernel, from)), [&](int64_t begin, int64_t end) {
      for (int64_t r = begin; r < end; ++r) {
        for (int64_t o = 0; o < to; ++o) {
          double best = -std::numeric_limits<double>::infinity();
          // The loop visits only elements inside of the row, because a kernel may extend far beyond the row.
          const int64_t first = o * stride - padding;
          const int64_t skipped = first < 0 ? (-first + dilation - 1) / dilation : 0;
          for (int64_t k = skipped, at = first + k * dilation; k < kernel && at < from; ++k, at += dilation) {
            const double v = double(x[r * from + at]);
            if (v > best || v != v) best = v;
          }
          y[r * to + o] = T(best);
        }
      }
    });
  });
  out.finish();
}

}  // namespace ersatz::op_pool1d
