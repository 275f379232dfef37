#include <complex>

#include "kernels/dense_operand.h"
#include "kernels/reduction/log_add.h"
#include "kernels/reduction/logcumsumexp.h"
#include "kernels/sorting/rows_along.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/base/parallel.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_logcumsumexp {
namespace {

template <class T>
void run_rows(const RowsAlong<2>& rows, const T* in, T* out) {
  using W = std::conditional_t<is_complex(dtype_of<T>), std::complex<double>, double>;
  parallel_for(rows.rows, std::max<int64_t>(1, (1 << 10) / (rows.n + 1)), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      const auto [from, to] = rows.at(r);
      W sum = W(in[from]);
      for (int64_t i = 0; i < rows.n; ++i) {
        if (i > 0) sum = log_add(sum, W(in[from + i * rows.step[0]]));
        out[to + i * rows.step[1]] = T(sum);
      }
    }
  });
}

}  // namespace

void run_cpu(KernelCall& call) {
  const Tensor self = without_lazy_bits(call.tensor(kLogcumsumexp["self"])), &out = call.outputs[0];
  if (out.numel().as_int() == 0) return;
  const RowsAlong<2> rows(call.integer(kLogcumsumexp["dim"]), {&self, &out});
  dispatch_dtype<kFloatsAndComplexes>(self.dtype(), [&]<class T>() {
    run_rows(rows, reinterpret_cast<const T*>(self.raw_data()), reinterpret_cast<T*>(out.raw_data()));
  });
}

}  // namespace ersatz::op_logcumsumexp
