#include "kernels/linalg/mm.h"

#include "kernels/linalg/gemm.h"
#include "kernels/linalg/product_rule.h"
#include "kernels/shape/fill_elements.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_mm {
namespace {

void rule(RuleCall& call) {
  const TensorMeta &a = call.meta(kMm["self"]), &b = call.meta(kMm["mat2"]);
  call.require(a.dim() == 2 && b.dim() == 2, "C1", "both operands must be matrices: self is {}, mat2 is {}", a, b);
  call.require(check_eq(a.sizes[1], b.sizes[0]), "C2",
               "columns of self must equal rows of mat2: self is {}, mat2 is {} ({} vs {})", a, b, a.sizes[1],
               b.sizes[0]);
  call.require(a.dtype == b.dtype, "C3", "operands must have one dtype: self is {}, mat2 is {}", a, b);
  require_product_dtype(call, a.dtype, a, b);
  const SymInt sizes[] = {a.sizes[0], b.sizes[1]};
  call.out.fresh(TensorMeta(a.dtype, sizes, call.device));
}

/// Computes the result metadata of mm.out. If the inner size is 0, ATen fills `out` with zeros. Otherwise ATen may copy
/// the product to `out`, and refuses an `out` whose elements share memory.
void out_rule(RuleCall& call) {
  derived_out_rule(call);
  if (!size_eq(call.meta(kMm["self"]).sizes[1], 0)) require_own_elements(call);
}

std::optional<SymInt> flops(RuleCall& call, const RuleResult&) {
  const TensorMeta &a = call.meta(kMm["self"]), &b = call.meta(kMm["mat2"]);
  return SymInt(2) * a.sizes[0] * a.sizes[1] * b.sizes[1];
}

void run_cpu(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  if (call.tensor(kMm["self"]).numel().as_int() == 0) return fill_elements(out, 0);
  matrix_product(out.dtype(), matrix_view(call.tensor(kMm["self"])), matrix_view(call.tensor(kMm["mat2"])),
                 matrix_view(out));
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& op = r.add(kMm)
                    .tag(Tag::Core)
                    .with_rule(rule)
                    .cpu(run_cpu)
                    .count_flops(flops)
                    .dtypes(kNumbers)
                    .dtypes_on_cuda(kFloatsAndComplexes)
                    .sample("f32[3,4], f32[4,5]")
                    .sample("f64[3,4]{1,3}, f64[4,5]{10,2}")
                    .sample("bf16[3,0], bf16[0,5]")
                    .sample("i64[2,3], i64[3,2]")
                    .sample("c64[2,3]{1,2}, c64[3,2]")
                    .refuses("C1", "f32[3], f32[3,4]")
                    .refuses("C2", "f32[3,4], f32[3,4]")
                    .refuses("C3", "f32[3,4], f64[4,3]");
  r.add_out(op, "out", kProductForm).with_rule(out_rule);
}

}  // namespace ersatz::op_mm
