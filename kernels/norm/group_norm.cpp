#include "kernels/norm/group_norm.h"

#include "kernels/norm/norm_rule.h"
#include "runtime/op/device_tag.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_group_norm {

Kernel run_cpu;

namespace {

void rule(RuleCall& call) {
  const TensorMeta& in = call.meta(kNativeGroupNorm["input"]);
  const SymInt n = call.sym(kNativeGroupNorm["N"]), c = call.sym(kNativeGroupNorm["C"]),
               points = call.sym(kNativeGroupNorm["HxW"]);
  const int64_t group = call.integer(kNativeGroupNorm["group"]);
  call.require(group > 0 && check_gt(c, 0) && check_eq(floor_mod(c, group), 0), "C1",
               "group must be positive and divide the channels: group is {}, C is {}", group, c);
  for (Position i : {kNativeGroupNorm["weight"], kNativeGroupNorm["bias"]}) {
    call.require(!call.has(i) || (call.meta(i).dim() == 1 && check_eq(call.meta(i).sizes[0], c)), "C2",
                 "{} must be 1-d with {} elements, it is {}", call.op.schema.arguments[i].name, c,
                 call.has(i) ? call.meta(i) : in);
  }
  const auto require_count = [&](bool fits) {
    call.require(fits, "C4",
                 "N, C and HxW must multiply to the input's element count: input is {}, they are {}, {} and {}", in, n,
                 c, points);
  };
  require_count(check_ge(n, 0) && check_gt(points, 0));
  const bool nothing = size_eq(n, 0) || size_eq(in.numel(), 0);
  // If nothing is computed and the weight has the input's dtype, ATen does not check the bias.
  const bool weight_fits =
      nothing && call.has(kNativeGroupNorm["weight"]) && call.meta(kNativeGroupNorm["weight"]).dtype == in.dtype;
  const DType statistics =
      weight_fits
          ? in.dtype
          : mixed_statistics_dtype(call, in.dtype, {kNativeGroupNorm["weight"], kNativeGroupNorm["bias"]}, "C3");
  if (call.device.is_cpu() && !size_eq(n, 0)) call.require_dtype_first(in.dtype, kFloats);
  require_count(size_eq(n, 0) || check_eq(in.numel(), n * c * points));  // ATen's loop checks the count after the dtype
  if (!nothing && !call.device.is_meta()) call.require_dtype(in.dtype, kFloats);
  TensorMeta& out = call.out.fresh(TensorMeta());
  out.dtype = in.dtype;
  out.device = call.device;
  out.sizes = in.sizes;
  out.strides = call.device.is_cuda() ? contiguous_strides(in.sizes) : strides_for(in.sizes, suggest_memory_format(in));
  const SymInt sizes[] = {n, group};
  for (int i = 0; i < 2; ++i) call.out.fresh(TensorMeta(statistics, sizes, call.device));
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& op = r.add(kNativeGroupNorm)
                    .tag(Tag::Core | kSavedByDevice)
                    .with_rule(rule)
                    .cpu(run_cpu)
                    .dtypes(kFloats)
                    .sample("f32[2,6,5,3], f32[6], f32[6], 2, 6, 15, 2, 1e-05")
                    .sample("f64[2,6,5,3]{90,1,18,6}, None, None, 2, 6, 15, 3, 1e-05")
                    .sample("bf16[1,4,3], f32[4], f32[4], 1, 4, 3, 1, 1e-05")
                    .refuses("C1", "f32[2,6,3], None, None, 2, 6, 3, 4, 1e-05")
                    .refuses("C2", "f32[2,6,3], f32[5], None, 2, 6, 3, 2, 1e-05")
                    .refuses("C3", "f32[2,6,3], f64[6], None, 2, 6, 3, 2, 1e-05")
                    .refuses("C4", "f32[2,6,3], None, None, 2, 6, 4, 2, 1e-05");
  r.add_out(op, "out", kGeneratedForm);
}

}  // namespace ersatz::op_group_norm
