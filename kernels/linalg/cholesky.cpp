#include "kernels/linalg/cholesky.h"

#include "kernels/kernel_dtype.h"
#include "runtime/op/derived.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_cholesky {

Kernel run_cpu;

namespace {

void rule(RuleCall& call) {
  const TensorMeta& self = call.meta(kLinalgCholeskyEx["self"]);
  call.require(self.dim() >= 2, "C1", "expects matrices: self is {}", self);
  const size_t rows = self.sizes.size() - 2, columns = rows + 1;
  call.require(check_eq(self.sizes[rows], self.sizes[columns]), "C2", "expects square matrices: self is {}", self);
  call.require_dtype_first(self.dtype, kAnyFloatsAndComplexes);
  const SymInt n = self.numel();
  if (!n.is_int() || n.as_int() != 0) {
    call.require_dtype(self.dtype, kFloatsAndComplexes.without({DType::F16, DType::BF16}));
  }
  TensorMeta& factor = call.out.fresh();
  factor.dtype = self.dtype;
  factor.device = call.device;
  factor.sizes = self.sizes;
  factor.strides = contiguous_strides(self.sizes);
  factor.strides[rows] = 1;
  factor.strides[columns] = sym_max(self.sizes[rows], 1);
  DimVec batch;
  for (size_t d = 0; d < rows; ++d) batch.push_back(self.sizes[d]);
  call.out.fresh(TensorMeta(DType::I32, batch, call.device));
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& op = r.add(kLinalgCholeskyEx)
                    .tag(Tag::FailsOnValues)
                    .with_rule(rule)
                    .cpu(run_cpu)
                    .with_fallback(FallbackPolicy::Rule, Fill::Identity)
                    .sample("f32[2,1,1]", 1, 2)
                    .refuses("C1", "f32[2]")
                    .refuses("C2", "f32[2,3]")
                    .refuses("", "i64[2,2]")
                    .refuses("", "f16[2,2]");
  r.add_out(op, "L", {}, {"L", "info"}).with_rule(kernel_first_out_rule);
}

}  // namespace ersatz::op_cholesky
