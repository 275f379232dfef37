#include <algorithm>

#include "kernels/creation/tril_indices.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_tril_indices {
namespace {

template <class T>
void write(const Tensor& out, int64_t rows, int64_t columns, int64_t offset, bool lower) {
  const int64_t n = out.sizes()[1].as_int();
  T *row = out.data<T>(), *column = row + n;
  offset = std::clamp(offset, -rows - 1, columns + 1);
  int64_t at = 0;
  for (int64_t r = 0; r < rows; ++r) {
    const int64_t first = lower ? 0 : std::clamp<int64_t>(r + offset, 0, columns);
    const int64_t last = lower ? std::clamp<int64_t>(r + offset + 1, 0, columns) : columns;
    for (int64_t c = first; c < last; ++c, ++at) {
      row[at] = static_cast<T>(r);
      column[at] = static_cast<T>(c);
    }
  }
}

void run(KernelCall& call, bool lower) {
  const Tensor& out = call.outputs[0];
  if (out.numel().as_int() == 0) return;
  constexpr DTypeSet indices{DType::I32, DType::I64};
  dispatch_dtype<indices>(out.dtype(), [&]<class T>() {
    write<T>(out, call.integer(kTrilIndices["row"]), call.integer(kTrilIndices["col"]),
             call.integer(kTrilIndices["offset"]), lower);
  });
}

}  // namespace

void tril_cpu(KernelCall& call) { run(call, true); }
void triu_cpu(KernelCall& call) { run(call, false); }

}  // namespace ersatz::op_tril_indices
