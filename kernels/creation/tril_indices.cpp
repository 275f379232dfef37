#include "kernels/creation/tril_indices.h"

#include <algorithm>

#include "kernels/shape/functional_forms.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_tril_indices {

Kernel tril_cpu, triu_cpu;

namespace {

/// Returns the number of elements with column <= row + offset. After the first nonempty row, each row has one element
/// more than the row before, until rows are full.
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

/// The body of the `out=` overloads. Computes the indices in the dtype of `out` and copies them to `out`.
template <bool lower>
void written(CompositeCall& call) {
  const Position out = call.args.size() - 1;
  const FactoryOptions like{call.meta(out).dtype, call.meta(out).device};
  const int64_t rows = call.integer(kTrilIndices["row"]), columns = call.integer(kTrilIndices["col"]),
                offset = call.integer(kTrilIndices["offset"]);
  put_result(call,
             lower ? ops::tril_indices(rows, columns, offset, like) : ops::triu_indices(rows, columns, offset, like),
             out);
}

}  // namespace

void register_ops(Registry& r) {
  for (bool lower : {true, false}) {
    OpEntry& op = r.add(kTrilIndices.with(lower ? "tril" : "triu"))
                      .tag(Tag::Factory)
                      .with_rule(lower ? rule<true> : rule<false>)
                      .cpu(lower ? tril_cpu : triu_cpu)
                      .sample("3, 4")
                      .sample("3, 4, 1, dtype=i32")
                      .sample("3, 2, -2")
                      .refuses("C1", "-1, 3");
    r.add_out_alike(op, "out")
        .with_rule(nullptr)
        .cpu(nullptr)
        .cuda(nullptr)
        .with_composite(lower ? written<true> : written<false>)
        .sample("3, 4, out=i64[0]");
  }
}

}  // namespace ersatz::op_tril_indices
