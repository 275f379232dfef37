#include "kernels/linalg/linear_combination.h"

#include "kernels/pointwise/pointwise.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/reshape.h"
#include "kernels/wide_operand.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/kernel.h"
#include "runtime/op/registry.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_linear_combination {
namespace {

void rule(RuleCall& call) {
  const TensorMeta &input = call.meta(kLinearCombination["input"]),
                   &coefficients = call.meta(kLinearCombination["coefficients"]);
  call.require(input.dim() > 0 && check_ne(input.numel(), 0), "C1", "the input must have a dim and elements: it is {}",
               input);
  call.require_index(coefficients.dim() >= 2, "C2", "the coefficients must be a matrix: they are {}", coefficients);
  call.require(coefficients.dim() == 2 && check_eq(input.sizes[0], coefficients.sizes[1]) &&
                   coefficients.dtype == real_dtype(input.dtype),
               "C2", "the coefficients must be a matrix of {} with a column for each of {} rows: they are {}",
               name(real_dtype(input.dtype)), input.sizes[0], coefficients);
  DimVec sizes = input.sizes;
  sizes[0] = coefficients.sizes[0];
  call.out.fresh(TensorMeta(input.dtype, sizes, call.device));
}

void run(KernelCall& call) {
  const Tensor input = wide_operand(call.tensor(kLinearCombination["input"])),
               coefficients = wide_operand(call.tensor(kLinearCombination["coefficients"]));
  DimVec column(static_cast<size_t>(input.dim()), SymInt(1));
  column[0] = coefficients.sizes()[0];
  Tensor sum;
  for (int64_t k = 0, n = input.sizes()[0].as_int(); k < n; ++k) {
    const Tensor factors = ops::reshape(call_op<"aten.select.int">(coefficients, int64_t(1), SymInt(k)), column);
    const Tensor term = ops::mul(factors, call_op<"aten.select.int">(input, int64_t(0), SymInt(k)));
    sum = sum ? ops::add(sum, term) : term;
  }
  ops::copy_(call.outputs[0], sum);
}

void run_out(CompositeCall& call) {
  constexpr Schema k = kLinearCombinationOut;
  const Tensor out = call.tensor(k["out"]);
  const TensorMeta& input = call.meta(k["input"]);
  if (input.dim() > 0 && size_eq(input.numel(), 0) && size_eq(out.numel(), 0)) return call.returns(call[k["out"]]);
  const Tensor sum = call_op<"aten._compute_linear_combination.default">(call[k["input"]], call[k["coefficients"]]);
  call.require_index(out.dim() > 0, "C3", "the out argument must have dims: it is {}", out.meta());
  bool fits = out.dtype() == sum.dtype() && out.dim() == sum.dim();
  for (size_t d = 0; fits && d < sum.sizes().size(); ++d)
    fits = check_eq(sum.sizes()[d], out.sizes()[d]) || check_eq(sum.sizes()[d], 1);
  call.require(fits, "C3", "the out argument is added to and must be like the sums, {}: it is {}", sum.meta(),
               out.meta());
  call_op<"aten.add_.Tensor">(out, sum, Scalar(1));
  call.returns(call[k["out"]]);
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kLinearCombination)
      .with_rule(rule)
      .every_device(run)
      .sample("f32[3,2,4], f32[5,3]")
      .sample("c64[3,2]{1,3}, f32[5,3]")
      .sample("i64[3], i64[2,3]")
      .sample("bf16[3,2], bf16[5,3]")
      .refuses("C1", "f32[], f32[5,3]")
      .refuses("C1", "f32[3,0], f32[5,3]")
      .refuses("C2", "f32[4,2], f32[5,3]")
      .refuses("C2", "f32[3,2], f64[5,3]")
      .refuses("C2", "f32[3,2], f32[3]");
  r.add(kLinearCombinationOut)
      .made_of(run_out)
      .sample("f32[3,2,4], f32[5,3], out=f32[5,2,4]")
      .refuses("C3", "f32[3,2], f32[5,3], out=f32[0]")
      .refuses("C3", "f32[3,2], f32[5,3], out=f64[5,2]");
}

}  // namespace ersatz::op_linear_combination
