#include "kernels/conv/convolution_double_backward.h"

#include "kernels/conv/gradients.h"
#include "kernels/pointwise/pointwise.h"
#include "kernels/shape/cat.h"
#include "kernels/shape/clone.h"
#include "kernels/shape/expand.h"
#include "kernels/shape/view.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/registry.h"

namespace ersatz::op_convolution_double_backward {
namespace {

constexpr const TypedSchema& kOp = kConvolutionDoubleBackward;
using namespace op_convolution;

/// Returns `t`, which serves as a convolution's weight. On CUDA `t` is made row-major first, like in PyTorch.
Tensor as_weight(const Tensor& t) { return t.device().is_cuda() ? ops::contiguous(t) : t; }

/// Returns `low`, the gradient of one group. A later convolution uses it as weight with its first two dims exchanged,
/// so as_weight is applied to the exchanged view.
Tensor as_low(const Tensor& low) { return ops::transpose(as_weight(ops::transpose(low, 0, 1)), 0, 1); }

/// Returns the gradient of the weight, by joining the gradients of all groups.
Tensor gradient_of_weight(const Tensor& high, const Tensor& low, std::span<const SymInt> sizes, const Attributes& a) {
  const int64_t groups = a.groups.guard_int();
  std::vector<Tensor> parts;
  for (int64_t g = 0; g < groups; ++g)
    parts.push_back(gradient_of_group(group_of(high, 1, g, groups), as_low(group_of(low, 1, g, groups)), a));
  return cropped(ops::transpose(groups == 1 ? parts[0] : ops::cat(parts, 1), 0, 1), sizes);
}

void run(CompositeCall& call) {
  const Tensor of_input = call.tensor(kOp["ggI"]), of_weight = call.tensor(kOp["ggW"]),
               of_bias = call.tensor(kOp["ggb"]), grad = call.tensor(kOp["gO"]), weight = call.tensor(kOp["weight"]),
               input = call.tensor(kOp["self"]);
  const Attributes a{DimVec(call.ints(kOp["stride"])),   DimVec(call.ints(kOp["padding"])),
                     DimVec(call.ints(kOp["dilation"])), DimVec(call.ints(kOp["output_padding"])),
                     call.boolean(kOp["transposed"]),    call.sym(kOp["groups"])};
  Tensor sum;
  const auto add = [&](const Tensor& term) { sum = sum ? ops::add(sum, term) : term; };
  if (of_input) add(convolve(of_input, as_weight(weight), Tensor(), a));
  if (of_weight) add(convolve(input, as_weight(of_weight), Tensor(), a));
  call.require(!sum || sum.dim() == grad.dim(), "C2", "gO must have the rank of the convolution's result {}: it is {}",
               sum ? sum.meta() : grad.meta(), grad.meta());
  if (of_bias) {
    call.require_index(of_bias.dim() > 0 && grad.dim() > 1, "C1",
                       "beside ggb, which must have a dim, gO must have two: they are {} and {}", of_bias.meta(),
                       grad.meta());
    DimVec sizes(grad.sizes().size(), SymInt(1));
    sizes[1] = of_bias.sizes()[0];
    add(ops::expand(ops::view(ops::contiguous(of_bias), std::span<const SymInt>(sizes)), grad.sizes()));
  }
  call.returns(sum);
  call.returns(of_weight ? gradient_of_input(as_weight(grad), as_weight(of_weight), input.sizes(), a) : Tensor());
  call.returns(
      of_input ? gradient_of_weight(a.transposed ? grad : of_input, a.transposed ? of_input : grad, weight.sizes(), a)
               : Tensor());
}

}  // namespace

void register_ops(Registry& r) {
  const std::string all = ", [True, True, True]";
  r.add(kOp)
      .with_composite(run)
      .sample(
          "f32[2,3,7,8], f32[4,3,3,3], f32[4], f32[2,4,4,4], f32[4,3,3,3], f32[2,3,7,8], [2, 2], [1, 1], [1, 1], "
          "False, [0, 0], 1" +
          all)
      .sample("f64[2,4,5], f64[4,3,3], None, f64[2,6,9], f64[4,3,3], f64[2,4,5], [2], [1], [1], True, [0], 2" + all)
      .refuses("C1",
               "None, None, f32[], f32[2,4,4,4], f32[4,3,3,3], f32[2,3,7,8], [2, 2], [1, 1], [1, 1], False, "
               "[0, 0], 1" +
                   all)
      .refuses("C2",
               "f32[2,3,7,8], None, None, f32[2,4,4], f32[4,3,3,3], f32[2,3,7,8], [2, 2], [1, 1], [1, 1], False, "
               "[0, 0], 1" +
                   all);
}

}  // namespace ersatz::op_convolution_double_backward
