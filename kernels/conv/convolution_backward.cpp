#include "kernels/conv/convolution_backward.h"

#include "kernels/conv/conv_problem.h"
#include "kernels/conv/gradients.h"
#include "kernels/conv/plan.h"
#include "kernels/dense_operand.h"
#include "kernels/reduction/sum.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/fill.h"
#include "kernels/shape/slice.h"
#include "kernels/shape/squeeze.h"
#include "kernels/shape/transpose.h"
#include "kernels/wide_operand.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/registry.h"

namespace ersatz::op_convolution_backward {
namespace {

constexpr const TypedSchema& kOp = kConvolutionBackward;
using op_convolution::cropped, op_convolution::gradient_of_group, op_convolution::gradient_of_input,
    op_convolution::group_of;

void spread(std::span<const SymInt> v, int spatial, int64_t (&to)[3]) {
  for (int d = 0; d < spatial; ++d) to[d] = v[v.size() == 1 ? 0 : size_t(d)].guard_int();
}

/// True if the call accepts a grad_output with size `given` in dim `d`. The convolution's result has size `wanted` in
/// this dim. ATen's own CPU loops iterate over the images of the input, so they accept more images, unless the weight
/// is dilated. They divide the channels by the groups and ignore the remainder, except in 3-d, so they accept channels
/// that the groups do not divide.
bool fits(const ConvParams& p, bool by_loops, size_t d, SymInt given, SymInt wanted) {
  if (check_eq(given, wanted)) return true;
  if (!by_loops || d > 1) return false;
  bool dilated = false;
  for (int i = 0; i < p.spatial; ++i) dilated |= p.dilation[i] != 1;
  if (d == 0) return (p.transposed || !dilated) && check_ge(given, wanted);
  const bool divided = p.groups > 1 && (p.spatial < 3 || p.transposed || dilated);
  return divided && check_eq(floor_div(given, p.groups) * SymInt(p.groups), wanted);
}

void rule(RuleCall& call) {
  const TensorMeta &grad = call.meta(kOp["grad_output"]), &in = call.meta(kOp["input"]),
                   &weight = call.meta(kOp["weight"]);
  Value args[9];
  args[0] = call[kOp["input"]].borrowed();
  args[1] = call[kOp["weight"]].borrowed();
  for (size_t i = 3; i < 9; ++i) args[i] = call.args[i + 1].borrowed();
  RuleResult forward;
  RuleCall inner{op_entry<"aten.convolution.default">(), args, call.context, call.device, forward};
  inner.op.rule(inner);
  const TensorMeta& result = forward.outputs[0].meta;
  const bool transposed = call.boolean(kOp["transposed"]);
  for (SymInt extra : call.ints(kOp["output_padding"])) {
    call.require(transposed || check_eq(extra, 0), "C2",
                 "output_padding must be 0 but of transposed convolutions: it "
                 "is {}",
                 call.ints(kOp["output_padding"]));
  }

  ConvParams p;
  p.spatial = int(weight.dim()) - 2;
  p.transposed = transposed;
  p.groups = call.integer(kOp["groups"]);
  spread(call.ints(kOp["stride"]), p.spatial, p.stride);
  spread(call.ints(kOp["padding"]), p.spatial, p.padding);
  spread(call.ints(kOp["dilation"]), p.spatial, p.dilation);
  spread(call.ints(kOp["output_padding"]), p.spatial, p.output_padding);
  const bool empty = size_eq(in.sizes[0], 0) || size_eq(in.sizes[1], 0);
  const bool by_onednn = call.device.is_cpu() && !empty && onednn_takes(in, weight, p);
  bool fits_all = grad.dim() == result.dim() && grad.dtype == in.dtype;
  for (size_t d = 0; fits_all && !empty && d < result.sizes.size(); ++d)
    fits_all = fits(p, call.device.is_cpu() && !by_onednn, d, grad.sizes[d], result.sizes[d]);
  call.require(fits_all, "C1", "grad_output must be like the convolution's result {}: it is {}", result, grad);
  if (!call.device.is_meta()) call.require_dtype(in.dtype, kFloats);
  const MemoryFormat format = empty ? MemoryFormat::Contiguous : convolution_format(in, weight, p, call.device);
  const auto mask = call.list(kOp["output_mask"]);
  const bool of_input = mask[0].as_bool(), of_weight = mask[1].as_bool(), of_bias = mask[2].as_bool();
  const auto answer = [&](bool asked, const TensorMeta& like, const DimVec& sizes) {
    if (!asked) return call.out.none();
    TensorMeta out(in.dtype, sizes, call.device);
    out.strides = empty ? preserved_strides(sizes, like.strides) : convolution_strides(sizes, format);
    call.out.fresh(std::move(out));
    call.out.outputs.back().unknown_layout = !empty && format_is_of_machine(in, weight, p, call.device);
  };
  answer(of_input, in, in.sizes);
  // oneDNN computes the gradients of weight and bias together, even if output_mask selects only the bias. For a 1-d
  // convolution the gradient of the weight then has the sizes of a 2-d convolution's weight.
  DimVec seen = weight.sizes;
  if (!of_weight && p.spatial == 1) seen = DimVec{seen[0], seen[1], SymInt(1), seen[2]};
  answer(of_weight || (of_bias && by_onednn), weight, seen);
  if (!of_bias) return call.out.none();
  const bool sized = empty && call.has(kOp["bias_sizes"]);
  if (sized) {
    for (const SymInt& size : call.ints(kOp["bias_sizes"]))
      call.require(check_ge(size, 0), "C3", "bias_sizes must not be negative, one is {}", size);
  }
  call.out.fresh(
      TensorMeta(in.dtype, sized ? call.ints(kOp["bias_sizes"]) : std::span(&result.sizes[1], 1), call.device));
}

/// The operands and attributes of a call. Operands of f16 and bf16 are converted to f32.
struct Backward {
  Tensor all, grad, input, weight;  ///< `all`: grad_output with its surplus images, only for the bias's gradient
  op_convolution::Attributes attributes;
  WindowSteps steps;  // views of `attributes`
  int64_t groups;

