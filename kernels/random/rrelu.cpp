#include "kernels/random/rrelu.h"

#include <algorithm>
#include <cmath>

#include "kernels/creation/empty.h"
#include "kernels/indexing/masked_fill.h"
#include "kernels/own_dtype.h"
#include "kernels/pointwise/pointwise.h"
#include "kernels/shape/clone.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/scalar_fit.h"
#include "kernels/shape/written_result.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/written_memory.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_rrelu {
namespace {

struct Slopes {
  double lower, upper;
  /// Checks [rrelu.C1].
  Slopes(const CompositeCall& call, Position at) : lower(number(call, at)), upper(number(call, at + 1)) {}
  double mean() const { return (lower + upper) / 2; }

 private:
  static double number(const CompositeCall& call, size_t at) {
    const Scalar s = call.scalar(at);
    call.require(!s.is_complex() || s.to_complex().imag() == 0, "C1", "{} must be a real number",
                 call.op.schema.arguments[at].name);
    return s.is_complex() ? s.to_complex().real() : s.to_double();
  }
};

Tensor leaky(const Tensor& self, double slope) {
  const Tensor x = ops::clone(self, MemoryFormat::Contiguous);
  return call_op<"aten.leaky_relu.default">(x, Scalar(slope));
}

/// Returns the row-major result and writes the slopes to `noise`. `at` is the position of the first of the arguments
/// lower, upper, training, generator.
Tensor rectified(const CompositeCall& call, const Tensor& self, const Tensor& noise, Position at) {
  call.require(same_sizes(self.sizes(), noise.sizes()), "C3", "noise must have the sizes of self: they are {} and {}",
               noise.meta(), self.meta());
  const bool training = call.boolean(at + 2);
  call.require_dtype(self.dtype(), training && self.device().is_cpu() ? kFloats.without({DType::F16}) : kFloats);
  const Slopes slopes(call, at);
  if (!training) return leaky(self, slopes.mean());
  call.require(noise.dtype() == self.dtype(), "C4", "noise must have the dtype of self, {}: it is {}",
               name(self.dtype()), noise.meta());
  for (size_t i = at; i < size_t(at) + 2; ++i) {
    call.require(scalar_fits(call.scalar(i), self.dtype()), "C6", "{} does not fit {}",
                 to_string(Value(call.scalar(i))), name(self.dtype()));
  }
  // ATen draws a slope for each element that is not positive.
  const bool draws = !size_eq(self.numel(), 0);
  call.require(!draws || std::isfinite(slopes.upper - slopes.lower), "C5.or_any",
               "slopes are drawn from a finite range: got {} to {}", slopes.lower, slopes.upper);
  Tensor drawn =
      call_op<"aten.uniform_.default">(ops::empty_like(noise), draws ? std::min(slopes.lower, slopes.upper) : 0.,
                                       draws ? std::max(slopes.lower, slopes.upper) : 1., call[at + 3].borrowed());
  if (slopes.lower > slopes.upper) drawn = ops::add(ops::neg(drawn), Scalar(slopes.lower + slopes.upper));
  const Tensor x = ops::clone(self, MemoryFormat::Contiguous);
  ops::copy_(noise, ops::masked_fill(drawn, ops::logical_not(ops::le(x, Scalar(0))), Scalar(1)));
  return ops::mul(x, ops::to(noise, x.dtype()));
}

/// Outside of training, ATen's leaky_relu writes the result, and checks for overlapping memory before it looks for a
/// kernel.
void require_own_memory(const CompositeCall& call, const Tensor& written, bool training) {
  const Value self = call[kRrelu["self"]].borrowed();
  if (!training) require_no_overlap(call, written.impl(), {&self, 1}, {});
}

/// Calls `op` with a temporary tensor as `noise`.
template <OpName op>
void without_noise(CompositeCall& call) {
  const Tensor self = call.tensor(kRrelu["self"]);
  const Position lower = kRrelu["lower"];
  const Slopes slopes(call, lower);
  call.require(slopes.lower <= slopes.upper, "C2", "lower must be at most upper: they are {} and {}", slopes.lower,
               slopes.upper);
  call.returns(
      call_op<op>(self, ops::empty_like(self), call[lower], call[lower + 1], call[lower + 2], call[lower + 3]));
}
void with_noise(CompositeCall& call) {
  call.returns(rectified(call, call.tensor(kWithNoise["self"]), call.tensor(kWithNoise["noise"]), kWithNoise["lower"]));
}
void with_noise_functional(CompositeCall& call) {
  const Tensor self = call.tensor(kWithNoise["self"]), noise = ops::clone(call.tensor(kWithNoise["noise"]));
  const Tensor result = ops::empty_like(self);
  ops::copy_(result, rectified(call, self, noise, kWithNoise["lower"]));
  call.returns(result);
  call.returns(noise);
}
void with_noise_inplace(CompositeCall& call) {
  const Tensor self = call.tensor(kWithNoise["self"]);
  require_own_memory(call, self, call.boolean(kWithNoise["training"]));
  ops::copy_(self, rectified(call, self, call.tensor(kWithNoise["noise"]), kWithNoise["lower"]));
  call.returns(call[kWithNoise["self"]]);
}
void with_noise_out(CompositeCall& call) {
  const Tensor self = call.tensor(kWithNoise["self"]);
  if (!call.boolean(kWithNoise["training"])) require_own_dtype(call, kWithNoiseOut["out"], self.dtype());
  require_own_memory(call, call.tensor(kWithNoiseOut["out"]), call.boolean(kWithNoise["training"]));
  write_result(call, rectified(call, self, call.tensor(kWithNoise["noise"]), kWithNoise["lower"]),
               kWithNoiseOut["out"]);
}

Tensor gradient(const CompositeCall& call) {
  const Tensor grad = call.tensor(kBackward["grad_output"]);
  if (call.boolean(kBackward["training"])) return ops::mul(grad, call.tensor(kBackward["noise"]));
  const Slopes slopes(call, kBackward["lower"]);
  return call_op<"aten.leaky_relu_backward.default">(grad, call.tensor(kBackward["self"]), Scalar(slopes.mean()),
                                                     call.boolean(kBackward["self_is_result"]));
}
void backward(CompositeCall& call) { call.returns(gradient(call)); }
void backward_out(CompositeCall& call) { write_result(call, gradient(call), kBackward.out()); }

}  // namespace

