#include "kernels/creation/tril_indices.h"

#include <algorithm>

#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_tril_indices {

Kernel tril_cpu, triu_cpu;

namespace {

/// Elements with column <= row + offset: rows that grow by one each, then full ones.
SymInt below(int64_t rows, int64_t columns, int64_t offset) {
  offset = std::clamp(offset, -rows - 1, columns);
  const int64_t first = std::clamp<int64_t>(-offset, 0, rows);
  const int64_t full = std::clamp<int64_t>(columns - offset, first, rows);
  const SymInt growing = SymInt(full - first) * SymInt(first + full + 2 * offset + 1);
  return floor_div(growing, 2) + SymInt(rows - full) * SymInt(columns);
}

template <bool lower>
void rule(RuleCall& call) {
  const int64_t rows = call.integer(kTrilIndices["row"]), columns = call.integer(kTrilIndices["col"]),
                offset = call.integer(kTrilIndices["offset"]);
  call.require(rows >= 0 && columns >= 0, "C1", "sizes must not be negative: got {} and {}", rows, columns);
  TensorMeta& out = start_factory(call, kTrilIndices["dtype"], DType::I64, call.device);
  const SymInt n =
      lower ? below(rows, columns, offset)
            : SymInt(rows) * SymInt(columns) - below(rows, columns, offset == INT64_MIN ? offset : offset - 1);
  call.require_dtype(out.dtype, DTypeSet{DType::I32, DType::I64});
  out.sizes.push_back(2);
  out.sizes.push_back(n);
  out.strides = contiguous_strides(out.sizes);
}

}  // namespace

void register_ops(Registry& r) {
  for (bool lower : {true, false}) {
    r.add(kTrilIndices.with(lower ? "tril" : "triu"))
        .tag(Tag::Factory)
        .with_rule(lower ? rule<true> : rule<false>)
        .cpu(lower ? tril_cpu : triu_cpu)
        .sample("3, 4")
        .sample("3, 4, 1, dtype=i32")
        .sample("3, 2, -2")
        .refuses("C1", "-1, 3");
  }
}

}  // namespace ersatz::op_tril_indices
