#include "kernels/shape/clone.h"

#include "kernels/no_flops.h"
#include "kernels/shape/copy_layout.h"
#include "runtime/op/clone_tag.h"
#include "runtime/op/composite.h"
#include "runtime/op/copy.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/moves_tag.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_clone {
namespace {

void rule(RuleCall& call) {
  const TensorMeta& from = call.meta(kClone["self"]);
  TensorMeta& out = call.out.outputs.emplace_back().meta;
  out.dtype = from.dtype;
  out.device = from.device;
  out.sizes = from.sizes;
  out.strides = copy_strides(call, from, call[kClone["memory_format"]], "C1");
}

void copy_strided_rule(RuleCall& call) {
  const TensorMeta& from = call.meta(kCopyStrided["a"]);
  const std::span<const SymInt> strides = call.ints(kCopyStrided["stride"]);
  call.require(strides.size() == from.sizes.size(), "C1", "expects a stride for each dim: got {}, self is {}", strides,
               from);
  for (SymInt s : strides) {
    call.require(check_ge(s, 0), "C2", "strides must not be negative: got {}", strides);
  }
  TensorMeta& out = call.out.fresh();
  out.dtype = from.dtype;
  out.device = from.device;
  out.sizes = from.sizes;
  out.strides = DimVec(strides);
  call.require(internal_overlap(out) != Overlap::Yes, "C3",
               "elements of the copy would share memory: strides are {}, self is {}", strides, from);
}

void contiguous(CompositeCall& call) {
  const MemoryFormat format = call[kContiguous["memory_format"]].as_memory_format();
  if (is_contiguous(call.meta(kContiguous["self"]), format)) {
    call.returns(call[kContiguous["self"]]);
    return;
  }
  call.require(format != MemoryFormat::Preserve, "C1", "preserve is not a format to be contiguous in: self is {}",
               call.meta(kContiguous["self"]));
  call.returns(ops::clone(call.tensor(kContiguous["self"]), format));
}

void run(KernelCall& call) { copy_elements(call.outputs[0], call.tensor(kCopied["{}"])); }

}  // namespace

void register_ops(Registry& r) {
  OpEntry& clone = r.add(kClone)
                       .tag(Tag::Core | kCloneTag | kMovesEveryDType)
                       .with_rule(rule)
                       .count_flops(no_flops)
                       .every_device(run)
                       .sample("f32[2,3]{1,2}")
                       .sample("f32[2,3]{0,1}")
                       .sample("f32[2,3,4,5], memory_format=channels_last")
                       .refuses("C1", "f32[2,3], memory_format=channels_last");
  r.add_out(clone, "out", kGeneratedForm).sample("f32[2,3]{1,2}, out=f32[0]");
  r.add(kCopyStrided)
      .with_rule(copy_strided_rule)
      .count_flops(no_flops)
      .every_device(run)
      .sample("f32[2,3], [1, 2]")
      .sample("f32[2,3], [7, 2]")
      .refuses("C1", "f32[2,3], [1]")
      .refuses("C2", "f32[2,3], [-1, 1]")
      .refuses("C3", "f32[2,3], [0, 1]");
  r.add(kContiguous)
      .with_composite(contiguous)
      .sample("f32[2,3]{1,2}")
      .sample("f32[2,3]")
      .refuses("C1", "f32[2,3]{1,2}, memory_format=preserve");
}

}  // namespace ersatz::op_clone