void register_ops(Registry& r) {
  r.add(kRrelu)
      .tag(Tag::Random | Tag::Pointwise)
      .with_composite(without_noise<"aten.rrelu_with_noise.default">)
      .sample("f32[2,3]")
      .sample("f32[2,3]{1,2}, 0.25, 0.5, True")
      .refuses("C1", "f32[2], (1+2j)")
      .refuses("C2", "f32[2], 0.5, 0.25");
  r.add(kInplace)
      .tag(Tag::Random | Tag::FailsOnValues)
      .with_composite(without_noise<"aten.rrelu_with_noise_.default">)
      .sample("f32[2,3]");
  r.add(kWithNoise)
      .tag(Tag::Random | Tag::FailsOnValues)
      .with_composite(with_noise)
      .sample("f32[2,3], f32[2,3]")
      .sample("f32[2,3], f32[2,3], 0.25, 0.5, True")
      .sample("f32[2,3], f32[2,3], 0.5, 0.25, True")
      .refuses("C3", "f32[2], f32[3]")
      .refuses("C4", "f32[2], f64[2], 0.25, 0.5, True");
  r.add(kWithNoiseFunctional)
      .tag(Tag::Random | Tag::FailsOnValues)
      .with_composite(with_noise_functional)
      .dtypes(kFloats.without({DType::F16}))
      .dtypes_on_cuda(kFloats)
      .sample("f32[2,3], f32[2,3], 0.25, 0.5, True")
      .refuses("C3", "f32[2], f32[3]");
  r.add(kWithNoiseInplace)
      .tag(Tag::Random | Tag::FailsOnValues)
      .with_composite(with_noise_inplace)
      .sample("f32[2,3], f32[2,3]");
  r.add(kWithNoiseOut)
      .tag(Tag::Random | Tag::FailsOnValues)
      .with_composite(with_noise_out)
      .sample("f32[2,3], f32[2,3], out=f32[0]");
  OpEntry& op = r.add(kBackward)
                    .with_composite(backward)
                    .sample("f32[2,3], f32[2,3]{1,2}, f32[2,3], 0.125, 0.5, True, False")
                    .sample("f32[2,3], f32[2,3], f32[2,3], 0.125, 0.5, False, False");
  r.add_out_alike(op, "out")
      .with_composite(backward_out)
      .sample("f32[2,3], f32[2,3], f32[2,3], 0.125, 0.5, True, False, out=f32[0]");
}

}  // namespace ersatz::op_rrelu
