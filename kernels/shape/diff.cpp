#include "kernels/shape/diff.h"

#include "kernels/pointwise/pointwise.h"
#include "kernels/shape/cat.h"
#include "kernels/shape/clone.h"
#include "kernels/shape/slice.h"
#include "kernels/shape/written_result.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_diff {
namespace {

void require_joinable(const CompositeCall& call, int64_t dim, Position argument) {
  if (!call.has(argument)) return;
  const TensorMeta &self = call.meta(kDiff["self"]), &other = call.meta(argument);
  bool fits = other.dim() == self.dim();
  for (int64_t d = 0; fits && d < self.dim(); ++d) {
    fits = d == dim || check_eq(self.sizes[static_cast<size_t>(d)], other.sizes[static_cast<size_t>(d)]);
  }
  call.require(fits, "C3", "{} must have the sizes of self except in dim {}: self is {}, it is {}",
               call.op.schema.arguments[argument].name, dim, self, other);
}

Tensor joined(const CompositeCall& call, int64_t dim) {
  InlineVec<Tensor, 3> parts;
  if (call.has(kDiff["prepend"])) parts.push_back(call.tensor(kDiff["prepend"]));
  parts.push_back(call.tensor(kDiff["self"]));
  if (call.has(kDiff["append"])) parts.push_back(call.tensor(kDiff["append"]));
  return parts.size() == 1 ? parts[0] : ops::cat(parts, dim);
}

Tensor diff_of(const CompositeCall& call) {
  const int64_t n = call.integer(kDiff["n"]);
  call.require(call.meta(kDiff["self"]).dim() > 0, "C1", "self must have a dim, it is {}", call.meta(kDiff["self"]));
  call.require(n >= 0, "C2", "the order n must not be negative, it is {}", n);
  // With n = 0 and nothing to join, PyTorch returns a copy of self without checking `dim`.
  const bool joins = call.has(kDiff["prepend"]) || call.has(kDiff["append"]);
  const int64_t dim = n > 0 || joins ? call.wrap_dim(call.integer(kDiff["dim"]), call.meta(kDiff["self"]).dim()) : 0;
  for (Position argument : {kDiff["prepend"], kDiff["append"]}) require_joinable(call, dim, argument);
  if (n == 0) return ops::clone(call.tensor(kDiff["self"]));
  const int64_t given = call.integer(kDiff["dim"]);  // traces show `dim` as the caller passed it
  Tensor result = joined(call, given);
  for (int64_t i = 0; i < n && size_gt(result.size(dim), 0); ++i) {
    const SymInt length = result.size(dim) - 1;
    const Tensor from = ops::narrow(result, given, 0, length), next = ops::narrow(result, given, 1, length);
    result = result.dtype() == DType::Bool ? ops::logical_xor(next, from) : ops::sub(next, from, 1);
  }
  return result;
}

void diff(CompositeCall& call) { call.returns(diff_of(call)); }
/// Casts the result of the last subtraction to the dtype of `out`. If n is 0, nothing is subtracted, and `out` must
/// have the dtype of self.
void diff_out(CompositeCall& call) {
  const bool subtracts = call.integer(kDiff["n"]) > 0;
  write_result(call, diff_of(call), kDiff.out(), subtracts ? WrittenCast::Any : WrittenCast::Own);
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& op = r.add(kDiff)
                    .with_composite(diff)
                    .sample("f32[5,3], 2, 0")
                    .sample("bool[4]")
                    .sample("i64[2,3]{1,2}, 1, 1, i64[2,1], i64[2,2]")
                    .refuses("C1", "f32[]")
                    .refuses("C2", "f32[3], -1")
                    .refuses("C3", "f32[3], 1, 0, f32[2,2]");
  r.add_out_alike(op, "out").with_composite(diff_out).sample("f32[5,3], 2, 0, out=f64[0]");
}

}  // namespace ersatz::op_diff
