#include "kernels/pooling/adaptive_avg_pool2d.h"

#include "kernels/pooling/pooled_form.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_adaptive_avg_pool2d {

Kernel run_cpu;

namespace {

void rule(RuleCall& call) {
  const TensorMeta& in = call.meta(kAdaptiveAvgPool2dKernel["self"]);
  const auto size = call.ints(kAdaptiveAvgPool2dKernel["output_size"]);
  call.require(size.size() == 2 && check_ge(size[0], 0) && check_ge(size[1], 0), "C1",
               "output_size must be two sizes that are not negative, it is {}", size);
  const size_t rank = in.sizes.size();
  call.require((rank == 3 || rank == 4) && size_ne(in.sizes[rank - 2], 0) && size_ne(in.sizes[rank - 1], 0), "C2",
               "input must be 3-d or 4-d with a height and a width that are not empty, it is {}", in);
  TensorMeta& out = call.out.fresh(TensorMeta());
  out.dtype = in.dtype;
  out.device = call.device;
  out.sizes = in.sizes;
  out.sizes[rank - 2] = size[0];
  out.sizes[rank - 1] = size[1];
  out.strides = rank == 4 ? strides_for(out.sizes, suggest_memory_format(in)) : contiguous_strides(out.sizes);
  if (!kFloats.has(in.dtype) && !call.device.is_meta()) [[unlikely]] {
    call.require_dtype(in.dtype, size_ne(out.numel(), 0) ? kFloats : kEveryDType);
  }
}

void pool(CompositeCall& call) { average_adaptively(call, 2, op_entry<"aten._adaptive_avg_pool2d.default">()); }

}  // namespace

void register_ops(Registry& r) {
  OpEntry& op = r.add(kAdaptiveAvgPool2dKernel)
                    .tag(Tag::Core)
                    .with_rule(rule)
                    .cpu(run_cpu)
                    .dtypes(kFloats)
                    .sample("f32[2,3,7,8], [3, 5]")
                    .sample("f32[2,3,7,8]{168,1,24,3}, [1, 1]")
                    .sample("bf16[3,4,4], [6, 2]")
                    .refuses("C1", "f32[2,3,7,8], [3, -1]")
                    .refuses("C2", "f32[7,8], [2, 2]");
  r.add_out(op, "out", kGeneratedForm);
  r.add(kAdaptiveAvgPool2d)
      .with_composite(pool)
      .dtypes(kFloats)
      .sample("f32[2,3,7,8], [3, 5]")
      .sample("f32[2,3,7,8]{168,1,24,3}, [1, 1]")
      .refuses("C1", "f32[2,3,7,8], [3]");
  // For an input with a batch, ATen gives `out` the result's strides even if `out` already has the result's sizes.
  constexpr WrittenForm form{.may_overlap = true, .own_elements = true, .anew_of_rank = 4};
  add_average_out(r, kAdaptiveAvgPool2dOut, op, form).sample("f32[2,3,7,8], [3, 5], out=f32[2,3,3,5]");
}

}  // namespace ersatz::op_adaptive_avg_pool2d
