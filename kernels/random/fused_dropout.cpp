#include "kernels/random/fused_dropout.h"

#include "kernels/pointwise/pointwise.h"
#include "kernels/shape/clone.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/functional_forms.h"
#include "kernels/wide_operand.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_fused_dropout {
namespace {

/// Returns self * mask * scale, which is rounded once.
Tensor scaled(const Tensor& self, const Tensor& mask, double scale) {
  const Tensor wide = wide_operand(self);
  return ops::to(ops::mul(ops::mul(wide, ops::to(mask, wide.dtype())), Scalar(scale)), self.dtype());
}

void dropout(CompositeCall& call) {
  const Tensor self = call.tensor(kDropout["self"]);
  const double p = call.real(kDropout["p"]);
  call.require(p > 0 && p <= 1, "C1", "p must lie in (0, 1]: got {}", p);
  call.require(kFloats.has(self.dtype()), "C2", "expects a floating dtype: self is {}", self.meta());
  const Tensor mask =
      call_op<"aten.empty_like.default">(self, DType::U8, std::optional<Layout>(), std::optional<Device>(),
                                         std::optional<bool>(), std::optional<MemoryFormat>());
  call_op<"aten.bernoulli_.float">(mask, p, call[kDropout["generator"]]);
  call.returns(scaled(self, mask, 1 / p));
  call.returns(mask);
}

void scale(CompositeCall& call) {
  const Tensor self = call.tensor(kScale["self"]), mask = call.tensor(kScale["mask"]);
  call.require((mask.dtype() == DType::U8 || mask.dtype() == DType::Bool) && same_sizes(self.sizes(), mask.sizes()),
               "C1", "mask must be u8 or bool with the sizes of self: they are {} and {}", mask.meta(), self.meta());
  call.require(kFloats.has(self.dtype()), "C2", "expects a floating dtype: self is {}", self.meta());
  call.returns(ops::contiguous(scaled(self, mask, call.real(kScale["scale"]))));
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& drop = r.add(kDropout)
                      .tag(Tag::Random)
                      .with_composite(dropout)
                      .sample("f32[2,3]{1,2}, 0.5")
                      .refuses("C1", "f32[2], 0.0")
                      .refuses("C2", "i64[2], 0.5");
  add_written_apart(r, drop, "out").sample("f32[2,3], 0.5, out0=f32[0], out1=u8[0]");
  OpEntry& masked = r.add(kScale)
                        .with_composite(scale)
                        .sample("f32[2,3]{1,2}, u8[2,3], 2.0", 0, 1)
                        .refuses("C1", "f32[2], f32[2], 2.0")
                        .refuses("C2", "i64[2], u8[2], 2.0");
  add_written_apart(r, masked, "out").sample("f32[2,3], bool[2,3], 2.0, out=f32[0]");
}

}  // namespace ersatz::op_fused_dropout
