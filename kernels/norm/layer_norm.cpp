#include "kernels/norm/layer_norm.h"

#include "kernels/norm/norm_rule.h"
#include "runtime/op/device_tag.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_layer_norm {

Kernel run_cpu;

namespace {

void rule(RuleCall& call) {
  const TensorMeta& in = call.meta(kNativeLayerNorm["input"]);
  const std::span<const SymInt> shape = call.ints(kNativeLayerNorm["normalized_shape"]);
  const size_t rank = in.sizes.size();
  call.require(!shape.empty() && rank >= shape.size() &&
                   check_eq(std::span<const SymInt>(in.sizes).subspan(rank - shape.size()), shape),
               "C1", "input must end in the sizes normalized_shape: input is {}, normalized_shape is {}", in, shape);
  for (Position i : {kNativeLayerNorm["weight"], kNativeLayerNorm["bias"]}) {
    call.require(!call.has(i) || check_eq(call.meta(i).sizes, shape), "C2",
                 "{} must have the sizes normalized_shape: it is {}, normalized_shape is {}",
                 call.op.schema.arguments[i].name, call.has(i) ? call.meta(i) : in, shape);
  }
  const DType statistics =
      norm_statistics_dtype(call, in.dtype, {kNativeLayerNorm["weight"], kNativeLayerNorm["bias"]}, "C3");
  if (!kFloats.has(in.dtype) && !call.device.is_meta()) [[unlikely]]
    call.require_dtype(in.dtype, kFloats);
  call.out.fresh(TensorMeta(in.dtype, in.sizes, call.device));
  TensorMeta& mean = call.out.fresh(TensorMeta());
  mean.dtype = statistics;
  mean.device = call.device;
  mean.sizes = in.sizes;
  for (size_t d = rank - shape.size(); d < rank; ++d) mean.sizes[d] = 1;
  mean.strides = contiguous_strides(mean.sizes);
  call.out.fresh(TensorMeta(call.out.outputs[1].meta));
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& op = r.add(kNativeLayerNorm)
                    .tag(Tag::Core | kSavedByDevice)
                    .with_rule(rule)
                    .cpu(run_cpu)
                    .dtypes(kFloats)
                    .sample("f32[2,3,5], [5], f32[5], f32[5], 1e-05")
                    .sample("f64[2,3,5]{1,10,2}, [3, 5], f64[3,5], None, 1e-05")
                    .sample("bf16[4,7], [7], f32[7], f32[7], 1e-05")
                    .sample("f32[0,3], [3], None, None, 1e-05")
                    .refuses("C1", "f32[2,3], [2], None, None, 1e-05")
                    .refuses("C2", "f32[2,3], [3], f32[2], None, 1e-05")
                    .refuses("C3", "f32[2,3], [3], f64[3], None, 1e-05");
  r.add_out(op, "out", kGeneratedForm);
}

}  // namespace ersatz::op_layer_norm
