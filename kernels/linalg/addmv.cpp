#include "kernels/linalg/addmv.h"

#include "kernels/linalg/product_rule.h"
#include "runtime/dispatch.h"

namespace ersatz::op_addmv {

void run_addmv_cpu(KernelCall& call);
void run_mv_cpu(KernelCall& call);
void run_dot_cpu(KernelCall& call);

namespace {

void product(RuleCall& call, const TensorMeta& mat, const TensorMeta& vec) {
  call.require(mat.dim() == 2 && vec.dim() == 1, "C1", "expected a matrix and a vector: they are {} and {}", mat, vec);
  call.require(guard_eq(mat.sizes[1], vec.sizes[0]), "C2",
               "columns of the matrix must equal the vector's length: they are {} and {} ({} vs {})", mat, vec,
               mat.sizes[1], vec.sizes[0]);
  call.require(mat.dtype == vec.dtype, "C3", "operands must have one dtype: they are {} and {}", mat, vec);
  require_product_dtype(call, mat.dtype);
  call.out.fresh(TensorMeta(mat.dtype, std::span(&mat.sizes[0], 1), call.device));
}

void mv_rule(RuleCall& call) { product(call, call.meta(0), call.meta(1)); }

void addmv_rule(RuleCall& call) {
  const TensorMeta &self = call.meta(0), &mat = call.meta(1);
  product(call, mat, call.meta(2));
  call.require(self.dtype == mat.dtype, "C3", "operands must have one dtype: self is {}, mat is {}", self, mat);
  call.require(expands_to(self.sizes, call.out.outputs[0].meta.sizes), "C4",
               "self must expand to the product's sizes: self is {}, mat is {}", self, mat);
  require_factor(call, 3, mat.dtype, "C5");
  require_factor(call, 4, mat.dtype, "C5");
}

void dot_rule(RuleCall& call) {
  const TensorMeta &a = call.meta(0), &b = call.meta(1);
  call.require(a.dim() == 1 && b.dim() == 1, "C1", "both operands must be 1-d: self is {}, tensor is {}", a, b);
  call.require(a.dtype == b.dtype, "C3", "operands must have one dtype: self is {}, tensor is {}", a, b);
  call.require(guard_eq(a.sizes[0], b.sizes[0]), "C2", "operands must have one length: self is {}, tensor is {}", a, b);
  require_product_dtype(call, a.dtype);
  call.out.fresh(TensorMeta(a.dtype, std::span<const SymInt>(), call.device));
}

double flops(RuleCall& call, const RuleResult&) {
  double n = 2;
  for (SymInt s : call.meta(call.args.size() == 2 ? 0 : 1).sizes) n *= counted_size(s);
  return n;
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& addmv =
      r.add("aten::addmv(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1) -> Tensor", __FILE__)
          .with_rule(addmv_rule)
          .cpu(run_addmv_cpu)
          .count_flops(flops)
          .dtypes(kNumbers)
          .sample("f32[3], f32[3,4], f32[4]")
          .sample("f64[1], f64[3,4]{1,3}, f64[4], beta=0.5, alpha=2.0")
          .refuses("C1", "f32[3], f32[3], f32[4]")
          .refuses("C2", "f32[3], f32[3,4], f32[3]")
          .refuses("C3", "f32[3], f32[3,4], f64[4]")
          .refuses("C4", "f32[2], f32[3,4], f32[4]")
          .refuses("C5", "f32[3], f32[3,4], f32[4], alpha=(1+2j)");
  r.add_inplace(addmv);
  r.add_out(addmv, "out");
  OpEntry& mv = r.add("aten::mv(Tensor self, Tensor vec) -> Tensor", __FILE__)
                    .with_rule(mv_rule)
                    .cpu(run_mv_cpu)
                    .count_flops(flops)
                    .dtypes(kNumbers)
                    .sample("f32[3,4], f32[4]")
                    .sample("i64[3,4]{1,3}, i64[4]")
                    .refuses("C1", "f32[3], f32[3]")
                    .refuses("C2", "f32[3,4], f32[3]")
                    .refuses("C3", "f32[3,4], f64[4]");
  r.add_out(mv, "out");
  OpEntry& dot = r.add("aten::dot(Tensor self, Tensor tensor) -> Tensor", __FILE__)
                     .with_rule(dot_rule)
                     .cpu(run_dot_cpu)
                     .count_flops(flops)
                     .dtypes(kNumbers)
                     .sample("f32[4], f32[4]")
                     .sample("c64[4]{2}, c64[4]")
                     .refuses("C1", "f32[4,1], f32[4]")
                     .refuses("C2", "f32[4], f32[3]")
                     .refuses("C3", "f32[4], f64[4]");
  r.add_out(dot, "out");
}

}  // namespace ersatz::op_addmv

namespace ersatz::ops {

Tensor addmv(const Tensor& self, const Tensor& mat, const Tensor& vec, const Scalar& beta, const Scalar& alpha) {
  return call_op<"aten.addmv.default">(self, mat, vec, beta, alpha);
}

Tensor mv(const Tensor& self, const Tensor& vec) { return call_op<"aten.mv.default">(self, vec); }

Tensor dot(const Tensor& self, const Tensor& tensor) { return call_op<"aten.dot.default">(self, tensor); }

}  // namespace ersatz::ops
