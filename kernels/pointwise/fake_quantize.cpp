#include "kernels/pointwise/fake_quantize.h"

#include "kernels/creation/full.h"
#include "kernels/pointwise/arithmetic.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/reshape.h"
#include "runtime/op/composite.h"

namespace ersatz::op_fake_quantize {
namespace {

using namespace arithmetic;

/// Quantises self and converts it back. REQUIRES: `scale` and `zero_point` are 0-d and f32.
void quantize(CompositeCall& call, const Tensor& scale, const Tensor& zero_point) {
  const Tensor self = call.tensor(kEach["self"]);
  const SymInt least = call.sym(kEach["quant_min"]), most = call.sym(kEach["quant_max"]);
  call.require(check_le(least, most), "C1", "quant_min must be at most quant_max: {} and {}", least, most);
  call.require_dtype(self.dtype(), kFloats);
  const auto number = [&](const Scalar& v) { return ops::full({}, v, {.dtype = DType::F32, .device = self.device()}); };
  const bool half = self.dtype() == DType::F16 || self.dtype() == DType::BF16;
  const Tensor x = half ? ops::to(self, DType::F32) : self;
  const Tensor q = ops::round(x * ops::reciprocal(scale)) + zero_point;
  const Tensor kept = ops::fmin(ops::fmax(q, number(least)), number(most));
  const Tensor result = (ops::to(kept, DType::F32) - zero_point) * scale;
  call.returns(ops::to(result, self.dtype()));
}

void by_numbers(CompositeCall& call) {
  const SymInt zero = call.sym(kFakeQuantize["zero_point"]);
  const bool fits =
      check_ge(zero, call.sym(kFakeQuantize["quant_min"])) && check_le(zero, call.sym(kFakeQuantize["quant_max"]));
  call.require(fits || check_gt(call.sym(kFakeQuantize["quant_min"]), call.sym(kFakeQuantize["quant_max"])), "C2",
               "zero_point must lie between {} and {}: it is {}", call.sym(kFakeQuantize["quant_min"]),
               call.sym(kFakeQuantize["quant_max"]), zero);
  const FactoryOptions options{.dtype = DType::F32, .device = call.meta(kFakeQuantize["self"]).device};
  quantize(call, ops::full({}, call.real(kFakeQuantize["scale"]), options), ops::full({}, zero, options));
}

void by_tensors(CompositeCall& call) {
  const Tensor scale = call.tensor(kFakeQuantizeTensors["scale"]),
               zero = call.tensor(kFakeQuantizeTensors["zero_point"]);
  call.require(check_eq(scale.numel(), 1) && check_eq(zero.numel(), 1), "C3",
               "scale and zero_point must have one element: {} and {}", scale.meta(), zero.meta());
  const auto number = [](const Tensor& t) { return ops::to(ops::reshape(t, {}), DType::F32); };
  quantize(call, number(scale), number(zero));
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kFakeQuantize)
      .with_composite(by_numbers)
      .sample("f32[2,3]{1,2}, 0.1, 0, -10, 10")
      .refuses("C1", "f32[2], 0.1, 0, 10, -10")
      .refuses("C2", "f32[2], 0.1, 0, -10, -1");
  r.add(kFakeQuantizeTensors)
      .with_composite(by_tensors)
      .sample("f64[2,3], f32[], i64[], -10, 10", 1)
      .refuses("C3", "f32[2], f32[2], i64[], -10, 10");
}

}  // namespace ersatz::op_fake_quantize
