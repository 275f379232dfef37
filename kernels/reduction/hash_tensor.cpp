#include "kernels/reduction/hash_tensor.h"

#include "kernels/own_dtype.h"
#include "kernels/reduction/reduce_dims.h"
#include "runtime/op/derived.h"
#include "runtime/op/registry.h"

namespace ersatz::op_hash_tensor {

Kernel run_cpu;

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
  if (size_ne(self.numel(), 0)) call.require_dtype(self.dtype, kReals | kBool);
  call.out.fresh(reduced_meta(self, mask, call.boolean(kHashTensor["keepdim"]), DType::U64, call.device));
}

/// Like PyTorch, checks the dtype of `out` first.
void out_rule(RuleCall& call) {
  require_own_dtype(call, call.args.size() - 1, DType::U64);
  derived_out_rule(call);
}

}  // namespace

void register_ops(Registry& r) {
  const OpEntry& op = r.add(kHashTensor)
                          .with_rule(rule)
                          .cpu(run_cpu)
                          .dtypes(kReals | kBool)
                          .sample("f32[2,3,4], [1]")
                          .sample("i32[2,3]{1,2}, [-1], keepdim=True")
                          .sample("bf16[5]")
                          .refuses("C1", "f32[2], mode=1")
                          .refuses("C2", "f32[2], [0, 0]")
                          .refuses("C3", "f32[0]");
  r.add_out(op, "out", reduction_form()).with_rule(out_rule).refuses("out_dtype", "f32[2], out=i64[]");
}

}  // namespace ersatz::op_hash_tensor
