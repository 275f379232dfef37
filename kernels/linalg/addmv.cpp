#include "kernels/linalg/addmv.h"

#include "kernels/linalg/gemm.h"
#include "kernels/linalg/product_rule.h"
#include "kernels/linalg/scaled_self.h"
#include "kernels/shape/conjugate.h"
#include "kernels/shape/fill_elements.h"
#include "runtime/op/derived.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_addmv {
namespace {

void check_operands(RuleCall& call, const TensorMeta& mat, const TensorMeta& vec, ErrorFamily unequal) {
  call.require(mat.dim() == 2 && vec.dim() == 1, "C1", "expected a matrix and a vector: they are {} and {}", mat, vec);
  if (!check_eq(mat.sizes[1], vec.sizes[0])) [[unlikely]] {
    call.refuse(unequal, "C2", "columns of the matrix must equal the vector's length: they are {} and {} ({} vs {})",
                mat, vec, mat.sizes[1], vec.sizes[0]);
  }
  call.require(mat.dtype == vec.dtype, "C3", "operands must have one dtype: they are {} and {}", mat, vec);
}

void mv_rule(RuleCall& call) {
  const TensorMeta &mat = call.meta(kMv["self"]), &vec = call.meta(kMv["vec"]);
  // at::mv reads mat.size(0) before it checks the rank, so a 0-d matrix raises IndexError.
  call.require_index(mat.dim() > 0, "C1", "expected a matrix and a vector: they are {} and {}", mat, vec);
  check_operands(call, mat, vec, ErrorFamily::Runtime);
  require_product_dtype(call, mat.dtype, mat, vec);
  call.out.fresh(TensorMeta(mat.dtype, std::span(&mat.sizes[0], 1), call.device));
}

/// Computes the result metadata of mv.out. A wrong rank or length raises IndexError if `out` is 0-d, because ATen's
/// message reads out.size(0).
void mv_out_rule(RuleCall& call) {
  const TensorMeta &mat = call.meta(kMv["self"]), &vec = call.meta(kMv["vec"]);
  if (mat.dim() > 0 && call.meta(kMv.out()).dim() == 0) check_operands(call, mat, vec, ErrorFamily::Index);
  derived_out_rule(call);
}

/// True if addmv returns beta * self in the sizes of `self`: the matrix is empty, beta is not 0, and the sizes of
/// `self` differ from those of the product.
bool scales_self_only(const RuleCall& call) {
  const TensorMeta &self = call.meta(kAddmv["self"]), &mat = call.meta(kAddmv["mat"]);
  const bool other_sizes = self.dim() == 0 || !same_sizes({&self.sizes[0], 1}, {&mat.sizes[0], 1});
  return other_sizes && size_eq(mat.numel(), 0) && call.scalar(kAddmv["beta"]).to_complex() != 0.0;
}

void addmv_rule(RuleCall& call) {
  const TensorMeta &self = call.meta(kAddmv["self"]), &mat = call.meta(kAddmv["mat"]);
  // ATen's message for unequal lengths reads self.size(0), so the error is an IndexError if `self` is 0-d.
  check_operands(call, mat, call.meta(kAddmv["vec"]), self.dim() == 0 ? ErrorFamily::Index : ErrorFamily::Runtime);
  call.require(self.dtype == mat.dtype, "C3", "operands must have one dtype: self is {}, mat is {}", self, mat);
  call.require(expands_to(self.sizes, std::span(&mat.sizes[0], 1)), "C4",
               "self must expand to the product's sizes: self is {}, mat is {}", self, mat);
  const Scalar beta = call.scalar(kAddmv["beta"]);
  if (!scalar_fits(beta, mat.dtype) && size_eq(mat.numel(), 0) &&
      beta.to_complex() != 0.0)  // at::addmv fills a tensor with beta, which raises if the dtype cannot represent beta
    require_fill_number(call, beta, TensorMeta(mat.dtype, std::span<const SymInt>(), call.device), "C5");
  if (scales_self_only(call)) {
    call.out.fresh(TensorMeta(mat.dtype, self.sizes, call.device));
    return;
  }
  require_product_dtype(call, mat.dtype, mat, call.meta(kAddmv["vec"]));
  for (const Position factor : {kAddmv["beta"], kAddmv["alpha"]}) {
    if (!factor_fits(call, factor, mat.dtype) && size_ne(mat.numel(), 0)) require_factor(call, factor, mat.dtype, "C5");
  }
  call.out.fresh(TensorMeta(mat.dtype, std::span(&mat.sizes[0], 1), call.device));
}

void addmv_out_rule(RuleCall& call) {
  const TensorMeta& mat = call.meta(kAddmv["mat"]);
  if (mat.dim() == 2) require_self_not_resized(call, kAddmv["self"], std::span(&mat.sizes[0], 1));
  derived_out_rule(call);
  require_copied_self(call, kAddmv["self"], kAddmv["beta"]);
}

// at::addmv_ accepts a `self` whose elements share memory, so the rule does not check self.
void addmv_inplace_rule(RuleCall& call) {
  TensorImpl* self = call.tensor(kAddmv["self"]);
  const TensorMeta &mat = call.meta(kAddmv["mat"]), &vec = call.meta(kAddmv["vec"]);
  if (mat.dim() == 2 && vec.dim() == 1 && check_eq(mat.sizes[1], vec.sizes[0])) {
    call.require(self->meta.dim() == 1 && check_eq(self->meta.sizes[0], mat.sizes[0]), "inplace_size",
                 "the result has {} elements, which do not fit in place into {}", mat.sizes[0], self->meta);
  }
  addmv_rule(call);
  call.out.outputs.clear();
  call.out.same(self);
}

void dot_rule(RuleCall& call) {
  const TensorMeta &a = call.meta(kDot["self"]), &b = call.meta(kDot["tensor"]);
  call.require(a.dim() == 1 && b.dim() == 1, "C1", "both operands must be 1-d: self is {}, tensor is {}", a, b);
  call.require(a.dtype == b.dtype, "C3", "operands must have one dtype: self is {}, tensor is {}", a, b);
  call.require(check_eq(a.sizes[0], b.sizes[0]), "C2", "operands must have one length: self is {}, tensor is {}", a, b);
  require_product_dtype(call, a.dtype);
  // If both operands are lazy conjugates, at::dot multiplies the unconjugated operands and returns a lazy conjugate.
  call.out.fresh(TensorMeta(a.dtype, std::span<const SymInt>(), call.device)).conj = a.conj && b.conj;
}

std::optional<SymInt> flops(RuleCall& call, const RuleResult&) {
  SymInt n = 2;
  for (SymInt s : call.meta(call.args.size() == 2 ? 0 : 1).sizes) n *= s;
  return n;
}

void run_mv_cpu(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  if (call.tensor(kMv["self"]).numel().as_int() == 0) return fill_elements(out, 0);
  matrix_product(out.dtype(), matrix_view(call.tensor(kMv["self"])), column_view(call.tensor(kMv["vec"])),
                 column_view(out));
}

void run_addmv_cpu(KernelCall& call) {
  const Tensor self = call.tensor(kAddmv["self"]), &out = call.outputs[0];
  const Scalar beta = call.scalar(kAddmv["beta"]), alpha = call.scalar(kAddmv["alpha"]);
  // If the matrix is empty, the result is beta * self, broadcast to the sizes of the output.
  if (call.tensor(kAddmv["mat"]).numel().as_int() == 0) return write_scaled_self(out, self, beta);
  const MatrixView to = column_view(out);
  if (to.rows == 0) return;
  if (beta.to_complex() != 0.0) {
    const bool spread = self.dim() == 0 || self.sizes()[0].as_int() == 1;
    copy_matrix(out.dtype(),
                {self.raw_data(), to.rows, 1, spread ? 0 : self.strides()[0].as_int(), 1, self.meta().conj}, to);
  }
  matrix_product(out.dtype(), matrix_view(call.tensor(kAddmv["mat"])), column_view(call.tensor(kAddmv["vec"])), to,
                 alpha, beta);
}

void run_dot_cpu(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  const auto factor = [&](Position i) {
    const Tensor t = call.tensor(i);
    return column_view(out.meta().conj ? ops::conj(t) : t);
  };
  matrix_product(out.dtype(), factor(kDot["self"]).transposed(), factor(kDot["tensor"]),
                 {out.raw_data(), 1, 1, 1, 1, false});
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& addmv = r.add(kAddmv)
                       .with_rule(addmv_rule)
                       .cpu(run_addmv_cpu)
                       .count_flops(flops)
                       .dtypes(kNumbers)
                       .dtypes_on_cuda(kFloatsAndComplexes)
                       .sample("f32[3], f32[3,4], f32[4]")
                       .sample("f64[1], f64[3,4]{1,3}, f64[4], beta=0.5, alpha=2.0")
                       .refuses("C1", "f32[3], f32[3], f32[4]")
                       .refuses("C2", "f32[3], f32[3,4], f32[3]")
                       .refuses("C3", "f32[3], f32[3,4], f64[4]")
                       .refuses("C4", "f32[2], f32[3,4], f32[4]")
                       .refuses("C5", "f32[3], f32[3,4], f32[4], alpha=(1+2j)");
  r.add_inplace(addmv).with_rule(addmv_inplace_rule);
  r.add_out(addmv, "out", kProductForm).with_rule(addmv_out_rule);
  OpEntry& mv = r.add(kMv)
                    .with_rule(mv_rule)
                    .cpu(run_mv_cpu)
                    .count_flops(flops)
                    .dtypes(kNumbers)
                    .dtypes_on_cuda(kFloatsAndComplexes)
                    .sample("f32[3,4], f32[4]")
                    .sample("i64[3,4]{1,3}, i64[4]")
                    .refuses("C1", "f32[3], f32[3]")
                    .refuses("C2", "f32[3,4], f32[3]")
                    .refuses("C3", "f32[3,4], f64[4]");
  r.add_out(mv, "out", kProductForm).with_rule(mv_out_rule);
  OpEntry& dot = r.add(kDot)
                     .with_rule(dot_rule)
                     .cpu(run_dot_cpu)
                     .count_flops(flops)
                     .dtypes(kNumbers)
                     .dtypes_on_cuda(kFloatsAndComplexes)
                     .sample("f32[4], f32[4]")
                     .sample("c64[4]{2}, c64[4]")
                     .sample("c64[4] conj, c64[4] conj")
                     .refuses("C1", "f32[4,1], f32[4]")
                     .refuses("C2", "f32[4], f32[3]")
                     .refuses("C3", "f32[4], f64[4]");
  r.add_out(dot, "out", kProductForm);
}

}  // namespace ersatz::op_addmv
