#include "kernels/linalg/bmm.h"

#include "kernels/linalg/product_rule.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_bmm {

Kernel run_cpu, run_baddbmm_cpu;

namespace {

/// Checks the batches of matrices at argument positions `first` and `first + 1`. Adds the metadata of their product to
/// the call.
void product_rule(RuleCall& call, Position first) {
  const TensorMeta &a = call.meta(first), &b = call.meta(first + 1);
  call.require(a.dim() == 3 && b.dim() == 3, "C1", "both operands must be 3-d: the first is {}, the second is {}", a,
               b);
  call.require(check_eq(a.sizes[0], b.sizes[0]) && check_eq(a.sizes[2], b.sizes[1]), "C2",
               "batches must fit: the first is {}, the second is {} (matrices {} vs {}, columns and rows {} vs {})", a,
               b, a.sizes[0], b.sizes[0], a.sizes[2], b.sizes[1]);
  const SymInt sizes[] = {a.sizes[0], a.sizes[1], b.sizes[2]};
  const TensorMeta& out = call.out.fresh(TensorMeta(b.dtype, sizes, call.device));
  if (a.dtype != b.dtype || b.dtype == DType::Bool) [[unlikely]] {
    const bool nothing = size_eq(out.numel(), 0) || size_eq(a.sizes[2], 0);
    if (!nothing) require_product_dtype(call, a.dtype);
    call.require(nothing || a.dtype == b.dtype, "C3", "operands must have one dtype: the first is {}, the second is {}",
                 a, b);
  } else if (call.device.is_cuda()) {
    require_product_dtype(call, b.dtype, a, b);
  }
}

void rule(RuleCall& call) { product_rule(call, kBmm["self"]); }

void baddbmm_rule(RuleCall& call) {
  const TensorMeta &self = call.meta(kBaddbmm["self"]), &a = call.meta(kBaddbmm["batch1"]),
                   &b = call.meta(kBaddbmm["batch2"]);
  // at::baddbmm reads batch1.size(1) and batch2.size(2) before it checks the ranks, so missing dims raise IndexError.
  call.require_index(a.dim() >= 2 && b.dim() >= 3, "C1", "both operands must be 3-d: the first is {}, the second is {}",
                     a, b);
  call.require(a.dim() != 3 || b.dim() != 3 || self.dtype == a.dtype, "C3",
               "operands must have one dtype: self is {}, the first is {}", self, a);
  product_rule(call, kBaddbmm["batch1"]);
  const TensorMeta& out = call.out.outputs[0].meta;
  call.require(expands_to(self.sizes, out.sizes), "C4", "self must expand to the product: self is {}, product is {}",
               self, out);
  require_factors(call, kBaddbmm["beta"], kBaddbmm["alpha"], a, b, "C5");
}

std::optional<SymInt> flops(RuleCall& call, const RuleResult& result) {
  const size_t first = call.args.size() == kBmm.count() ? kBmm["self"] : kBaddbmm["batch1"];
  SymInt n = SymInt(2) * call.meta(first).sizes[2];
  for (SymInt s : result.outputs[0].meta.sizes) n *= s;
  return n;
}

void baddbmm_out_rule(RuleCall& call) {
  derived_out_rule(call);
  require_copied_self(call, kBaddbmm["self"], kBaddbmm["beta"]);
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& op = r.add(kBmm)
                    .tag(Tag::Core)
                    .with_rule(rule)
                    .cpu(run_cpu)
                    .count_flops(flops)
                    .dtypes(kNumbers)
                    .dtypes_on_cuda(kFloatsAndComplexes)
                    .sample("f32[2,3,4], f32[2,4,5]")
                    .sample("f64[2,3,4]{12,1,3}, f64[2,4,5]{0,5,1}")
                    .sample("f16[0,3,4], f16[0,4,5]")
                    .refuses("C1", "f32[3,4], f32[4,5]")
                    .refuses("C2", "f32[2,3,4], f32[3,4,5]")
                    .refuses("C3", "f32[2,3,4], f64[2,4,5]");
  r.add_out(op, "out", kProductForm);

  OpEntry& add = r.add(kBaddbmm)
                     .with_rule(baddbmm_rule)
                     .cpu(run_baddbmm_cpu)
                     .count_flops(flops)
                     .dtypes(kNumbers)
                     .dtypes_on_cuda(kFloatsAndComplexes)
                     .sample("f32[5], f32[2,3,4], f32[2,4,5]")
                     .sample("f64[2,3,1], f64[2,3,4], f64[2,4,5], beta=0.5, alpha=2.0")
                     .refuses("C1", "f32[5], f32[3,4], f32[4,5]")
                     .refuses("C2", "f32[5], f32[2,3,4], f32[2,3,5]")
                     .refuses("C3", "f32[5], f32[2,3,4], f64[2,4,5]")
                     .refuses("C4", "f32[4], f32[2,3,4], f32[2,4,5]")
                     .refuses("C5", "f32[5], f32[2,3,4], f32[2,4,5], beta=(1+2j)");
  r.add_inplace(add, kProductForm);
  r.add_out(add, "out", kProductForm).with_rule(baddbmm_out_rule);
}

}  // namespace ersatz::op_bmm
