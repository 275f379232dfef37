#include "kernels/reduction/max_dim.h"
#include "kernels/sorting/order.h"
#include "kernels/sorting/rows_along.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/base/parallel.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_max_dim {
namespace {

constexpr int64_t kTile = 64;  // rows that are processed together; along an outer dim their elements are adjacent

template <class T, bool Largest>
void run_rows(const RowsAlong<3>& rows, const T* in, T* values, int64_t* indices) {
  using C = Compute_t<T>;
  const int64_t tiles = (rows.rows + kTile - 1) / kTile;
  parallel_for(tiles, std::max<int64_t>(1, (1 << 14) / (rows.n * kTile + 1)), [&](int64_t begin, int64_t end) {
    std::array<int64_t, 3> at[kTile];
    C best[kTile];
    int64_t where[kTile];
    for (int64_t t = begin; t < end; ++t) {
      const int64_t count = std::min(kTile, rows.rows - t * kTile);
      for (int64_t j = 0; j < count; ++j) {
        at[j] = rows.at(t * kTile + j);
        best[j] = C(in[at[j][0]]);
        where[j] = 0;
      }
      const auto take = [&](int64_t j, int64_t i) {
        const C v = C(in[at[j][0] + i * rows.step[0]]);
        if (!is_nan(best[j]) && ((Largest ? v > best[j] : v < best[j]) || is_nan(v))) {
          best[j] = v;
          where[j] = i;
        }
      };
      if (rows.step[0] == 1) {
        for (int64_t j = 0; j < count; ++j) {
          for (int64_t i = 1; i < rows.n; ++i) take(j, i);
        }
      } else {
        for (int64_t i = 1; i < rows.n; ++i) {
          for (int64_t j = 0; j < count; ++j) take(j, i);
        }
      }
      for (int64_t j = 0; j < count; ++j) {
        values[at[j][1]] = in[at[j][0] + where[j] * rows.step[0]];
        indices[at[j][2]] = where[j];
      }
    }
  });
}

template <bool Largest>
void run(KernelCall& call) {
  const Tensor self = without_lazy_bits(call.tensor(kMaxDim["self"])), &values = call.outputs[0],
               &indices = call.outputs[1];
  if (values.numel().as_int() == 0) return;
  const RowsAlong<3> rows(call.integer(kMaxDim["dim"]), {&self, &values, &indices});
  dispatch_dtype<kReals | kBool>(self.dtype(), [&]<class T>() {
    run_rows<T, Largest>(rows, reinterpret_cast<const T*>(self.raw_data()), reinterpret_cast<T*>(values.raw_data()),
                         indices.data<int64_t>());
  });
}

}  // namespace

void run_max_cpu(KernelCall& call) { run<true>(call); }
void run_min_cpu(KernelCall& call) { run<false>(call); }

}  // namespace ersatz::op_max_dim
