#include "kernels/shape/clone.h"

#include "kernels/flop_size.h"
#include "kernels/shape/composite_call.h"
#include "kernels/shape/copy_layout.h"
#include "kernels/shape/out_variant.h"
#include "runtime/clone_tag.h"
#include "runtime/dispatch.h"
#include "runtime/layout.h"

namespace ersatz::op_clone {

void run_cpu(KernelCall& call);

namespace {

void rule(RuleCall& call) {
  const TensorMeta& from = call.meta(0);
  TensorMeta& out = call.out.outputs.emplace_back().meta;
  out.dtype = from.dtype;
  out.device = from.device;
  out.sizes = from.sizes;
  out.strides = copy_strides(call, from, call.args[1], "C1");
}

void out_rule(RuleCall& call) {
  RuleResult result;
  RuleCall functional{call.op, call.args.first(2), call.context, call.device, result};
  rule(functional);
  answer_out(call, result.outputs[0].meta, 2, OutLayout::RowMajor);
}

void contiguous(std::span<const Value> args, Values& results) {
  static const OpEntry& op = op_named("aten.contiguous.default");
  const CompositeCall call(op, args);
  const MemoryFormat format = args[1].as_memory_format();
  if (is_contiguous(call->meta(0), format)) {
    results.push_back(args[0]);
    return;
  }
  call->require(format != MemoryFormat::Preserve, "C1", "preserve is not a format to be contiguous in: self is {}",
                call->meta(0));
  results.push_back(ops::clone(args[0].tensor(), format));
}

}  // namespace

void register_ops(Registry& r) {
  r.add("aten::clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor", __FILE__)
      .tag(Tag::Core | kCloneTag)
      .with_rule(rule)
      .count_flops(no_flops)
      .cpu(run_cpu)
      .cuda(run_cpu)
      .sample("f32[2,3]{1,2}")
      .sample("f32[2,3]{0,1}")
      .sample("f32[2,3,4,5], memory_format=channels_last")
      .refuses("C1", "f32[2,3], memory_format=channels_last");
  r.add("aten::clone.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)", __FILE__)
      .with_rule(out_rule)
      .count_flops(no_flops)
      .cpu(run_cpu)
      .cuda(run_cpu)
      .sample("f32[2,3]{1,2}, out=f32[0]");
  r.add("aten::contiguous(Tensor(a) self, *, MemoryFormat memory_format=0) -> Tensor(a)", __FILE__)
      .with_composite(contiguous)
      .sample("f32[2,3]{1,2}")
      .sample("f32[2,3]")
      .refuses("C1", "f32[2,3]{1,2}, memory_format=preserve");
}

}  // namespace ersatz::op_clone

namespace ersatz::ops {

Tensor clone(const Tensor& self, std::optional<MemoryFormat> memory_format) {
  static const OpEntry& op = op_named("aten.clone.default");
  return call_op(op, self, memory_format);
}
Tensor contiguous(const Tensor& self, MemoryFormat memory_format) {
  static const OpEntry& op = op_named("aten.contiguous.default");
  return call_op(op, self, memory_format);
}

}  // namespace ersatz::ops
