#include "kernels/indexing/embedding_renorm.h"

#include "kernels/creation/full.h"
#include "kernels/indexing/index.h"
#include "kernels/pointwise/arithmetic.h"
#include "kernels/shape/functional_forms.h"
#include "kernels/shape/reshape.h"
#include "runtime/op/behind_values.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_embedding_renorm {
namespace {

using namespace arithmetic;

/// Scales each row of `self` whose number is in `indices`. If a number occurs several times, its row is computed from
/// the same input each time, so the results are equal.
void renorm(CompositeCall& call) {
  const Tensor self = call.tensor(kInplace["self"]), indices = call.tensor(kInplace["indices"]);
  call.require(self.dim() == 2, "C1", "expects a table of two dims: self is {}", self.meta());
  call.require(indices.dtype() == DType::I64 || indices.dtype() == DType::I32, "C2",
               "indices must be i32 or i64: they are {}", indices.meta());
  if (size_eq(indices.numel(), 0)) return call.returns(call[kInplace["self"]]);
  call.require_index(size_ne(self.sizes()[0], 0), "C3", "there must be rows to name: self is {}, indices are {}",
                     self.meta(), indices.meta());
  // ATen checks each index before it computes the norm of the row, so an index error comes before a missing kernel's
  // error.
  check_behind_values(call.op.base(), ErrorFamily::Index,
                      [&] { call.require_dtype(self.dtype(), kFloatsAndComplexes); });
  const Tensor flat = ops::reshape(indices, DimVec{-1});
  const Tensor rows = call_op<"aten.index_select.default">(self, int64_t(0), flat);
  const double most = call.real(kInplace["max_norm"]);
  const Tensor norms =
      call_op<"aten.norm.ScalarOpt_dim">(rows, Scalar(call.real(kInplace["norm_type"])), DimVec{SymInt(1)}, true);
  const Tensor smaller = rows * (ops::reciprocal(ops::add(norms, Scalar(1e-7))) * Scalar(most));
  const Tensor kept = call_op<"aten.where.self">(ops::gt(norms, Scalar(most)), smaller, rows);
  const std::optional<Tensor> named[] = {flat};
  ops::index_put_(self, named, kept, false);  // rows of self may share memory
  call.returns(call[kInplace["self"]]);
}

}  // namespace

void register_ops(Registry& r) {
  const std::string sample = "f32[5,3]{1,5}, i64[2,2], 1.0, 2.0";
  r.add(kInplace)
      .tag(Tag::FailsOnValues)
      .with_composite(renorm)
      .sample(sample, 0, 4)
      .refuses("C1", "f32[5], i64[2], 1.0, 2.0")
      .refuses("C2", "f32[5,3], f32[2], 1.0, 2.0")
      .refuses("C3", "f32[0,3], i64[2], 1.0, 2.0");
  OpEntry& copy = r.add(kFunctional).tag(Tag::FailsOnValues).with_composite(write_copy).sample(sample, 0, 4);
  add_written_apart(r, copy, "out").sample(sample + ", out=f32[0]", 0, 4);
}

}  // namespace ersatz::op_embedding_renorm
