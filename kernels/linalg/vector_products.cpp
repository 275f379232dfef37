#include "kernels/linalg/vector_products.h"

#include "kernels/creation/full.h"
#include "kernels/kernel_dtype.h"
#include "kernels/linalg/addmm.h"
#include "kernels/linalg/addmv.h"
#include "kernels/linalg/matmul.h"
#include "kernels/linalg/mm.h"
#include "kernels/linalg/product_rule.h"
#include "kernels/own_dtype.h"
#include "kernels/pointwise/pointwise.h"
#include "kernels/reduction/sum.h"
#include "kernels/shape/conjugate.h"
#include "kernels/shape/expand.h"
#include "kernels/shape/permute.h"
#include "kernels/shape/reshape.h"
#include "kernels/shape/squeeze.h"
#include "kernels/shape/transpose.h"
#include "kernels/shape/written_result.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/resized_input.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_vector_products {
namespace {

Tensor vdot_of(const CompositeCall& call) {
  const Tensor self = call.tensor(kVdot["self"]), other = call.tensor(kVdot["other"]);
  call.require(is_complex(self.dtype()) == is_complex(other.dtype()), "C1",
               "operands must have one dtype: self is {}, other is {}", self.meta(), other.meta());
  return ops::dot(ops::conj(self), other);
}
void vdot(CompositeCall& call) { call.returns(vdot_of(call)); }
void vdot_out(CompositeCall& call) {
  // at::vdot.out checks `out` before it compares the operands or looks for a kernel.
  require_own_dtype(call, kVdot.out(), call.meta(kVdot["self"]).dtype);
  for (const TensorImpl* factor : {call.tensor(kVdot["self"]).impl(), call.tensor(kVdot["other"]).impl()})
    require_not_resized(call, factor, call.tensor(kVdot.out()).impl(), {});
  write_result(call, vdot_of(call), kVdot.out());
}

bool inner_scales(const CompositeCall& call) {
  return call.meta(kInner["self"]).dim() == 0 || call.meta(kInner["other"]).dim() == 0;
}
Tensor inner_of(const CompositeCall& call) {
  const Tensor self = call.tensor(kInner["self"]), other = call.tensor(kInner["other"]);
  if (inner_scales(call)) return ops::mul(self, other);
  const SymInt k = self.size(-1);
  call.require(check_eq(k, other.size(-1)), "C1", "the last dims must have one size: self is {}, other is {}",
               self.meta(), other.meta());
  if (self.dim() == 1 && other.dim() == 1) return call_op<"aten.view.default">(ops::dot(self, other), DimVec());
  DimVec sizes(self.sizes().first(self.sizes().size() - 1));
  SymInt rows = 1, columns = 1;
  for (SymInt s : sizes) rows *= s;
  for (SymInt s : other.sizes().first(other.sizes().size() - 1)) {
    columns *= s;
    sizes.push_back(s);
  }
  const SymInt left[] = {rows, k}, right[] = {columns, k};
  return ops::reshape(ops::mm(ops::reshape(self, left), ops::t(ops::reshape(other, right))), sizes);
}
void inner(CompositeCall& call) { call.returns(inner_of(call)); }
void inner_out(CompositeCall& call) {
  if (!inner_scales(call)) return write_result(call, inner_of(call), kInner.out());
  call_op<"aten.mul.out">(call.tensor(kInner["self"]), call.tensor(kInner["other"]), call.tensor(kInner.out()));
  call.returns(call[kInner.out()]);
}

Tensor vecdot_of(const CompositeCall& call) {
  const Tensor x = call.tensor(kVecdot["x"]), y = call.tensor(kVecdot["y"]);
  call.require_dtype_first(x.dtype(), kAnyFloatsAndComplexes);
  call.require(x.dtype() == y.dtype(), "C2", "operands must have one dtype: x is {}, y is {}", x.meta(), y.meta());
  const SymInt dim[] = {call.sym(kVecdot["dim"])};
  return ops::sum(ops::mul(ops::conj(x), y), dim);
}
void vecdot(CompositeCall& call) { call.returns(vecdot_of(call)); }
void vecdot_out(CompositeCall& call) { write_result(call, vecdot_of(call), kVecdot.out()); }

/// The two terms of addr: `self` is beta * self, expanded, and `product` is alpha * the outer product.
struct AddrTerms {
  Tensor self, product;
};
AddrTerms addr_terms(const CompositeCall& call) {
  static constexpr Schemas kEach{kAddr, kAddrInplace};
  const Tensor self = call.tensor(kEach["self"]), vec1 = call.tensor(kEach["vec1"]), vec2 = call.tensor(kEach["vec2"]);
  call.require(vec1.dim() == 1 && vec2.dim() == 1, "C1", "vec1 and vec2 must be vectors: they are {} and {}",
               vec1.meta(), vec2.meta());
  const SymInt sizes[] = {vec1.sizes()[0], vec2.sizes()[0]};
  const bool fits = call.op.base() == "addr_" ? same_sizes(self.sizes(), sizes) : expands_to(self.sizes(), sizes);
  call.require(fits, "C2", "self must expand to the product: self is {}, product is {}", self.meta(),
               std::span<const SymInt>(sizes));
  const DType common = promote_types(self.dtype(), promote_types(vec1.dtype(), vec2.dtype()));
  const Tensor product = ops::mul(ops::unsqueeze(ops::to(vec1, common), 1), ops::to(vec2, common));
  for (Position i : {kEach["beta"], kEach["alpha"]}) {
    const Scalar s = call.scalar(i);
    const bool bool_only = s.kind() == Scalar::Kind::Bool && common != DType::Bool;
    const bool fit = is_complex(common)    ? !bool_only
                     : is_integral(common) ? s.is_integral() && !bool_only
                                           : !s.is_complex() && !bool_only;
    const bool in_range = !self.device().is_cpu() || common == DType::Bool || scalar_fits(s, common);
    call.require(fit && in_range, "C3", "{} does not fit the operands' dtype {}", call.op.schema.arguments[i].name,
                 name(common));
  }
  const Tensor wide = ops::expand(ops::to(self, common), sizes);
  // If the common dtype is bool, beta and alpha are converted to bool.
  auto factor = [&](Position i) { return common == DType::Bool ? Scalar(call.scalar(i).to_bool()) : call.scalar(i); };
  const bool ignored = call.scalar(kEach["beta"]).to_complex() == 0.;
  return {ignored ? ops::zeros_like(wide) : ops::mul(wide, factor(kEach["beta"])),
          ops::mul(product, factor(kEach["alpha"]))};
}
void addr(CompositeCall& call) {
  const AddrTerms terms = addr_terms(call);
  call.returns(ops::add(terms.self, terms.product, 1));
}
void addr_into(CompositeCall& call, Position to) {
  const AddrTerms terms = addr_terms(call);
  call_op<"aten.add.out">(terms.self, terms.product, Scalar(1), call.tensor(to));
  call.returns(call[to]);
}
void addr_out(CompositeCall& call) { addr_into(call, kAddr.out()); }
void addr_inplace(CompositeCall& call) { addr_into(call, kAddrInplace["self"]); }

/// The two batches as two matrices. Each has the matrices of its batch joined along the inner dim, so that the product
/// of `left` and `right` is the sum of the batch's products.
struct Joined {
  Tensor left, right;
};
Joined joined(const CompositeCall& call) {
  static constexpr Schemas kEach{kAddbmm, kAddbmmInplace};
  const Tensor a = call.tensor(kEach["batch1"]), b = call.tensor(kEach["batch2"]);
  // at::addbmm reads the sizes of the product before it checks the ranks, so missing dims raise IndexError.
  call.require_index(a.dim() >= 2 && b.dim() >= 3, "C1", "both batches must be 3-d: they are {} and {}", a.meta(),
                     b.meta());
  call.require(a.dim() == 3 && b.dim() == 3, "C1", "both batches must be 3-d: they are {} and {}", a.meta(), b.meta());
  call.require(check_eq(a.sizes()[0], b.sizes()[0]) && check_eq(a.sizes()[2], b.sizes()[1]), "C2",
               "batches must fit: they are {} and {}", a.meta(), b.meta());
  const SymInt sizes[] = {a.sizes()[1], b.sizes()[2]}, inside = a.sizes()[0] * a.sizes()[2],
               left[] = {sizes[0], inside}, right[] = {inside, sizes[1]};
  call.require(expands_to(call.meta(kEach["self"]).sizes, sizes), "C3",
               "self must expand to one product: self is {}, product is {}", call.meta(kEach["self"]),
               std::span<const SymInt>(sizes));
  return {ops::reshape(ops::transpose(a, 0, 1), left), ops::reshape(b, right)};
}
void addbmm(CompositeCall& call) {
  const Joined x = joined(call);
  call.returns(ops::addmm(call.tensor(kAddbmm["self"]), x.left, x.right, call.scalar(kAddbmm["beta"]),
                          call.scalar(kAddbmm["alpha"])));
}
void addbmm_out(CompositeCall& call) {
  const Joined x = joined(call);
  // at::addbmm.out copies self to `out` first, and converts it from any dtype.
  const Tensor out = call.tensor(kAddbmm.out()), self = ops::to(call.tensor(kAddbmm["self"]), out.dtype());
  call_op<"aten.addmm.out">(self, x.left, x.right, call.scalar(kAddbmm["beta"]), call.scalar(kAddbmm["alpha"]), out);
  call.returns(call[kAddbmm.out()]);
}
/// In addbmm_, self may have other sizes than the result, and is resized like an `out=` argument.
void addbmm_inplace(CompositeCall& call) {
  const Joined x = joined(call);
  write_result(call,
               ops::addmm(call.tensor(kAddbmmInplace["self"]), x.left, x.right, call.scalar(kAddbmmInplace["beta"]),
                          call.scalar(kAddbmmInplace["alpha"])),
               kAddbmmInplace["self"]);
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& v = r.add(kVdot)
                   .with_composite(vdot)
                   .sample("f32[4], f32[4]")
                   .sample("c64[4], c64[4]{2}")
                   .refuses("C1", "c64[4], f32[4]");
  r.add_out_alike(v, "out").with_composite(vdot_out).sample("f32[4], f32[4], out=f32[]");
  OpEntry& i = r.add(kInner)
                   .with_composite(inner)
                   .sample("f32[2,3], f32[4,3]")
                   .sample("i64[], i64[3]")
                   .refuses("C1", "f32[2,3], f32[2]");
  r.add_out_alike(i, "out").with_composite(inner_out).sample("f32[2,3], f32[4,3], out=f32[0]");
  OpEntry& d = r.add(kVecdot)
                   .with_composite(vecdot)
                   .sample("f32[2,3], f32[2,3]")
                   .sample("c64[2,3], c64[3], dim=1")
                   .refuses("C2", "f32[3], f64[3]")
                   .refuses("", "i64[3], i64[3]");
  r.add_out_alike(d, "out").with_composite(vecdot_out).sample("f32[2,3], f32[2,3], out=f32[0]");
  OpEntry& a = r.add(kAddr)
                   .with_composite(addr)
                   .sample("f32[2,3], f32[2], f32[3], beta=0.5, alpha=2.0")
                   .sample("i64[], i64[2], i64[3]")
                   .refuses("C1", "f32[2,3], f32[2,1], f32[3]")
                   .refuses("C2", "f32[4], f32[2], f32[3]")
                   .refuses("C3", "i64[3], i64[2], i64[3], beta=0.5");
  r.add_out_alike(a, "out").with_composite(addr_out).sample("f32[2,3], f32[2], f32[3], out=f64[0]");
  r.add(kAddrInplace)
      .with_composite(addr_inplace)
      .sample("f32[2,3], f32[2], f32[3]")
      .refuses("C2", "f32[3], f32[2], f32[3]");
  OpEntry& b = r.add(kAddbmm)
                   .with_composite(addbmm)
                   .sample("f32[5], f32[2,3,4], f32[2,4,5]")
                   .sample("f64[3,5], f64[2,3,4]{12,1,3}, f64[2,4,5], beta=0.5, alpha=2.0")
                   .refuses("C1", "f32[5], f32[3,4], f32[4,5]")
                   .refuses("C2", "f32[5], f32[2,3,4], f32[3,4,5]")
                   .refuses("C3", "f32[4], f32[2,3,4], f32[2,4,5]");
  r.add_out_alike(b, "out").with_composite(addbmm_out).sample("f32[5], f32[2,3,4], f32[2,4,5], out=f32[0]");
  r.add(kAddbmmInplace).with_composite(addbmm_inplace).sample("f32[3,5], f32[2,3,4], f32[2,4,5]");
}

}  // namespace ersatz::op_vector_products
