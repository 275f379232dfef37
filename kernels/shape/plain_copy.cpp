#include "kernels/shape/plain_copy.h"

#include "kernels/shape/clone.h"
#include "kernels/shape/infer_size.h"
#include "kernels/shape/view.h"
#include "runtime/op/composite.h"
#include "runtime/op/copy.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_plain_copy {
namespace {

void lazy_clone_rule(RuleCall& call) {
  TensorMeta& out = call.out.fresh(call.meta(kLazyClone["self"]));
  out.requires_grad = out.wrapped_number = false;
}
void lazy_clone(KernelCall& call) { copy_elements(call.outputs[0], call.tensor(kLazyClone["self"])); }

void reshape_copy(CompositeCall& call) {
  const TensorMeta& from = call.meta(kReshapeCopy["self"]);
  DimVec sizes;
  infer_size(call, call.ints(kReshapeCopy["size"]), from.numel(), from, sizes);
  call.returns(ops::unsafe_view(ops::clone(call.tensor(kReshapeCopy["self"]), MemoryFormat::Contiguous), sizes));
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kLazyClone)
      .with_rule(lazy_clone_rule)
      .every_device(lazy_clone)
      .sample("f32[2,3]{1,2}")
      .sample("f32[2,3]{0,1}+1");
  r.add(kReshapeCopy)
      .with_composite(reshape_copy)
      .sample("f32[2,3], [3, -1]")
      .refuses("C1", "f32[2,3], [-1, -1]")
      .refuses("C2", "f32[2,3], [4]");
}

}  // namespace ersatz::op_plain_copy
