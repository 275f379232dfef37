#include "kernels/conv/conv_problem.h"
#include "kernels/conv/convolution.h"
#include "kernels/dense_operand.h"
#include "runtime/op/copy.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_convolution {
namespace {

/// True if the loops of im2col_cpu.cpp support the layout of `t`. A 1-d output may be channels-last, which
/// is_contiguous does not test, because no memory format is channels-last for 3-d tensors.
bool evenly_spaced(const Tensor& t) {
  if (is_contiguous(t.meta()) || image_format(t) != MemoryFormat::Contiguous) return true;
  return t.dim() == 3 && t.strides()[1].as_int() == 1 && t.strides()[2].as_int() >= t.sizes()[1].as_int();
}

Tensor converted(const Tensor& t, DType dtype) {
  if (!t || t.dtype() == dtype) return t;
  // Dense strides are kept, so that the copy has the memory format of `t`.
  Tensor copy = make_real_tensor(
      TensorMeta(dtype, t.sizes(), std::span<const SymInt>(preserved_strides(t.sizes(), t.strides()))));
  copy_elements(copy, t);
  return copy;
}

void convolve(KernelCall& call, const Tensor& in, const Tensor& weight, const Tensor& bias, const Tensor& out) {
  const ConvProblem p = conv_problem(call, in, weight, bias, out);
  if (p.dtype == DType::F32 && convolve_with_onednn(p)) return;
  convolve_by_products(p);
}

}  // namespace

void run_cpu(KernelCall& call) {
  const Tensor& result = call.outputs[0];
  if (result.numel().as_int() == 0) return;
  Tensor in = call.tensor(kConvolution["input"]), weight = call.tensor(kConvolution["weight"]),
         bias = call.tensor(kConvolution["bias"]), out = result;
  const bool half = is_reduced_float(in.dtype());
  if (half) {
    in = converted(in, DType::F32);
    weight = converted(weight, DType::F32);
  }
  bias = converted(bias, in.dtype());
  if (!evenly_spaced(in)) in = dense_input(in);
  if (half || !evenly_spaced(out)) {
    const bool keep = evenly_spaced(out);
    out = make_real_tensor(
        TensorMeta(in.dtype(), result.sizes(),
                   keep ? result.strides() : std::span<const SymInt>(contiguous_strides(result.sizes()))));
  }
  convolve(call, in, weight, bias, out);
  if (!out.is(result)) copy_elements(result, out);
}

}  // namespace ersatz::op_convolution
