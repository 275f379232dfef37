#include "kernels/reduction/cummax.h"
#include "kernels/sorting/order.h"
#include "kernels/sorting/rows_along.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/base/parallel.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_cummax {
namespace {

template <class T, bool Largest>
void run_rows(const RowsAlong<3>& rows, const T* in, T* values, int64_t* indices) {
  using C = Compute_t<T>;
  parallel_for(rows.rows, std::max<int64_t>(1, (1 << 14) / (rows.n + 1)), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      const auto [from, to, at] = rows.at(r);
      C best = C(in[from]);
      int64_t where = 0;
      for (int64_t i = 0; i < rows.n; ++i) {
        const C v = C(in[from + i * rows.step[0]]);
        if (is_nan(v) || (Largest ? v >= best : v <= best)) {
          best = v;
          where = i;
        }
        values[to + i * rows.step[1]] = T(best);
        indices[at + i * rows.step[2]] = where;
      }
    }
  });
}

template <bool Largest>
void run(KernelCall& call) {
  const Tensor self = without_lazy_bits(call.tensor(kCummax["self"])), &values = call.outputs[0],
               &indices = call.outputs[1];
  if (values.numel().as_int() == 0) return;
  if (self.dim() == 0) {
    copy_elements(values, self);
    *indices.data<int64_t>() = 0;
    return;
  }
  const RowsAlong<3> rows(call.integer(kCummax["dim"]), {&self, &values, &indices});
  dispatch_dtype<kReals | kBool>(self.dtype(), [&]<class T>() {
    run_rows<T, Largest>(rows, reinterpret_cast<const T*>(self.raw_data()), reinterpret_cast<T*>(values.raw_data()),
                         indices.data<int64_t>());
  });
}

}  // namespace

void run_cummax_cpu(KernelCall& call) { run<true>(call); }
void run_cummin_cpu(KernelCall& call) { run<false>(call); }

}  // namespace ersatz::op_cummax
