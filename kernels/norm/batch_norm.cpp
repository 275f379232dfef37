#include "kernels/norm/batch_norm.h"

#include "kernels/norm/cudnn_batch_norm.h"
#include "kernels/norm/norm_rule.h"
#include "kernels/own_dtype.h"
#include "runtime/op/derived.h"
#include "runtime/op/device_tag.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_batch_norm {

Kernel run_inference_cpu, run_legit_cpu, run_no_stats_cpu, run_functional_cpu, run_with_update_cpu, run_no_update_cpu;

namespace {

using Positions = std::initializer_list<Position>;

/// True if ATen runs its CPU loop for dense tensors, which reads element c of each parameter by address. ATen's other
/// loop broadcasts the parameters.
bool runs_dense(const RuleCall& call, Positions parameters) {
  bool dense = is_dense(call.meta(kEach["input"]));
  for (Position p : parameters) dense = dense && (!call.has(p) || is_contiguous(call.meta(p)));
  return dense;
}

/// Raises [C3] unless argument i, a weight, bias or running statistic, has an element for each channel.
void require_parameter(const RuleCall& call, size_t i, bool dense, bool training) {
  if (!call.has(i)) return;
  const TensorMeta &in = call.meta(kEach["input"]), &p = call.meta(i);
  const SymInt channels = in.sizes[1], n = p.numel();
  const bool affine = i <= 2, vector = p.dim() == 1, none = affine && size_eq(n, 0);
  bool fits = false;
  if (call.device.is_cuda()) {
    // ATen treats an empty weight or bias on CUDA like None.
    fits = vector && (none || check_eq(n, channels));
  } else if (dense) {
    // ATen's dense loop accepts more elements than channels, and a weight or bias of any rank. It reads nothing if the
    // input is empty.
    fits = (affine || vector) && (none || check_ge(n, channels));
    fits = fits || size_eq(in.numel(), 0);
  } else if (affine || !training) {
    fits = vector && stretches_to(n, channels);
  } else {
    fits = vector && check_ge(n, channels);
  }
  call.require(fits, "C3", "{} must be 1-d with an element per channel ({}), it is {}",
               call.op.schema.arguments[i].name, channels, p);
}

/// Raises [C1] if the input has no dim 1. ATen reads the size of dim 1, which raises an IndexError, or a RuntimeError
/// if `none` is true.
void require_channels(const RuleCall& call, bool none) {
  const TensorMeta& in = call.meta(kEach["input"]);
  if (in.dim() >= 2) return;
  call.refuse(none ? ErrorFamily::Runtime : ErrorFamily::Index, "C1", "input must have at least two dims, it is {}",
              in);
}

/// Checks the dtype of running_var. For strided images in inference, ATen computes the root of the variance by a
/// separate operator, which converts integers to float.
void require_variance(const RuleCall& call, Position variance, DType statistics) {
  const DType t = call.meta(variance).dtype, root = is_integral(t) ? call.context.default_dtype : t;
  if (!is_integral(t)) call.require_dtype(t, kFloatsAndComplexes);
  call.require(root == statistics, "C2", "the root of running_var has dtype {}, and the other statistics have {}",
               name(root), name(statistics));
}

/// Adds the results to the call. `placed` are the parameters that ATen's dense loop reads by address.
void add_outputs(RuleCall& call, Positions parameters, bool training, Positions placed) {
  const TensorMeta& in = call.meta(kEach["input"]);
  // In training, ATen checks the channels before the dtype. In inference, ATen checks the dtype first.
  if (training) require_channels(call, in.dim() == 0);
  if (!call.device.is_meta()) call.require_dtype(in.dtype, kFloats);
  require_channels(call, in.dim() == 0);
  const SymInt channels = in.sizes[1];
  const bool dense = runs_dense(call, placed);
  const bool empty = size_eq(in.numel(), 0);
  const bool apart = !training && (!dense || empty) && call.device.is_cpu() && parameters.size() == 4 &&
                     call.has(parameters.begin()[3]);
  const DType statistics = norm_statistics_dtype(
      call, in.dtype,
      apart ? Positions{parameters.begin()[0], parameters.begin()[1], parameters.begin()[2]} : parameters, "C2");
  if (apart && !empty) require_variance(call, parameters.begin()[3], statistics);
  for (Position p : parameters) require_parameter(call, p, dense, training);
  if (training) {
    call.require(check_ne(in.numel(), 0), "C4", "training needs at least one element per channel: input is {}", in);
  }
  TensorMeta& out = call.out.fresh(in);
  out.offset = 0;
  out.requires_grad = out.conj = out.neg = false;
  if (call.device.is_cuda()) {
    out.strides = preserved_strides(in.sizes, in.strides);
  } else {
    out.strides = strides_for(in.sizes, dense ? output_format(in) : suggest_memory_format(in));
  }
  const SymInt saved = training || call.device.is_cuda() ? channels : SymInt(0);
  const SymInt one = 1;
  for (int i = 0; i < 2; ++i) {
    call.out.fresh(TensorMeta(statistics, std::span(&saved, 1), std::span(&one, 1), call.device));
  }
}

void add_outputs(RuleCall& call, Positions parameters, bool training) {
  add_outputs(call, parameters, training, parameters);
}

void no_training_rule(RuleCall& call) {
  add_outputs(call,
              {kNativeBatchNormLegitNoTraining["weight"], kNativeBatchNormLegitNoTraining["bias"],
               kNativeBatchNormLegitNoTraining["running_mean"], kNativeBatchNormLegitNoTraining["running_var"]},
              false);
}

void legit_rule(RuleCall& call) {
  static constexpr Schemas kArgs{kNativeBatchNormLegit, kNativeBatchNormLegitOut};
  add_outputs(call, {kArgs["weight"], kArgs["bias"], kArgs["running_mean"], kArgs["running_var"]},
              call.boolean(kArgs["training"]));
}

void no_stats_rule(RuleCall& call) {
  if (!call.boolean(kNativeBatchNormLegitNoStats["training"]))
    call.refuse(ErrorFamily::Value, "C5", "inference needs running statistics");
  add_outputs(call, {kNativeBatchNormLegitNoStats["weight"], kNativeBatchNormLegitNoStats["bias"]}, true);
}

void require_statistics_together(const RuleCall& call) {
  static constexpr Schemas kArgs{kNativeBatchNorm, kNativeBatchNormOut};
  if (call.has(kArgs["running_mean"]) != call.has(kArgs["running_var"]))
    call.refuse(ErrorFamily::Value, "C5", "running_mean and running_var must both be given or both be left out");
}

void native_rule(RuleCall& call) {
  static constexpr Schemas kArgs{kNativeBatchNorm, kNativeBatchNormOut};
  const bool training = call.boolean(kArgs["training"]);
  if (training && !call.device.is_cuda()) require_channels(call, call.meta(kArgs["input"]).dim() == 0);
  require_statistics_together(call);
  if (!training && !call.has(kArgs["running_mean"]))
    call.refuse(ErrorFamily::Value, "C5", "inference needs running_mean and running_var");
  add_outputs(call, {kArgs["weight"], kArgs["bias"], kArgs["running_mean"], kArgs["running_var"]}, training);
  if (training && call.has(kArgs["running_mean"])) {
    call.out.also_written.push_back(call.tensor(kArgs["running_mean"]));
    call.out.also_written.push_back(call.tensor(kArgs["running_var"]));
  }
}

/// Adds the new running statistics as results, because the functional overload does not change its arguments.
void functional_rule(RuleCall& call) {
  add_outputs(call,
              {kNativeBatchNormLegitFunctional["weight"], kNativeBatchNormLegitFunctional["bias"],
               kNativeBatchNormLegitFunctional["running_mean"], kNativeBatchNormLegitFunctional["running_var"]},
              call.boolean(kNativeBatchNormLegitFunctional["training"]),
              {kNativeBatchNormLegitFunctional["weight"], kNativeBatchNormLegitFunctional["bias"]});
  for (Position i : {kNativeBatchNormLegitFunctional["running_mean"], kNativeBatchNormLegitFunctional["running_var"]}) {
    const TensorMeta& from = call.meta(i);
    TensorMeta& out = call.out.fresh(TensorMeta(from.dtype, from.sizes, call.device));
    out.strides = preserved_strides(from.sizes, from.strides);
  }
}

/// Adds the result `reserve`, which is empty, because only cuDNN would write data to it.
void add_reserve(RuleCall& call) {
  const SymInt none = 0;
  call.out.fresh(TensorMeta(DType::U8, std::span(&none, 1), call.device));
}

void with_update_rule(RuleCall& call) {
  // _batch_norm_with_update passes the input to cuDNN unchanged. at::batch_norm first makes the input dense.
  const TensorMeta& in = call.meta(kUpdating["input"]);
  const bool cudnn = cudnn_takes(call, true, call.real(kUpdating["eps"]));
  call.require(!cudnn || is_contiguous(in, suggest_memory_format(in)), "C6",
               "cuDNN wants an input that is dense, row-major or channels-last: it is {}", in);
  for (Position i : {kUpdating["weight"], kUpdating["bias"]}) {
    call.require(!cudnn || check_eq(call.meta(i).numel(), in.sizes[1]), "C3",
                 "cuDNN wants an element of {} for each channel: it is {}, input is {}",
                 call.op.schema.arguments[i].name, cudnn ? call.meta(i) : in, in);
  }
  add_outputs(call, {kUpdating["weight"], kUpdating["bias"], kUpdating["running_mean"], kUpdating["running_var"]},
              true);
  add_reserve(call);
}

void no_update_rule(RuleCall& call) {
  call.require(!call.device.is_cuda(), "C7", "there is none on CUDA, native_batch_norm is: input is {}",
               call.meta(kBatchNormNoUpdate["input"]));
  if (!call.has(kBatchNormNoUpdate["running_mean"]) || !call.has(kBatchNormNoUpdate["running_var"]))
    call.refuse(ErrorFamily::Value, "C5", "running statistics are needed");
  add_outputs(call,
              {kBatchNormNoUpdate["weight"], kBatchNormNoUpdate["bias"], kBatchNormNoUpdate["running_mean"],
               kBatchNormNoUpdate["running_var"]},
              false);
  add_reserve(call);
}

/// Computes the result metadata of out= overloads. The written arguments begin at `first`: the result, then the two
/// saved statistics. In inference on the CPU, ATen does not write the statistics. ATen's loop for dense tensors still
/// requires 1-d statistics, and does not check for shared memory. On CUDA, ATen always writes the statistics, and a
/// resized result gets the input's layout.
void answer_outs(RuleCall& call, Position first, bool training, Rule functional) {
  require_channels(call, false);
  RuleResult results;
  RuleCall inner = call.with(call.args.first(first), results);
  functional(inner);
  const TensorMeta& written = call.meta(first);
  TensorMeta& out = results.outputs[0].meta;
  if (!call.device.is_cuda()) out.strides = contiguous_strides(out.sizes);
  static constexpr Schemas kArgs{kNativeBatchNormOut, kNativeBatchNormLegitOut, kBatchNormWithUpdateOut};
  const Positions parameters{kArgs["weight"], kArgs["bias"], kArgs["running_mean"], kArgs["running_var"]};
  const bool dense = runs_dense(call, parameters) && (!same_sizes(written.sizes, out.sizes) || is_dense(written));
  if (!dense && call.device.is_cpu()) {
    for (Position p : parameters) require_parameter(call, p, dense, training);
  }
  answer_out(call, out, first, WrittenForm{.may_overlap = dense});
  for (size_t i = 1; i < 3; ++i) {
    const TensorMeta &saved = call.meta(first + i), &result = results.outputs[i].meta;
    if (training || call.device.is_cuda()) {
      answer_out(call, result, first + i, WrittenForm{.may_overlap = true});
      continue;
    }
    const std::string& name = call.op.schema.arguments[first + i].name;
    if (dense) require_own_dtype(call, first + i, result.dtype);
    call.require(saved.dim() == 1 || !dense, "C3", "{} must be 1-d beside a dense input, it is {}", name, saved);
    call.out.same(call.tensor(first + i));
  }
  for (TensorImpl* t : results.also_written) call.out.also_written.push_back(t);
}

/// On the CPU, ATen derives _native_batch_norm_legit.no_stats_out from the functional overload. On CUDA it has a
/// kernel.
void no_stats_out_rule(RuleCall& call) {
  derived_out_rule(call);
  OutputSpec& out = call.out.outputs[0];
  const TensorMeta& in = call.meta(kEach["input"]);
  if (call.device.is_cuda() && out.metadata_changed) out.meta.strides = preserved_strides(in.sizes, in.strides);
}

void native_out_rule(RuleCall& call) {
  require_statistics_together(call);
  answer_outs(call, kNativeBatchNormOut["out"], call.boolean(kNativeBatchNormOut["training"]), native_rule);
}

void legit_out_rule(RuleCall& call) {
  answer_outs(call, kNativeBatchNormLegitOut["out"], call.boolean(kNativeBatchNormLegitOut["training"]), legit_rule);
}

void with_update_out_rule(RuleCall& call) {
  answer_outs(call, kBatchNormWithUpdateOut["out"], true, with_update_rule);
  call.out.same(call.tensor(kBatchNormWithUpdateOut["reserve"]));
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& inference = r.add(kNativeBatchNormLegitNoTraining)
                           .tag(Tag::Core | kSavedByDevice)
                           .with_rule(no_training_rule)
                           .cpu(run_inference_cpu)
                           .dtypes(kFloats)
                           .sample("f32[2,3,4,5], f32[3], f32[3], f32[3], f32[3], 0.1, 1e-05", 0.25, 2)
                           .sample("f32[2,3,4,5]{60,1,15,3}, None, None, f32[3], f32[3], 0.1, 1e-05", 0.25, 2)
                           .sample("bf16[2,3], f32[3], f32[3], f32[3], f32[3], 0.1, 1e-05", 0.25, 2)
                           .refuses("C1", "f32[3], f32[3], f32[3], f32[3], f32[3], 0.1, 1e-05")
                           .refuses("C2", "f32[2,3], f64[3], f32[3], f32[3], f32[3], 0.1, 1e-05")
                           .refuses("C3", "f32[2,3], f32[3], f32[3], f32[2], f32[3], 0.1, 1e-05");
  r.add_out(inference, "out", kGeneratedForm);

  r.add(kNativeBatchNormLegit)
      .tag(Tag::Core | kSavedByDevice)
      .with_rule(legit_rule)
      .cpu(run_legit_cpu)
      .dtypes(kFloats)
      .sample("f32[2,3,4,5], f32[3], f32[3], f32[3], f32[3], True, 0.1, 1e-05", 0.25, 2)
      .sample("f64[2,3,4], None, None, f64[3], f64[3], False, 0.1, 1e-05", 0.25, 2)
      .refuses("C1", "f32[3], f32[3], f32[3], f32[3], f32[3], True, 0.1, 1e-05")
      .refuses("C2", "f32[2,3], f64[3], f32[3], f32[3], f32[3], True, 0.1, 1e-05")
      .refuses("C3", "f32[2,3], f32[3], f32[3], f32[2], f32[3], True, 0.1, 1e-05")
      .refuses("C4", "f32[0,3], f32[3], f32[3], f32[3], f32[3], True, 0.1, 1e-05");

  OpEntry& no_stats = r.add(kNativeBatchNormLegitNoStats)
                          .tag(Tag::Core | kSavedByDevice)
                          .with_rule(no_stats_rule)
                          .cpu(run_no_stats_cpu)
                          .dtypes(kFloats)
                          .sample("f32[2,3,4,5], f32[3], f32[3], True, 0.1, 1e-05")
                          .sample("f64[4,3]{1,4}, None, None, True, 0.1, 1e-05")
                          .refuses("C1", "f32[3], f32[3], f32[3], True, 0.1, 1e-05")
                          .refuses("C2", "f32[2,3], f64[3], f32[3], True, 0.1, 1e-05")
                          .refuses("C3", "f32[2,3], f32[2], f32[3], True, 0.1, 1e-05")
                          .refuses("C4", "f32[0,3], f32[3], f32[3], True, 0.1, 1e-05")
                          .refuses("C5", "f32[2,3], f32[3], f32[3], False, 0.1, 1e-05");
  r.add_out(no_stats, "no_stats_out", kGeneratedForm, {"out", "save_mean", "save_invstd"}).with_rule(no_stats_out_rule);

  r.add(kNativeBatchNorm)
      .tag(kSavedByDevice)
      .with_rule(native_rule)
      .cpu(run_legit_cpu)
      .dtypes(kFloats)
      .sample("f32[2,3,4,5], f32[3], f32[3], f32[3], f32[3], True, 0.1, 1e-05", 0.25, 2)
      .sample("f32[2,3,4,5], f32[3], f32[3], None, None, True, 0.1, 1e-05", 0.25, 2)
      .refuses("C1", "f32[3], f32[3], f32[3], f32[3], f32[3], True, 0.1, 1e-05")
      .refuses("C2", "f32[2,3], f64[3], f32[3], f32[3], f32[3], True, 0.1, 1e-05")
      .refuses("C3", "f32[2,3], f32[3], f32[3], f32[2], f32[3], True, 0.1, 1e-05")
      .refuses("C4", "f32[0,3], f32[3], f32[3], f32[3], f32[3], True, 0.1, 1e-05")
      .refuses("C5", "f32[2,3], f32[3], f32[3], f32[3], None, True, 0.1, 1e-05");

  r.add(kNativeBatchNormOut)
      .tag(kSavedByDevice)
      .with_rule(native_out_rule)
      .cpu(run_legit_cpu)
      .dtypes(kFloats)
      .sample(
          "f32[2,3,4], f32[3], f32[3], f32[3], f32[3], True, 0.1, 1e-05, out=f32[2,3,4], save_mean=f32[3], "
          "save_invstd=f32[3]",
          0.25, 2)
      .refuses("C3",
               "f32[2,3], f32[3], f32[3], f32[3], f32[3], False, 0.1, 1e-05, out=f32[2,3], save_mean=f32[3,1], "
               "save_invstd=f32[3]");
  r.add(kNativeBatchNormLegitOut)
      .tag(kSavedByDevice)
      .with_rule(legit_out_rule)
      .cpu(run_legit_cpu)
      .dtypes(kFloats)
      .sample(
          "f32[2,3,4], f32[3], f32[3], f32[3], f32[3], True, 0.1, 1e-05, out=f32[2,3,4], save_mean=f32[3], "
          "save_invstd=f32[3]",
          0.25, 2);

  r.add(kNativeBatchNormLegitFunctional)
      .tag(kSavedByDevice)
      .with_rule(functional_rule)
      .cpu(run_functional_cpu)
      .dtypes(kFloats)
      .sample("f32[2,3,4,5], f32[3], f32[3], f32[3], f32[3], True, 0.1, 1e-05", 0.25, 2)
      .sample("f64[2,3,4], None, None, f64[3], f64[3], False, 0.1, 1e-05", 0.25, 2)
      .refuses("C1", "f32[3], f32[3], f32[3], f32[3], f32[3], True, 0.1, 1e-05");

  r.add(kBatchNormWithUpdate)
      .tag(kSavedByDevice)
      .with_rule(with_update_rule)
      .cpu(run_with_update_cpu)
      .dtypes(kFloats)
      .sample("f32[2,3,4,5], f32[3], f32[3], f32[3], f32[3], 0.1, 1e-05", 0.25, 2)
      .refuses("C4", "f32[0,3], f32[3], f32[3], f32[3], f32[3], 0.1, 1e-05");
  r.add(kBatchNormWithUpdateOut)
      .tag(kSavedByDevice)
      .with_rule(with_update_out_rule)
      .cpu(run_with_update_cpu)
      .dtypes(kFloats)
      .sample(
          "f32[2,3,4], f32[3], f32[3], f32[3], f32[3], 0.1, 1e-05, out=f32[2,3,4], save_mean=f32[3], "
          "save_invstd=f32[3], reserve=u8[0]",
          0.25, 2);

  OpEntry& no_update = r.add(kBatchNormNoUpdate)
                           .tag(kSavedByDevice)
                           .with_rule(no_update_rule)
                           .cpu(run_no_update_cpu)
                           .dtypes(kFloats)
                           .sample("f32[2,3,4,5], f32[3], f32[3], f32[3], f32[3], 0.1, 1e-05", 0.25, 2)
                           .refuses("C5", "f32[2,3], f32[3], f32[3], f32[3], None, 0.1, 1e-05");
  r.add_out(no_update, "out", kGeneratedForm);
}

}  // namespace ersatz::op_batch_norm
