#include <algorithm>

#include "kernels/dense_operand.h"
#include "kernels/reduction/cumsum.h"
#include "kernels/reduction/running.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/base/parallel.h"
#include "runtime/op/copy.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_cumsum {
namespace {

template <class T, bool Product>
void run_along_rows(int64_t rows, int64_t n, const T* in, T* out) {
  using R = Running_t<T>;
  parallel_for(rows, std::max<int64_t>(1, (1 << 14) / n), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      R total(Product ? 1 : 0);
      for (int64_t i = row * n; i < (row + 1) * n; ++i) {
        if constexpr (Product) {
          total *= R(in[i]);
        } else {
          total += R(in[i]);
        }
        out[i] = T(total);
      }
    }
  });
}

template <class T, bool Product>
void run_along(int64_t outer, int64_t n, int64_t inner, const T* in, T* out) {
  using R = Running_t<T>;
  if (inner == 1) return run_along_rows<T, Product>(outer, n, in, out);
  // The number of adjacent columns that one task computes together, so that memory is read in rows and the running
  // totals stay in cache.
  constexpr int64_t kTile = 128;
  const int64_t tiles = (inner + kTile - 1) / kTile;
  const int64_t grain = std::max<int64_t>(1, (1 << 14) / (n * std::min(inner, kTile) + 1));
  parallel_for(outer * tiles, grain, [&](int64_t begin, int64_t end) {
    for (int64_t o = begin; o < end; ++o) {
      const int64_t column = o % tiles * kTile, width = std::min(kTile, inner - column);
      const int64_t at = o / tiles * n * inner + column;
      R totals[kTile];
      std::fill_n(totals, width, R(Product ? 1 : 0));
      for (int64_t i = 0; i < n; ++i) {
        const T* from = in + at + i * inner;
        T* to = out + at + i * inner;
        for (int64_t c = 0; c < width; ++c) {
          if constexpr (Product) {
            totals[c] *= R(from[c]);
          } else {
            totals[c] += R(from[c]);
          }
          to[c] = T(totals[c]);
        }
      }
    }
  });
}

template <bool Product>
void run(KernelCall& call) {
  if (call.outputs[0].numel().as_int() == 0) return;
  DenseOutput out(call.outputs[0]);
  Tensor in = call.tensor(kCumsum["self"]);
  if (in.dtype() != out.tensor.dtype()) {
    in = make_real_tensor(TensorMeta(out.tensor.dtype(), in.sizes()));
    copy_elements(in, call.tensor(kCumsum["self"]));
  }
  in = dense_input(in);
  const int64_t rank = in.dim(), dim = call.integer(kCumsum["dim"]) < 0
                                           ? call.integer(kCumsum["dim"]) + std::max<int64_t>(rank, 1)
                                           : call.integer(kCumsum["dim"]);
  if (rank == 0) {
    copy_elements(out.tensor, in);
    out.finish();
    return;
  }
  int64_t outer = 1, n = 1, inner = 1;
  for (int64_t d = 0; d < rank; ++d) (d < dim ? outer : d == dim ? n : inner) *= in.sizes()[size_t(d)].as_int();
  dispatch_dtype<kNumbers>(in.dtype(), [&]<class T>() {
    run_along<T, Product>(outer, n, inner, reinterpret_cast<const T*>(in.raw_data()),
                          reinterpret_cast<T*>(out.tensor.raw_data()));
  });
  out.finish();
}

}  // namespace

void run_cumsum_cpu(KernelCall& call) { run<false>(call); }
void run_cumprod_cpu(KernelCall& call) { run<true>(call); }

}  // namespace ersatz::op_cumsum
