#include "kernels/shape/border_pad.h"

#include "kernels/kernel_dtype.h"
#include "kernels/no_flops.h"
#include "kernels/shape/border_sizes.h"
#include "runtime/op/derived.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_border_pad {

Kernel reflect_cpu, replicate_cpu;

namespace {

template <int kSpatial, bool kReflect>
void rule(RuleCall& call) {
  const TensorMeta& in = call.meta(kBorderPad["self"]);
  TensorMeta out(in.dtype, std::span<const SymInt>(), in.device);
  out.sizes = padded_sizes(call, in, call.ints(kBorderPad["padding"]), kSpatial, kReflect, Channels::Some);
  // CUDA's kernels have no channels-last results.
  const bool row_major = kSpatial == 1 || call.device.is_cuda();
  out.strides = row_major ? contiguous_strides(out.sizes) : strides_for(out.sizes, suggest_memory_format(in));
  require_kernel_dtype(call, in.dtype, call.out.fresh(std::move(out)));
}

/// On the CPU, PyTorch sets the strides of `out` even if its sizes fit already, except for unbatched reflection_pad2d.
template <int kSpatial, bool kReflect>
void restrided_out_rule(RuleCall& call) {
  derived_out_rule(call);
  const TensorMeta& in = call.meta(kBorderPad["self"]);
  if (call.device.is_cuda() || (kReflect && kSpatial == 2 && in.dim() == 3)) return;
  OutputSpec& out = call.out.outputs[0];
  out.meta.strides = strides_for(out.meta.sizes, suggest_memory_format(in));
  out.metadata_changed = true;
}

template <int kSpatial, bool kReflect>
void add_op(Registry& r) {
  const std::string name = fmt::format("{}_pad{}d", kReflect ? "reflection" : "replication", kSpatial);
  const std::string image = kSpatial == 1 ? "4" : kSpatial == 2 ? "4,5" : "4,5,3";
  const std::string zeros = kSpatial == 1 ? "]" : kSpatial == 2 ? ", 2, 0]" : ", 2, 0, 1, 2]";
  OpEntry& op = r.add(kBorderPad.with(name, 2 * kSpatial))
                    .with_rule(rule<kSpatial, kReflect>)
                    .cpu(kReflect ? reflect_cpu : replicate_cpu)
                    .count_flops(no_flops)
                    .dtypes(kNumbers)
                    .sample("f32[2,3," + image + "], [1, 2" + zeros)
                    .sample("i64[3," + image + "], [-1, 2" + zeros)
                    .refuses("C1", "f32[2,3," + image + "], [1]")
                    .refuses("C2", "f32[2,0," + image + "], [1, 1" + zeros)
                    .refuses("C4", "f32[2,3," + image + "], [-9, 0" + zeros);
  if (kReflect || kSpatial > 1) op.tag(Tag::Core);
  if (kReflect) op.refuses("C3", "f32[2,3," + image + "], [9, 0" + zeros);
  OpEntry& out = r.add_out(op, "out");
  if (kSpatial > 1) out.with_rule(restrided_out_rule<kSpatial, kReflect>);
}

}  // namespace

void register_ops(Registry& r) {
  add_op<1, true>(r);
  add_op<2, true>(r);
  add_op<3, true>(r);
  add_op<1, false>(r);
  add_op<2, false>(r);
  add_op<3, false>(r);
}

}  // namespace ersatz::op_border_pad

namespace ersatz::ops {

Tensor reflection_pad(const Tensor& self, std::span<const SymInt> padding) {
  if (padding.size() == 2) return call_op<"aten.reflection_pad1d.default">(self, padding);
  if (padding.size() == 4) return call_op<"aten.reflection_pad2d.default">(self, padding);
  return call_op<"aten.reflection_pad3d.default">(self, padding);
}

Tensor replication_pad(const Tensor& self, std::span<const SymInt> padding) {
  if (padding.size() == 2) return call_op<"aten.replication_pad1d.default">(self, padding);
  if (padding.size() == 4) return call_op<"aten.replication_pad2d.default">(self, padding);
  return call_op<"aten.replication_pad3d.default">(self, padding);
}

}  // namespace ersatz::ops
