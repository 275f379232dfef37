#include "kernels/norm/norm.h"

#include <limits>

#include "kernels/creation/empty.h"
#include "kernels/norm/batch_norm.h"
#include "kernels/norm/cudnn_batch_norm.h"
#include "kernels/norm/group_norm.h"
#include "kernels/norm/layer_norm.h"
#include "kernels/norm/norm_backward.h"
#include "kernels/pointwise/pointwise.h"
#include "kernels/reduction/mean.h"
#include "kernels/reduction/sum.h"
#include "kernels/shape/clone.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/expand.h"
#include "kernels/shape/fill.h"
#include "kernels/shape/functional_forms.h"
#include "kernels/shape/reshape.h"
#include "kernels/shape/slice.h"
#include "kernels/shape/view.h"
#include "kernels/wide_operand.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_norm {
namespace {

/// Returns the size of dim `dim` of the input. RAISES: an IndexError if the input does not have this dim.
SymInt size_of(const CompositeCall& call, int64_t dim) {
  static constexpr Schemas kArgs{kBatchNorm, kBatchNormIndex, kInstanceNorm, kGroupNorm};
  const Tensor input = call.tensor(kArgs["input"]);
  call.require_index(input.dim() > dim, "dim", "dim {} is out of range: input is {}", dim, input.meta());
  return input.sizes()[size_t(dim)];
}

/// Returns the result `reserve`, an empty tensor. Only cuDNN would write data to it, and a rule cannot predict the size
/// of the data.
Tensor no_reserve(const Tensor& input) {
  return ops::empty(DimVec{SymInt(0)}, {.dtype = DType::U8, .device = input.device()});
}

struct BatchNormed {
  Tensor out, mean, scale, reserve;
  bool cudnn = false;
};
/// Runs batch norm. An empty input is not normalised, only multiplied by the weight and added to the bias.
BatchNormed batch_normed(const CompositeCall& call) {
  Tensor input = call.tensor(kBatches["input"]);
  const Tensor weight = call.tensor(kBatches["weight"]), bias = call.tensor(kBatches["bias"]);
  const SymInt channels = input.dim() > 1 ? input.sizes()[1] : SymInt(0);
  if (size_eq(input.numel(), 0)) {
    const Tensor reserve = no_reserve(input);
    const bool narrow = is_reduced_float(input.dtype()) || input.device().is_cuda();
    const FactoryOptions saved{narrow ? DType::F32 : DType::F64, input.device()};
    const Tensor mean = ops::empty(DimVec{channels}, saved), scale = ops::empty(DimVec{channels}, saved);
    Tensor out = ops::clone(input);
    if (weight) out = ops::mul(out, ops::select(weight, 0, 0));
    if (bias) out = ops::add(out, ops::select(bias, 0, 0), 1);
    return {out, mean, scale, reserve};
  }
  const bool training = call.boolean(kBatches["training"]);
  for (Position i : {kBatches["running_mean"], kBatches["running_var"], kBatches["weight"], kBatches["bias"]}) {
    const std::string& name = call.op.schema.arguments[i].name;
    call.require(i <= kBatches["bias"] || training || call.has(i), "C1", "inference needs {}", name);
    call.require(!call.has(i) || check_eq(call.meta(i).numel(), channels), "C2",
                 "{} must have one element per channel ({}), it is {}", name, channels,
                 call.has(i) ? call.meta(i) : input.meta());
  }
  if (input.dim() == 1) size_of(call, 1);
  const bool cudnn = cudnn_takes(call, training, call.real(kBatches["eps"]));
  if (cudnn) input = ops::contiguous(input, suggest_memory_format(input.meta()));
  const Tensor reserve = no_reserve(input);
  const auto [out, mean, scale] = ops::native_batch_norm(input, weight, bias, call.tensor(kBatches["running_mean"]),
                                                         call.tensor(kBatches["running_var"]), training,
                                                         call.real(kBatches["momentum"]), call.real(kBatches["eps"]));
  return {out, mean, scale, reserve, cudnn};
}
void batch_norm(CompositeCall& call) { call.returns(batch_normed(call).out); }
void batch_norm_index(CompositeCall& call) {
  const BatchNormed made = batch_normed(call);
  const bool keeps = !made.cudnn || call.boolean(kBatchNormIndex["training"]);
  for (const Tensor& t : {made.out, keeps ? made.mean : ops::new_empty(made.mean, DimVec{SymInt(0)}),
                          keeps ? made.scale : ops::new_empty(made.scale, DimVec{SymInt(0)}), made.reserve})
    call.returns(t);
  call.returns(int64_t(made.cudnn));
}
void batch_norm_index_backward(CompositeCall& call) {
  constexpr Schema k = kBatchNormIndexBackward;
  const int64_t index = call.integer(k["impl_index"]);
  call.require(index == 0 || index == 1, "C1", "there is no implementation {}", index);
  const Tensor input = call.tensor(k["input"]), grad = call.tensor(k["grad_output"]);
  if (size_ne(input.numel(), 0)) {
    const Values results = call_op_all<"aten.native_batch_norm_backward.default">(
        grad, input, call[k["weight"]], call[k["running_mean"]], call[k["running_var"]], call[k["save_mean"]],
        call[k["save_var_transform"]], call[k["train"]], call[k["eps"]], call[k["output_mask"]]);
    for (const Value& v : results) call.returns(v);
    return;
  }
  const auto mask = call.list(k["output_mask"]);
  DimVec shared;
  for (int64_t d = 0; d < input.dim(); ++d)
    if (d != 1) shared.push_back(d);
  const Tensor weight = call.tensor(k["weight"]);
  call.returns(!mask[0].as_bool() ? Value() : weight ? ops::mul(grad, ops::select(weight, 0, 0)) : ops::clone(grad));
  call.returns(mask[1].as_bool() ? Value(ops::sum(ops::mul(grad, input), shared)) : Value());
  call.returns(mask[2].as_bool() ? Value(ops::sum(grad, shared)) : Value());
}
void batch_norm_updated(CompositeCall& call) {
  constexpr Schema k = kBatchNormUpdated;
  const Tensor mean = ops::clone(call.tensor(k["running_mean"])), var = ops::clone(call.tensor(k["running_var"]));
  const Values results = call_op_all<"aten._batch_norm_with_update.default">(
      call[k["input"]], call[k["weight"]], call[k["bias"]], mean, var, call[k["momentum"]], call[k["eps"]]);
  for (const Value& v : results) call.returns(v);
  call.returns(mean);
  call.returns(var);
}
void cudnn_batch_norm(CompositeCall& call) {
  constexpr Schema k = kCudnnBatchNorm;
  const Tensor input = call.tensor(k["input"]);
  const auto [out, mean, scale] =
      ops::native_batch_norm(input, call.tensor(k["weight"]), call.tensor(k["bias"]), call.tensor(k["running_mean"]),
                             call.tensor(k["running_var"]), call.boolean(k["training"]),
                             call.real(k["exponential_average_factor"]), call.real(k["epsilon"]));
  const bool saves = call.boolean(k["training"]);
  for (const Tensor& t : {out, saves ? mean : ops::new_empty(mean, DimVec{SymInt(0)}),
                          saves ? scale : ops::new_empty(scale, DimVec{SymInt(0)}), no_reserve(input)})
    call.returns(t);
}
void cudnn_batch_norm_backward(CompositeCall& call) {
  constexpr Schema k = kCudnnBatchNormBackward;
  const auto [of_input, of_weight, of_bias] = ops::native_batch_norm_backward(
      call.tensor(k["grad_output"]), call.tensor(k["input"]), call.tensor(k["weight"]), call.tensor(k["running_mean"]),
      call.tensor(k["running_var"]), call.tensor(k["save_mean"]), call.tensor(k["save_var"]), true,
      call.real(k["epsilon"]), {true, true, true});
  for (const Tensor& t : {of_input, of_weight, of_bias}) call.returns(t);
}

/// Returns argument i, a vector, repeated `n` times. An undefined tensor is returned unchanged.
Tensor repeated(const CompositeCall& call, Position i, SymInt n) {
  const Tensor t = call.tensor(i);
  if (!t) return t;
  call.require(t.dim() <= 1, "C2", "{} must be 1-d, it is {}", call.op.schema.arguments[i].name, t.meta());
  return call_op<"aten.repeat.default">(t, DimVec{n});
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

struct RmsNormed {
  Tensor out, scale;
};
/// Computes rms_norm over the last dims, as many as normalized_shape has.
RmsNormed rms_normed(const CompositeCall& call) {
  const Tensor input = call.tensor(kRms["input"]), weight = call.tensor(kRms["weight"]);
  const DType dtype = input.dtype();
  if (!call.device.is_meta()) call.require_dtype(dtype, kFloatsAndComplexes);
  const bool wide = dtype == DType::F64 || dtype == DType::C128;
  const Tensor x = wide_operand(input);
  double eps = wide ? std::numeric_limits<double>::epsilon() : std::numeric_limits<float>::epsilon();
  if (call.has(kRms["eps"])) eps = wide ? call.real(kRms["eps"]) : float(call.real(kRms["eps"]));
  DimVec dims;
  for (size_t d = 0; d < call.ints(kRms["normalized_shape"]).size(); ++d) dims.push_back(input.dim() - 1 - int64_t(d));
  const Tensor squares = ops::mean(ops::pow(x, int64_t(2)), dims, true);
  const Tensor scale = ops::rsqrt(call_op<"aten.add_.Scalar">(squares, eps, 1));
  Tensor out = ops::mul(x, scale);
  if (weight) out = ops::mul(out, weight);
  out = ops::type_as(out, input);
  // If the input's layout is no memory format, the result is row-major.
  if (!is_contiguous(input.meta()) && suggest_memory_format(input.meta()) == MemoryFormat::Contiguous) {
    out = ops::contiguous(out);
  }
  return {out, scale};
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
  call.returns(rms_normed(call).out);
}
void fused_rms_norm(CompositeCall& call) {
  const RmsNormed made = rms_normed(call);
  call.returns(made.out);
  call.returns(made.scale);
}

constexpr Schema kBack = kFusedRmsNormBackward;
void rms_backward_rule(RuleCall& call) {
  const TensorMeta &grad = call.meta(kBack["grad_out"]), &in = call.meta(kBack["input"]),
                   &rstd = call.meta(kBack["rstd"]);
  const auto shape = call.ints(kBack["normalized_shape"]);
  call.require(grad.dim() == in.dim() && check_eq(grad.sizes, in.sizes) && !shape.empty() && is_end(shape, in.sizes),
               "C1", "grad_out must have the sizes of input, whose end is {}: they are {} and {}", shape, grad, in);
  SymInt rows = 1;
  for (size_t d = 0; d + shape.size() < in.sizes.size(); ++d) rows *= in.sizes[d];
  call.require(check_eq(rstd.numel(), rows), "C2", "rstd must have {} elements: it is {}", rows, rstd);
  call.require_dtype(in.dtype, kFloats);
  const bool weighted = call.has(kBack["weight"]);
  call.require(grad.dtype == in.dtype && (!weighted || check_eq(call.meta(kBack["weight"]).sizes, shape)), "C3",
               "grad_out must have the dtype of input, and weight the sizes {}: they are {}, {} and {}", shape, grad,
               in, weighted ? call.meta(kBack["weight"]) : in);
  const auto mask = call.list(kBack["output_mask"]);
  if (mask[0].as_bool()) {
    call.out.fresh(TensorMeta(in.dtype, in.sizes, call.device));
  } else {
    call.out.none();
  }
  if (mask[1].as_bool() && weighted) {
    call.out.fresh(TensorMeta(call.meta(kBack["weight"]).dtype, shape, call.device));
  } else {
    call.out.none();
  }
}
/// Computes the gradients. With g = gradient * weight and x' = x * rstd, the gradient of the input is rstd * (g - x' *
/// mean(g * x')).
void run_rms_backward(KernelCall& call) {
  const Tensor in = call.tensor(kBack["input"]);
  SymInt n = 1;
  for (const int64_t size : call.ints(kBack["normalized_shape"])) n *= SymInt(size);
  const SymInt rows = in.numel().as_int() == 0 ? SymInt(0) : floor_div(in.numel(), n);
  const auto mask = call.list(kBack["output_mask"]);
  const bool weighted = call.has(kBack["weight"]);
  if (rows.as_int() == 0) {
    if (mask[1].as_bool() && weighted) ops::fill_(call.outputs[1], 0);
    return;
  }
  const auto plane = [&](const Tensor& t, SymInt a, SymInt b) { return ops::reshape(wide_operand(t), DimVec{a, b}); };
  const Tensor grad = plane(call.tensor(kBack["grad_out"]), rows, n),
               scale = plane(call.tensor(kBack["rstd"]), rows, 1);
  const Tensor x = ops::mul(plane(in, rows, n), scale);
  if (mask[0].as_bool()) {
    const Tensor g = weighted ? ops::mul(grad, plane(call.tensor(kBack["weight"]), 1, n)) : grad;
    const Tensor along = ops::mean(ops::mul(g, x), DimVec{SymInt(1)}, true);
    ops::copy_(call.outputs[0], ops::reshape(ops::mul(ops::sub(g, ops::mul(x, along)), scale), in.sizes()));
  }
  if (mask[1].as_bool() && weighted) {
    const Tensor sum = ops::sum(ops::mul(grad, x), DimVec{SymInt(0)});
    ops::copy_(call.outputs[1], ops::reshape(sum, call.outputs[1].sizes()));
  }
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
  const std::string batch = "f32[2,3,4,5], f32[3], f32[3], f32[3], f32[3], True, 0.1, 1e-05";
  r.add(kBatchNormIndex)
      .with_composite(batch_norm_index)
      .sample(batch + ", False", 0.25, 2)
      .refuses("C1", "f32[2,3], None, None, None, None, False, 0.1, 1e-05, False")
      .refuses("C2", "f32[2,3], None, None, f32[4], f32[3], False, 0.1, 1e-05, False");
  r.add(kBatchNormIndexBackward)
      .with_composite(batch_norm_index_backward)
      .sample("0, f32[2,3], f32[2,3], f32[3], f32[3], f32[3], f32[3], f32[3], True, 1e-05, [True, False, True], u8[0]",
              0.25, 2)
      .sample("0, f32[0,3], f32[0,3], f32[3], None, None, f32[3], f32[3], True, 1e-05, [True, True, True], u8[0]")
      .refuses("C1", "4, f32[2,3], f32[2,3], None, None, None, None, None, True, 1e-05, [True, True, True], u8[0]");
  r.add(kBatchNormUpdated)
      .with_composite(batch_norm_updated)
      .sample("f32[2,3,4], f32[3], f32[3], f32[3], f32[3], 0.1, 1e-05", 0.25, 2);
  OpEntry& cudnn = r.add(kCudnnBatchNorm).with_composite(cudnn_batch_norm).sample(batch, 0.25, 2);
  add_written_apart(r, cudnn, "out").sample(batch + ", out0=f32[0], out1=f32[0], out2=f32[0], out3=u8[0]", 0.25, 2);
  const std::string back = "f32[2,3,4], f32[2,3,4], f32[3], f32[3], f32[3], f32[3], f32[3], 1e-05, u8[0]";
  OpEntry& cudnn_back = r.add(kCudnnBatchNormBackward).with_composite(cudnn_batch_norm_backward).sample(back, 0.25, 2);
  add_written_apart(r, cudnn_back, "out").sample(back + ", out0=f32[0], out1=f32[0], out2=f32[0]", 0.25, 2);
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
  r.add(kFusedRmsNorm)
      .with_composite(fused_rms_norm)
      .dtypes(kFloatsAndComplexes)
      .sample("f32[2,3,5], [5], f32[5], 0.5")
      .sample("bf16[2,3,5], [3, 5], None, None");
  r.add(kFusedRmsNormBackward)
      .with_rule(rms_backward_rule)
      .every_device(run_rms_backward)
      .dtypes(kFloats)
      .sample("f32[2,3,5], f32[2,3,5], [5], f32[2,3,1], f32[5], [True, True]")
      .sample("bf16[2,6], bf16[2,6]{1,2}, [6], f32[2,1], None, [True, True]")
      .refuses("C1", "f32[2,3], f32[2,3], [2], f32[2,1], None, [True, True]")
      .refuses("C2", "f32[2,3], f32[2,3], [3], f32[3,1], None, [True, True]")
      .refuses("C3", "f64[2,3], f32[2,3], [3], f32[2,1], None, [True, True]");
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
