#include "kernels/reduction/hash_tensor.h"

#include "kernels/reduction/reduce_dims.h"
#include "kernels/unsupported.h"
#include "runtime/op/registry.h"

namespace ersatz::op_hash_tensor {
namespace {

void rule(RuleCall& call) {
  const TensorMeta& self = call.meta(kHashTensor["self"]);
  require_nonempty_in_turn(call, self, kHashTensor["dim"], "C3");
  const DimMask mask = reduced_dims(call, kHashTensor["dim"], self.dim(), "C2");
  if (mask == kAllDims) {
    call.require(check_ne(self.numel(), 0), "C3", "there is nothing to hash: self is {}", self);
  } else {
    require_nonempty(call, self, mask, "C3");
  }
  call.require(call.integer(kHashTensor["mode"]) == 0, "C1", "mode must be 0, it is {}",
               call.integer(kHashTensor["mode"]));
  refuse_always(call, ErrorKind::NotSupported, "its result is u64, which is no dtype here",
                "view the bits as i64 and reduce them with another op");
}

}  // namespace

void register_ops(Registry& r) {
  const OpEntry& op = r.add(kHashTensor)
                          .with_rule(rule)
                          .refuses("NYI", "f32[2]")
                          .refuses("C1", "f32[2], mode=1")
                          .refuses("C2", "f32[2], [0, 0]")
                          .refuses("C3", "f32[0]");
  r.add_out_alike(op, "out").refuses("NYI", "f32[2], out=i64[]");
}

}  // namespace ersatz::op_hash_tensor
