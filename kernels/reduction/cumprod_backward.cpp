#include "kernels/reduction/cumprod_backward.h"

#include "kernels/pointwise/arithmetic.h"
#include "kernels/reduction/cumsum.h"
#include "kernels/reduction/sum.h"
#include "kernels/shape/flip.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_cumprod_backward {
namespace {

using namespace arithmetic;

Tensor where(const Tensor& mask, const Tensor& a, const Value& b) {
  return call_op<"aten.where.ScalarOther">(mask, a, b);
}

void run(CompositeCall& call) {
  const Tensor grad = call.tensor(kCumprodBackward["grad"]), input = call.tensor(kCumprodBackward["input"]),
               output = call.tensor(kCumprodBackward["output"]);
  if (guard_le(input.numel(), 1)) return call.returns(grad);
  const int64_t dim = call.wrap_dim(call.integer(kCumprodBackward["dim"]), input.dim());
  if (size_eq(input.size(dim), 1)) return call.returns(grad);
  const SymInt dims[] = {dim};
  const Value zero(Scalar(0)), one(Scalar(1));
  const Tensor is_zero = ops::eq(input, Scalar(0)), zeros = ops::cumsum(is_zero, dim);
  const Tensor before = ops::eq(zeros, Scalar(0)), since = ops::eq(zeros, Scalar(1)),
               first = ops::logical_and(since, is_zero);
  const auto conj = [](const Tensor& t) { return call_op<"aten.conj.default">(t); };
  const Tensor weighted = where(before, conj(output) * grad, zero);
  const Tensor rest = ops::flip(ops::cumsum(ops::flip(weighted, dims), dim), dims) / conj(where(before, input, one));
  const Tensor without = call_op<"aten.cumprod.default">(where(ops::logical_not(first), input, one), dim, Value());
  const Tensor at_zero = ops::sum(where(since, conj(without) * grad, zero), dims, true);
  const Tensor behind = where(first, at_zero, zero);
  call.returns(
      call_op<"aten.contiguous.default">(call_op<"aten.where.self">(before, rest, behind), MemoryFormat::Contiguous));
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kCumprodBackward)
      .with_composite(run)
      .sample("f32[2,3], f32[2,3], 1, f32[2,3]", 1, 2)
      .sample("f32[2,3], f32[2,3], -2, f32[2,3]", 0, 0)
      .sample("f32[1], f32[1], 0, f32[1]")
      .refuses("dim", "f32[2,3], f32[2,3], 2, f32[2,3]");
}

}  // namespace ersatz::op_cumprod_backward
