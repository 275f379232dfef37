#include "kernels/linalg/addmm.h"

#include "kernels/linalg/gemm.h"
#include "kernels/linalg/product_rule.h"
#include "kernels/shape/fill_elements.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_addmm {
namespace {

void rule(RuleCall& call) {
  const TensorMeta &self = call.meta(kAddmm["self"]), &a = call.meta(kAddmm["mat1"]), &b = call.meta(kAddmm["mat2"]);
  call.require(a.dim() == 2 && b.dim() == 2, "C1", "both factors must be matrices: mat1 is {}, mat2 is {}", a, b);
  call.require(check_eq(a.sizes[1], b.sizes[0]), "C2",
               "columns of mat1 must equal rows of mat2: mat1 is {}, mat2 is {} ({} vs {})", a, b, a.sizes[1],
               b.sizes[0]);
  const SymInt sizes[] = {a.sizes[0], b.sizes[1]};
  call.require(expands_to(self.sizes, sizes), "C4",
               "self must expand to the product's sizes: self is {}, product is {}", self,
               std::span<const SymInt>(sizes));
  call.require(a.dtype == b.dtype && self.dtype == a.dtype, "C3",
               "operands must have one dtype: self is {}, mat1 is {}, mat2 is {}", self, a, b);
  require_product_dtype(call, a.dtype, a, b);
  require_factors(call, kAddmm["beta"], kAddmm["alpha"], a, b, "C5");
  call.out.fresh(TensorMeta(a.dtype, sizes, call.device));
}

void require_memory(const RuleCall& call) {
  require_copied_self(call, kAddmm["self"], kAddmm["beta"]);
  if (!size_eq(call.meta(kAddmm["mat1"]).sizes[1], 0)) require_own_elements(call);
}
void out_rule(RuleCall& call) {
  const TensorMeta &a = call.meta(kAddmm["mat1"]), &b = call.meta(kAddmm["mat2"]);
  if (a.dim() == 2 && b.dim() == 2) require_self_not_resized(call, kAddmm["self"], DimVec{a.sizes[0], b.sizes[1]});
  derived_out_rule(call);
  require_memory(call);
}
void inplace_rule(RuleCall& call) {
  derived_inplace_rule(call);
  require_memory(call);
}

std::optional<SymInt> flops(RuleCall& call, const RuleResult&) {
  const TensorMeta &a = call.meta(kAddmm["mat1"]), &b = call.meta(kAddmm["mat2"]);
  return SymInt(2) * a.sizes[0] * a.sizes[1] * b.sizes[1];
}

void run_cpu(KernelCall& call) {
  const Tensor self = call.tensor(kAddmm["self"]), &out = call.outputs[0];
  const Scalar beta = call.scalar(kAddmm["beta"]), alpha = call.scalar(kAddmm["alpha"]);
  const MatrixView to = matrix_view(out);
  if (to.rows == 0 || to.cols == 0) return;
  if (beta.to_complex() != 0.0) {
    // `self` is broadcast to the product: its dims of size 1 and its missing dims get stride 0.
    MatrixView from{self.raw_data(), to.rows, to.cols, 0, 0, self.meta().conj};
    const size_t d = self.sizes().size();
    if (d >= 1 && self.sizes()[d - 1].as_int() != 1) from.col_stride = self.strides()[d - 1].as_int();
    if (d == 2 && self.sizes()[0].as_int() != 1) from.row_stride = self.strides()[0].as_int();
    copy_matrix(out.dtype(), from, to);
  }
  if (out.dtype() == DType::Bool) {  // the rule accepts bool only if the inner size is 0
    if (beta.to_complex() == 0.0) fill_elements(out, 0);
    return;
  }
  matrix_product(out.dtype(), matrix_view(call.tensor(kAddmm["mat1"])), matrix_view(call.tensor(kAddmm["mat2"])), to,
                 alpha, beta);
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& op = r.add(kAddmm)
                    .tag(Tag::Core)
                    .with_rule(rule)
                    .cpu(run_cpu)
                    .count_flops(flops)
                    .dtypes(kNumbers)
                    .dtypes_on_cuda(kFloatsAndComplexes)
                    .sample("f32[5], f32[3,4], f32[4,5]{1,4}")
                    .sample("f64[3,1], f64[3,4], f64[4,5], beta=0.5, alpha=2.0")
                    .sample("bf16[3,5]{1,3}, bf16[3,4], bf16[4,5]")
                    .sample("i64[], i64[3,4], i64[4,5], beta=2, alpha=-1")
                    .refuses("C1", "f32[5], f32[4], f32[4,5]")
                    .refuses("C2", "f32[5], f32[3,4], f32[3,5]")
                    .refuses("C3", "f32[5], f32[3,4], f64[4,5]")
                    .refuses("C4", "f32[4], f32[3,4], f32[4,5]")
                    .refuses("C5", "f32[5], f32[3,4], f32[4,5], alpha=(1+2j)");
  r.add_inplace(op, kProductForm).with_rule(inplace_rule);
  r.add_out(op, "out", kProductForm).with_rule(out_rule);
}

}  // namespace ersatz::op_addmm
