#include "kernels/norm/norm.h"

#include <limits>

#include "kernels/norm/batch_norm.h"
#include "kernels/norm/cudnn_batch_norm.h"
#include "kernels/norm/group_norm.h"
#include "kernels/norm/layer_norm.h"
#include "kernels/pointwise/pointwise.h"
#include "kernels/reduction/mean.h"
#include "kernels/shape/clone.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/expand.h"
#include "kernels/shape/reshape.h"
#include "kernels/shape/slice.h"
#include "kernels/shape/view.h"
#include "kernels/wide_operand.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_norm {
namespace {

/// Size of a dim that the input must have: an index error otherwise.
SymInt size_of(const CompositeCall& call, int64_t dim) {
  static constexpr Schemas kArgs{kBatchNorm, kInstanceNorm, kGroupNorm};
  const Tensor input = call.tensor(kArgs["input"]);
  call.require_index(input.dim() > dim, "dim", "dim {} is out of range: input is {}", dim, input.meta());
  return input.sizes()[size_t(dim)];
}

void batch_norm(CompositeCall& call) {
  Tensor input = call.tensor(kBatchNorm["input"]);
  const Tensor weight = call.tensor(kBatchNorm["weight"]), bias = call.tensor(kBatchNorm["bias"]);
  const SymInt channels = input.dim() > 1 ? input.sizes()[1] : SymInt(0);
  if (size_eq(input.numel(), 0)) {
    Tensor out = ops::clone(input);
    if (weight) out = ops::mul(out, ops::select(weight, 0, 0));
    if (bias) out = ops::add(out, ops::select(bias, 0, 0), 1);
    return call.returns(out);
  }
  const bool training = call.boolean(kBatchNorm["training"]);
  for (Position i : {kBatchNorm["running_mean"], kBatchNorm["running_var"], kBatchNorm["weight"], kBatchNorm["bias"]}) {
    const std::string& name = call.op.schema.arguments[i].name;
    call.require(i <= kBatchNorm["bias"] || training || call.has(i), "C1", "inference needs {}", name);
    call.require(!call.has(i) || check_eq(call.meta(i).numel(), channels), "C2",
                 "{} must have one element per channel ({}), it is {}", name, channels,
                 call.has(i) ? call.meta(i) : input.meta());
  }
  if (input.dim() == 1) size_of(call, 1);
  if (cudnn_takes(call, training, call.real(kBatchNorm["eps"])))
    input = ops::contiguous(input, suggest_memory_format(input.meta()));
  call.returns(std::get<0>(ops::native_batch_norm(input, weight, bias, call.tensor(kBatchNorm["running_mean"]),
                                                  call.tensor(kBatchNorm["running_var"]), training,
                                                  call.real(kBatchNorm["momentum"]), call.real(kBatchNorm["eps"]))));
}

/// A vector `n` times, one after the other.
Tensor repeated(const CompositeCall& call, Position i, SymInt n) {
  const Tensor t = call.tensor(i);
  if (!t) return t;
  call.require(t.dim() <= 1, "C2", "{} must be 1-d, it is {}", call.op.schema.arguments[i].name, t.meta());
  const SymInt wide[] = {n, t.numel()}, flat[] = {n * t.numel()};
  return ops::clone(ops::reshape(ops::expand(t, wide), flat));
}

void instance_norm(CompositeCall& call) {
  const Tensor input = call.tensor(kInstanceNorm["input"]);
  const bool own_statistics = call.boolean(kInstanceNorm["use_input_stats"]);
  call.require(own_statistics || (call.has(kInstanceNorm["running_mean"]) && call.has(kInstanceNorm["running_var"])),
               "C1", "running_mean and running_var are needed where use_input_stats is false");
  const SymInt images = size_of(call, 0), channels = size_of(call, 1);
  DimVec one_image(input.sizes());
  one_image[0] = 1;
  one_image[1] = images * channels;
  const Tensor weight = repeated(call, kInstanceNorm["weight"], images),
               bias = repeated(call, kInstanceNorm["bias"], images);
  const Tensor mean = repeated(call, kInstanceNorm["running_mean"], images),
               var = repeated(call, kInstanceNorm["running_var"], images);
  const Tensor out = ops::batch_norm(ops::view(ops::contiguous(input), one_image), weight, bias, mean, var,
                                     own_statistics, call.real(kInstanceNorm["momentum"]),
                                     call.real(kInstanceNorm["eps"]), call.boolean(kInstanceNorm["cudnn_enabled"]));
  const SymInt rows[] = {images, channels};
  const SymInt first = 0;
  const auto keep = [&](const Tensor& statistic, const Tensor& of_images) {
    if (own_statistics && statistic) ops::copy_(statistic, ops::mean(ops::view(of_images, rows), std::span(&first, 1)));
  };
  keep(call.tensor(kInstanceNorm["running_mean"]), mean);
  keep(call.tensor(kInstanceNorm["running_var"]), var);
  call.returns(ops::view(out, input.sizes()));
}

void layer_norm(CompositeCall& call) {
  call.returns(std::get<0>(ops::native_layer_norm(
      call.tensor(kLayerNorm["input"]), call.ints(kLayerNorm["normalized_shape"]), call.tensor(kLayerNorm["weight"]),
      call.tensor(kLayerNorm["bias"]), call.real(kLayerNorm["eps"]))));
}

void group_norm(CompositeCall& call) {
  const Tensor input = call.tensor(kGroupNorm["input"]);
  const int64_t groups = call.integer(kGroupNorm["num_groups"]);
  const SymInt images = size_of(call, 0), channels = size_of(call, 1);
  call.require(groups > 0 && check_gt(channels, 0), "C1",
               "num_groups and the channels must be positive: num_groups is {}, input is {}", groups, input.meta());
  SymInt points = 1;
  for (SymInt s : input.sizes().subspan(2)) points *= s;
  const MemoryFormat format = input.device().is_cuda() ? MemoryFormat::Contiguous : suggest_memory_format(input.meta());
  const Tensor dense = ops::contiguous(input, format);
  call.returns(
      std::get<0>(ops::native_group_norm(dense, call.tensor(kGroupNorm["weight"]), call.tensor(kGroupNorm["bias"]),
                                         images, channels, points, groups, call.real(kGroupNorm["eps"]))));
}

bool is_end(std::span<const SymInt> shape, std::span<const SymInt> sizes) {
  if (sizes.size() < shape.size()) return false;
  for (size_t d = 0; d < shape.size(); ++d) {
    if (!check_eq(shape[shape.size() - 1 - d], sizes[sizes.size() - 1 - d])) return false;
  }
  return true;
}

void rms_norm(CompositeCall& call) {
  const Tensor input = call.tensor(kRmsNorm["input"]), weight = call.tensor(kRmsNorm["weight"]);
  const auto shape = call.ints(kRmsNorm["normalized_shape"]);
  call.require(!shape.empty(), "C1", "normalized_shape must have at least one dim");
  call.require(!weight || (weight.dim() == int64_t(shape.size()) && is_end(shape, weight.sizes())), "C2",
               "weight must have the sizes normalized_shape: it is {}, normalized_shape is {}",
               weight ? weight.meta() : input.meta(), shape);
  if (input.dim() < int64_t(shape.size())) {
    call.refuse(ErrorFamily::Value, "C3",
                "input must have at least the dims of normalized_shape: input is {}, it is {}", input.meta(), shape);
  }
  call.require(is_end(shape, input.sizes()), "C1",
               "input must end in the sizes normalized_shape: input is {}, normalized_shape is {}", input.meta(),
               shape);
  const DType dtype = input.dtype();
  if (!call.device.is_meta()) call.require_dtype(dtype, kFloatsAndComplexes);
  const bool wide = dtype == DType::F64 || dtype == DType::C128;
  const Tensor x = wide_operand(input);
  double eps = wide ? std::numeric_limits<double>::epsilon() : std::numeric_limits<float>::epsilon();
  if (call.has(kRmsNorm["eps"])) eps = wide ? call.real(kRmsNorm["eps"]) : float(call.real(kRmsNorm["eps"]));
  DimVec dims;
  for (size_t d = 0; d < shape.size(); ++d) dims.push_back(input.dim() - 1 - int64_t(d));
  const Tensor squares = ops::mean(ops::pow(x, int64_t(2)), dims, true);
  Tensor out = ops::mul(x, ops::rsqrt(ops::add(squares, Scalar(eps))));
  if (weight) out = ops::mul(out, weight);
  out = ops::type_as(out, input);
  // Any other dense layout that the parts would keep is given up.
  if (!is_contiguous(input.meta()) && suggest_memory_format(input.meta()) == MemoryFormat::Contiguous) {
    out = ops::contiguous(out);
  }
  call.returns(out);
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kBatchNorm)
      .with_composite(batch_norm)
      .dtypes(kFloats)
      .sample("f32[2,3,4,5], f32[3], f32[3], f32[3], f32[3], True, 0.1, 1e-05, False", 0.25, 2)
      .sample("f32[2,3,4], None, None, f32[3], f32[3], False, 0.1, 1e-05, False", 0.25, 2)
      .sample("f32[0,3], f32[3], f32[3], None, None, True, 0.1, 1e-05, False", 0.25, 2)
      .refuses("C1", "f32[2,3], None, None, None, None, False, 0.1, 1e-05, False")
      .refuses("C2", "f32[2,3], None, None, f32[4], f32[3], False, 0.1, 1e-05, False")
      .refuses("dim", "f32[2], None, None, None, None, True, 0.1, 1e-05, False");
  r.add(kInstanceNorm)
      .with_composite(instance_norm)
      .dtypes(kFloats)
      .sample("f32[2,3,4,5], f32[3], f32[3], None, None, True, 0.1, 1e-05, False", 0.25, 2)
      .sample("f32[2,1,4], None, None, f32[1], f32[1], True, 0.1, 1e-05, False", 0.25, 2)
      .sample("f32[2,3,4], None, None, f32[3], f32[3], False, 0.1, 1e-05, False", 0.25, 2)
      .refuses("C1", "f32[2,3,4], None, None, None, None, False, 0.1, 1e-05, False")
      .refuses("C2", "f32[2,3,4], f32[3,1], None, None, None, True, 0.1, 1e-05, False");
  r.add(kLayerNorm)
      .with_composite(layer_norm)
      .dtypes(kFloats)
      .sample("f32[2,3,5], [5], f32[5], f32[5]")
      .sample("bf16[2,3,5], [3, 5]");
  r.add(kGroupNorm)
      .with_composite(group_norm)
      .dtypes(kFloats)
      .sample("f32[2,6,5,3], 2, f32[6], f32[6]")
      .sample("f64[2,6], 3")
      .refuses("C1", "f32[2,6,3], 0")
      .refuses("dim", "f32[6], 2");
  r.add(kRmsNorm)
      .with_composite(rms_norm)
      .dtypes(kFloatsAndComplexes)
      .sample("f32[2,3,5], [5], f32[5]")
      .sample("bf16[2,3,5], [3, 5], None, 0.5")
      .refuses("C1", "f32[2,3], [2]")
      .refuses("C2", "f32[2,3], [3], f32[2]")
      .refuses("C3", "f32[3], [2, 3]");
}

}  // namespace ersatz::op_norm

namespace ersatz::ops {

Tensor batch_norm(const Tensor& input, const Tensor& weight, const Tensor& bias, const Tensor& running_mean,
                  const Tensor& running_var, bool training, double momentum, double eps, bool cudnn_enabled) {
  return call_op<"aten.batch_norm.default">(input, weight, bias, running_mean, running_var, training, momentum, eps,
                                            cudnn_enabled);
}

Tensor instance_norm(const Tensor& input, const Tensor& weight, const Tensor& bias, const Tensor& running_mean,
                     const Tensor& running_var, bool use_input_stats, double momentum, double eps, bool cudnn_enabled) {
  return call_op<"aten.instance_norm.default">(input, weight, bias, running_mean, running_var, use_input_stats,
                                               momentum, eps, cudnn_enabled);
}

}  // namespace ersatz::ops
