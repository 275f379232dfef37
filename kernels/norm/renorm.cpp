#include "kernels/norm/renorm.h"

#include "kernels/creation/empty.h"
#include "kernels/creation/full.h"
#include "kernels/indexing/masked_fill.h"
#include "kernels/pointwise/arithmetic.h"
#include "kernels/reduction/vector_norm.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/resize.h"
#include "runtime/op/composite.h"

namespace ersatz::op_renorm {
namespace {

/// Returns the factor by which each slice of self is multiplied.
Tensor factors(const CompositeCall& call) {
  const Tensor self = call.tensor(kEach["self"]);
  if (kLimitedDTypes.has(self.dtype())) call.require_dtype(self.dtype(), kFloatsAndComplexes);
  const Scalar p = call.scalar(kEach["p"]), most = call.scalar(kEach["maxnorm"]);
  call.require(!p.is_complex() && p.to_double() > 0, "C1", "p must be real and positive: it is {}",
               to_string(call[kEach["p"]]));
  call.require(!most.is_complex() && most.to_double() >= 0, "C2", "maxnorm must be real and not negative: it is {}",
               to_string(call[kEach["maxnorm"]]));
  call.require(self.dim() > 1, "C3", "expects two dims at least: self is {}", self.meta());
  const int64_t dim = call.wrap_dim(call.integer(kEach["dim"]), self.dim());
  DimVec others;
  for (int64_t d = 0; d < self.dim(); ++d) {
    if (d != dim) others.push_back(d);
  }
  const bool half = self.dtype() == DType::F16 || self.dtype() == DType::BF16;
  const Tensor norms = ops::linalg_vector_norm(self, p.to_double(), std::span<const SymInt>(others), true,
                                               half ? std::optional(DType::F32) : std::nullopt);
  const Tensor scaled = call_op<"aten.div.Tensor">(Scalar(most.to_double()), ops::add(norms, 1e-7));
  const Tensor result = ops::masked_fill(scaled, ops::logical_not(ops::gt(norms, most.to_double())), Scalar(1));
  return half ? ops::to(result, self.dtype()) : result;
}

void put_product(CompositeCall& call, const Tensor& out) {
  const Tensor factor = factors(call), self = call.tensor(kEach["self"]);
  call.returns(call_op<"aten.mul.out">(self, factor, out));
}

void renorm(CompositeCall& call) {
  const TensorMeta& self = call.meta(kRenorm["self"]);
  put_product(call, ops::empty(self.sizes, {.dtype = self.dtype, .device = self.device}));
}
void renorm_out(CompositeCall& call) {
  const Tensor out = call.tensor(kRenorm.out());
  const TensorMeta& self = call.meta(kRenorm["self"]);
  call.require(out.dtype() == self.dtype, "C4", "out must have dtype {}, it is {}", name(self.dtype), out.meta());
  const Tensor factor = factors(call);
  if (!same_sizes(out.sizes(), self.sizes)) ops::resize_(out, self.sizes);
  call.returns(call_op<"aten.mul.out">(call.tensor(kRenorm["self"]), factor, out));
}
void renorm_inplace(CompositeCall& call) { put_product(call, call.tensor(kRenormInplace["self"])); }

}  // namespace

void register_ops(Registry& r) {
  OpEntry& op = r.add(kRenorm)
                    .with_composite(renorm)
                    .sample("f32[3,4]{1,3}, 2, 0, 1")
                    .sample("f64[2,3,2], 1.5, -1, 0.5")
                    .refuses("C1", "f32[2,3], 0, 0, 1")
                    .refuses("C2", "f32[2,3], 2, 0, -1")
                    .refuses("C3", "f32[3], 2, 0, 1");
  r.add(kRenormInplace).with_composite(renorm_inplace).sample("f32[3,4]{1,3}, 2, 0, 1");
  r.add_out_alike(op, "out")
      .with_composite(renorm_out)
      .sample("f32[3,4], 2, 0, 1, out=f32[0]")
      .refuses("C4", "f32[3,4], 2, 0, 1, out=f64[3,4]");
}

}  // namespace ersatz::op_renorm
