#include "kernels/reduction/dist.h"

#include "kernels/pointwise/pointwise.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/resize.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_dist {
namespace {

/// In PyTorch, an f16 tensor with dims and a 0-d complex tensor are promoted to c32, and their distance is f16. Returns
/// whether `halves` and `number` are these tensors.
bool of_complex_halves(const TensorMeta& halves, const TensorMeta& number) {
  return halves.dtype == DType::F16 && halves.dim() > 0 && is_complex(number.dtype) && number.dim() == 0;
}

Tensor distance(const CompositeCall& call) {
  const Tensor self = call.tensor(kDist["self"]), other = call.tensor(kDist["other"]);
  const Tensor result = call_op<"aten.norm.Scalar">(ops::sub(self, other, 1), call[kDist["p"]]);
  const bool half = of_complex_halves(self.meta(), other.meta()) || of_complex_halves(other.meta(), self.meta());
  return half ? ops::to(result, DType::F16) : result;
}

void dist(CompositeCall& call) { call.returns(distance(call)); }

void dist_out(CompositeCall& call) {
  const Tensor result = distance(call), out = call.tensor(kDist.out());
  call.require(out.dtype() == result.dtype(), "C1", "the out argument must have dtype {}, it is {}",
               name(result.dtype()), out.meta());
  if (out.dim() > 0) ops::resize_(out, result.sizes());
  ops::copy_(out, result);
  call.returns(call[kDist.out()]);
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& op = r.add(kDist)
                    .with_composite(dist)
                    .dtypes(kFloatsAndComplexes)
                    .sample("f32[2,3], f32[3]")
                    .sample("f64[2,3]{1,2}, f64[2,3], 1");
  r.add_out_alike(op, "out")
      .with_composite(dist_out)
      .sample("f32[2,3], f32[3], out=f32[]")
      .refuses("C1", "f32[2], f32[2], out=f64[]");
}

}  // namespace ersatz::op_dist
