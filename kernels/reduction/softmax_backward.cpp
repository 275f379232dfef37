#include "kernels/reduction/softmax_backward.h"

#include "kernels/pointwise/pointwise.h"
#include "kernels/reduction/sum.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/first_elements.h"
#include "kernels/wide_operand.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/registry.h"

namespace ersatz::op_softmax_backward {
namespace {

template <bool logarithms>
void rule(RuleCall& call) {
  const TensorMeta &grad = call.meta(kEach["grad_output"]), &output = call.meta(kEach["output"]);
  const DType asked = call[kEach["input_dtype"]].as_dtype();
  const bool any_sizes = logarithms && !call.device.is_cuda();
  const bool fits = any_sizes ? check_le(grad.numel(), output.numel())
                              : grad.dim() == output.dim() && check_eq(grad.sizes, output.sizes);
  const auto require_fit = [&](bool ok) {
    call.require(ok, "C1", "grad_output and output must have one dtype and size: they are {} and {}", grad, output);
  };
  require_fit(logarithms || fits);
  call.wrap_dim(call.integer(kEach["dim"]), grad.dim());
  if (!call.device.is_meta()) call.require_dtype(grad.dtype, kFloats);
  require_fit(fits && grad.dtype == output.dtype);
  if (!call.device.is_cuda()) {  // other devices ignore input_dtype, but refuse f16 with f32 gradients
    call.require(grad.dtype != DType::F32 || asked != DType::F16, "C2", "f16 gradients of f32 ones are for cuda: {}",
                 grad);
    call.out.fresh(TensorMeta(grad.dtype, grad.sizes, call.device));
    return;
  }
  call.require(asked == grad.dtype || (grad.dtype == DType::F32 && asked == DType::F16), "C2",
               "input_dtype must be that of grad_output: it is {}, grad_output is {}", name(asked), grad);
  call.out.fresh(TensorMeta(asked, grad.sizes, call.device));
}

template <bool logarithms>
void run(KernelCall& call) {
  if (call.outputs[0].numel().as_int() == 0) return;
  const Tensor grad = wide_operand(call.tensor(kEach["grad_output"])),
               output = wide_operand(first_elements(call.tensor(kEach["output"]), DimVec(grad.sizes())));
  const DimVec dim{SymInt(call.integer(kEach["dim"]))};
  const auto sum = [&](const Tensor& t) { return t.dim() == 0 ? t : ops::sum(t, dim, true); };
  ops::copy_(call.outputs[0], logarithms ? ops::sub(grad, ops::mul(ops::exp(output), sum(grad)))
                                         : ops::mul(output, ops::sub(grad, sum(ops::mul(grad, output)))));
}

std::optional<SymInt> flops(RuleCall&, const RuleResult& result) { return SymInt(5) * result.outputs[0].meta.numel(); }

}  // namespace

void register_ops(Registry& r) {
  for (bool logarithms : {false, true}) {
    OpEntry& op = r.add(logarithms ? Schema(kLogSoftmax) : Schema(kSoftmax))
                      .with_rule(logarithms ? rule<true> : rule<false>)
                      .every_device(logarithms ? run<true> : run<false>)
                      .dtypes(kFloats)
                      .count_flops(flops)
                      .sample("f32[2,3], f32[2,3], 1, f32")
                      .sample("f64[2,3,4], f64[2,3,4]{12,1,3}, 0, f64")
                      .sample("f16[2,3], f16[2,3], 1, f16")
                      .sample("bf16[2,3], bf16[2,3], 1, bf16")
                      .refuses("C1", "f32[2,3], f32[5], 1, f32");
    r.add_out(op, "out", {}, {logarithms ? "out" : "grad_input"});
  }
}

}  // namespace ersatz::op_softmax_backward
