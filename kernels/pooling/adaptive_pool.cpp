#include "kernels/pooling/adaptive_pool.h"

#include "kernels/pooling/pooled_form.h"
#include "kernels/shape/squeeze.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_adaptive_pool {

Kernel run_average_cpu, run_max2d_cpu, run_max3d_cpu;

namespace {

/// Checks input and output_size. Returns the metadata of the output, with row-major strides.
TensorMeta pooled(const RuleCall& call, size_t spatial) {
  const TensorMeta& in = call.meta(kWithKernels["self"]);
  const auto size = call.ints(kWithKernels["output_size"]);
  bool fits = size.size() == spatial;
  for (SymInt s : size) fits = fits && size_ge(s, 0);
  call.require(fits, "C1", "output_size must be {} sizes that are not negative, it is {}", spatial, size);
  bool filled = in.sizes.size() == spatial + 1 || in.sizes.size() == spatial + 2;
  for (size_t d = 1; filled && d < in.sizes.size(); ++d) filled = size_ne(in.sizes[d], 0);
  call.require(filled, "C2", "input must be {}-d or {}-d with no empty dim but the first, it is {}", spatial + 1,
               spatial + 2, in);
  DimVec sizes = in.sizes;
  for (size_t d = 0; d < spatial; ++d) sizes[sizes.size() - spatial + d] = size[d];
  return TensorMeta(in.dtype, sizes, call.device);
}

void require_kernel(const RuleCall& call) {
  if (!call.device.is_meta()) call.require_dtype(call.meta(kWithKernels["self"]).dtype, kFloats);
}

void average_rule(RuleCall& call) {
  call.out.fresh(pooled(call, 3));
  require_kernel(call);
}

template <size_t kSpatial>
void max_rule(RuleCall& call) {
  TensorMeta out = pooled(call, kSpatial);
  if (kSpatial == 2 && out.dim() == 4)
    out.strides = strides_for(out.sizes, suggest_memory_format(call.meta(kMaxima["self"])));
  call.out.fresh(out);
  out.dtype = DType::I64;
  call.out.fresh(std::move(out));
  require_kernel(call);
}

void adaptive_avg_pool3d(CompositeCall& call) {
  average_adaptively(call, 3, op_entry<"aten._adaptive_avg_pool3d.default">());
}

void adaptive_max_pool1d(CompositeCall& call) {
  const Tensor self = call.tensor(kAdaptiveMaxPool1d["self"]);
  const auto size = call.ints(kAdaptiveMaxPool1d["output_size"]);
  call.require(self.dim() == 2 || self.dim() == 3, "C2", "input must be 2-d, or 3-d with a batch, it is {}",
               self.meta());
  call.require(size.size() == 1, "C1", "output_size must be one int, it is {}", size);
  const SymInt image[] = {1, size[0]};
  auto [out, indices] = ops::adaptive_max_pool(ops::unsqueeze(self, -2), image);
  const Tensor places = ops::squeeze(indices, -2);  // squeezes indices before values, like ATen
  call.returns(ops::squeeze(out, -2));
  call.returns(places);
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& average = r.add(kAdaptiveAvgPool3dKernel)
                         .tag(Tag::Core)
                         .with_rule(average_rule)
                         .cpu(run_average_cpu)
                         .dtypes(kFloats)
                         .sample("f32[2,3,4,7,8], [2, 3, 5]")
                         .sample("bf16[3,4,4,4], [1, 6, 2]")
                         .refuses("C1", "f32[2,3,4,7,8], [2, 3]")
                         .refuses("C2", "f32[4,7,8], [2, 2, 2]");
  r.add_out(average, "out", kGeneratedForm);
  r.add(kAdaptiveAvgPool3d)
      .with_composite(adaptive_avg_pool3d)
      .dtypes(kFloats)
      .sample("f32[2,3,4,7,8], [2, 3, 5]")
      .sample("f32[2,3,4,5,6]{360,1,90,18,3}, [1, 1, 1]")
      .refuses("C1", "f32[2,3,4,7,8], [2, 3]");
  add_average_out(r, kAdaptiveAvgPool3dOut, average, kPooledForm)
      .sample("f32[2,3,4,7,8], [2, 3, 5], out=f32[2,3,2,3,5]");

  OpEntry& max2d = r.add(kAdaptiveMaxPool2d)
                       .with_rule(max_rule<2>)
                       .cpu(run_max2d_cpu)
                       .dtypes(kFloats)
                       .sample("f32[2,3,7,8], [3, 5]")
                       .sample("f32[2,3,7,8]{168,1,24,3}, [1, 2]")
                       .refuses("C1", "f32[2,3,7,8], [3]")
                       .refuses("C2", "f32[2,0,7,8], [2, 2]");
  r.add_out(max2d, "out", kPooledImageForm, {"out", "indices"});
  OpEntry& max3d = r.add(kAdaptiveMaxPool3d)
                       .with_rule(max_rule<3>)
                       .cpu(run_max3d_cpu)
                       .dtypes(kFloats)
                       .sample("f32[2,3,4,7,8], [2, 3, 5]")
                       .refuses("C1", "f32[2,3,4,7,8], [3]")
                       .refuses("C2", "f32[4,7,8], [2, 2, 2]");
  r.add_out(max3d, "out", kPooledForm, {"out", "indices"});
  r.add(kAdaptiveMaxPool1d)
      .with_composite(adaptive_max_pool1d)
      .dtypes(kFloats)
      .sample("f32[2,3,7], [3]")
      .refuses("C1", "f32[2,3,7], [3, 3]")
      .refuses("C2", "f32[7], [3]");
}

}  // namespace ersatz::op_adaptive_pool

namespace ersatz::ops {

std::pair<Tensor, Tensor> adaptive_max_pool(const Tensor& self, std::span<const SymInt> output_size) {
  const OpEntry& op = output_size.size() == 1   ? op_entry<"aten.adaptive_max_pool1d.default">()
                      : output_size.size() == 2 ? op_entry<"aten.adaptive_max_pool2d.default">()
                                                : op_entry<"aten.adaptive_max_pool3d.default">();
  Values v = call_op_all(op, self, output_size);
  return {v[0].tensor(), v[1].tensor()};
}

}  // namespace ersatz::ops
