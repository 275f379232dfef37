#include <algorithm>

#include "kernels/shape/tril.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/base/parallel.h"
#include "runtime/op/copy.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_tril {
namespace {

/// Sets the elements of `t` above the diagonal (lower) or below it (upper) to zero.
template <class Word>
void clear(const Tensor& t, int64_t diagonal, bool lower) {
  const auto sizes = as_ints(t.sizes()), strides = as_ints(t.strides());
  const size_t rank = sizes.size();
  const int64_t rows = sizes[rank - 2], columns = sizes[rank - 1], column_step = strides[rank - 1];
  const int64_t all = t.numel().as_int() / columns;
  Word* const data = reinterpret_cast<Word*>(t.raw_data());
  parallel_for(all, std::max<int64_t>((1 << 15) / columns, 1), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      Word* row = data;
      for (int64_t rest = i, d = static_cast<int64_t>(rank) - 2; d >= 0; --d) {
        row += rest % sizes[static_cast<size_t>(d)] * strides[static_cast<size_t>(d)];
        rest /= sizes[static_cast<size_t>(d)];
      }
      const int64_t r = i % rows;
      // Row r keeps column c if c <= r + diagonal (lower) or c >= r + diagonal (upper).
      const int64_t low = diagonal > columns ? columns : diagonal < -rows ? -1 : r + diagonal;
      const int64_t first = lower ? std::clamp<int64_t>(low + 1, 0, columns) : 0;
      const int64_t last = lower ? columns : std::clamp<int64_t>(low, 0, columns);
      for (int64_t c = first; c < last; ++c) row[c * column_step] = Word{};
    }
  });
}

void run(KernelCall& call, bool lower) {
  const Tensor self = call.tensor(kTril["self"]);
  const Tensor& out = call.outputs[0];
  if (out.numel().as_int() == 0) return;
  if (!out.is(self)) copy_elements(out, self);
  dispatch_item_size(item_size(out.dtype()),
                     [&]<class Word>() { clear<Word>(out, call.integer(kTril["diagonal"]), lower); });
}

}  // namespace

void tril_cpu(KernelCall& call) { run(call, true); }
void triu_cpu(KernelCall& call) { run(call, false); }

}  // namespace ersatz::op_tril