  explicit Backward(const KernelCall& call)
      : all(wide_operand(call.tensor(kOp["grad_output"]))),
        input(wide_operand(call.tensor(kOp["input"]))),
        weight(wide_operand(call.tensor(kOp["weight"]))),
        attributes{DimVec(call[kOp["stride"]].as_ints()),   DimVec(call[kOp["padding"]].as_ints()),
                   DimVec(call[kOp["dilation"]].as_ints()), {},
                   call.boolean(kOp["transposed"]),         SymInt(call.integer(kOp["groups"]))},
        steps{call.ints(kOp["stride"]), call.ints(kOp["padding"]), call.ints(kOp["dilation"])},
        groups(call.integer(kOp["groups"])) {
    const SymInt channels = attributes.transposed ? weight.sizes()[1] * SymInt(groups) : weight.sizes()[0];
    if (all.sizes()[1].as_int() > channels.as_int()) all = ops::slice(all, 1, SymInt(0), channels);
    grad = all;
    if (all.sizes()[0].as_int() > input.sizes()[0].as_int()) grad = ops::slice(all, 0, SymInt(0), input.sizes()[0]);
  }

  /// Computes the weight's gradient with oneDNN. RETURNS: false if oneDNN is absent or does not support the
  /// convolution.
  bool of_weight_by_library(const Tensor& high, const Tensor& low, const Tensor& out) const {
    if (!out.device().is_cpu() || high.dtype() != DType::F32) return false;
    const Tensor result = make_real_tensor(TensorMeta(DType::F32, weight.sizes())),
                 from = dense_input(high, image_format(high)), to = dense_input(low, image_format(low));
    ConvProblem p = conv_problem(from, result, to, steps, groups);
    p.weight_gradient = true;
    if (!convolve_with_onednn(p)) return false;
    ops::copy_(out, result);
    return true;
  }
  void of_weight(const Tensor& to) const {
    const Tensor out = to.dim() > weight.dim() ? ops::squeeze(to, 2) : to;
    const Tensor &high = attributes.transposed ? grad : input, &low = attributes.transposed ? input : grad;
    if (of_weight_by_library(high, low, out)) return;
    for (int64_t g = 0; g < groups; ++g) {
      const Tensor all = gradient_of_group(group_of(high, 1, g, groups), group_of(low, 1, g, groups), attributes);
      ops::copy_(group_of(out, 0, g, groups), cropped(ops::transpose(all, 0, 1), weight.sizes()));
    }
  }
  Tensor of_bias() const {
    DimVec dims{SymInt(0)};
    for (int64_t d = 2; d < all.dim(); ++d) dims.push_back(SymInt(d));
    return ops::sum(all, dims);
  }
};

void run(KernelCall& call) {
  const Backward parts(call);
  const bool empty = parts.input.numel().as_int() == 0 || parts.weight.numel().as_int() == 0;
  for (size_t i = 0; i < 3; ++i) {
    Tensor& out = call.outputs[i];
    if (!out) continue;
    if (empty) {
      ops::fill_(out, 0);
    } else if (i == 1) {
      parts.of_weight(out);
    } else {
      ops::copy_(out, i == 0 ? gradient_of_input(parts.grad, parts.weight, parts.input.sizes(), parts.attributes)
                             : parts.of_bias());
    }
  }
}

/// Counts the FLOPs of the convolution itself, once for each of the gradients of input and weight that output_mask
/// selects.
std::optional<SymInt> flops(RuleCall& call, const RuleResult&) {
  SymInt n = call.boolean(kOp["transposed"]) ? call.meta(kOp["input"]).numel() : call.meta(kOp["grad_output"]).numel();
  const TensorMeta& weight = call.meta(kOp["weight"]);
  for (size_t d = 1; d < weight.sizes.size(); ++d) n *= weight.sizes[d];
  const auto mask = call.list(kOp["output_mask"]);
  return n * SymInt(2 * (int64_t(mask[0].as_bool()) + int64_t(mask[1].as_bool())));
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& op = r.add(kOp)
                    .tag(Tag::Core | Tag::LayoutByLibrary)
                    .with_rule(rule)
                    .every_device(run)
                    .count_flops(flops)
                    .dtypes(kFloats)
                    .sample(
                        "f32[2,4,4,4], f32[2,3,7,8], f32[4,3,3,3], [4], [2, 2], [1, 1], [1, 1], False, [0, 0], 1, "
                        "[True, True, True]")
                    .sample(
                        "f32[2,6,3,9], f32[2,4,7,8]{224,1,32,4}, f32[6,2,3,2], [6], [2, 1], [0, 1], [1, 1], False, "
                        "[0, 0], 2, [True, True, True]")
                    .sample("f64[2,3,9], f64[2,4,5], f64[4,3,3], [3], [2], [1], [1], True, [0], 1, [True, True, True]")
                    .refuses("C1",
                             "f32[2,4,4,4], f32[2,3,7,8], f32[4,3,3,3], [4], [1], [1], [1], False, [0], 1, "
                             "[True, True, True]")
                    .refuses("C2",
                             "f32[2,4,3], f32[2,3,5], f32[4,3,3], [4], [1], [0], [1], False, [1], 1, "
                             "[True, True, True]");
  r.add_out(op, "out", kGeneratedForm);
}

}  // namespace ersatz::op_convolution_backward
