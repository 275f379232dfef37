// tril_indices and triu_indices on CUDA. Each thread finds the row of its element by bisection.
#include <algorithm>

#include "kernels/creation/tril_indices.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/cuda/attach.h"
#include "runtime/cuda/launch.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_tril_indices {
namespace {

/// Returns the number of elements in the first `rows` rows, if row r has clamp(r + offset, 0, columns) elements.
ERSATZ_DEVICE int64_t places_before(int64_t rows, int64_t columns, int64_t offset) {
  const int64_t first = offset >= 0 ? 0 : -offset < rows ? -offset : rows;  // the first row that is not empty
  const int64_t filled = columns - offset;                                  // the first row that is full
  const int64_t full = filled < first ? first : filled < rows ? filled : rows;
  return (full - first) * (first + full - 1 + 2 * offset) / 2 + (rows - full) * columns;
}

template <class T>
struct Places {
  T *row, *column;
  int64_t rows, columns, offset;
  bool lower;

  ERSATZ_DEVICE int64_t before(int64_t r) const {
    return lower ? places_before(r, columns, offset + 1) : r * columns - places_before(r, columns, offset);
  }
  ERSATZ_DEVICE void operator()(int64_t i) const {
    int64_t low = 0, high = rows;  // places_before(low) <= i < places_before(high)
    while (high - low > 1) {
      const int64_t middle = low + (high - low) / 2;
      (before(middle) <= i ? low : high) = middle;
    }
    const int64_t start = low + offset < 0 ? 0 : low + offset;
    row[i] = static_cast<T>(low);
    column[i] = static_cast<T>(i - before(low) + (lower ? 0 : start));
  }
};

template <bool lower>
void run(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  const int64_t n = out.sizes()[1].as_int(), rows = call.integer(kTrilIndices["row"]),
                columns = call.integer(kTrilIndices["col"]);
  constexpr DTypeSet indices{DType::I32, DType::I64};
  dispatch_dtype<indices>(out.dtype(), [&]<class T>() {
    T* const to = reinterpret_cast<T*>(out.raw_data());
    const int64_t offset = std::clamp(call.integer(kTrilIndices["offset"]), -rows - 1, columns + 1);
    cuda_module::launch_each(out.device().index, n, Places<T>{to, to + n, rows, columns, offset, lower});
  });
}

}  // namespace

void attach_cuda(Registry& registry) {
  cuda_module::attach(registry, "aten.tril_indices.default", run<true>);
  cuda_module::attach(registry, "aten.triu_indices.default", run<false>);
}

}  // namespace ersatz::op_tril_indices
