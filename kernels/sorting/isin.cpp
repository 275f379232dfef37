#include "kernels/sorting/isin.h"

#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_isin {

Kernel run_cpu;

namespace {

// (elements, test_elements, assume_unique, invert): each side a tensor or a number
void rule(RuleCall& call) {
  for (Position side : {kIsin["{0}"], kIsin["{1}"]}) {
    call.require_dtype(call.is_tensor(side) ? call.meta(side).dtype : call.scalar(side).dtype(), kReals);
  }
  const auto sizes =
      call.is_tensor(kIsin["{0}"]) ? std::span<const SymInt>(call.meta(kIsin["{0}"]).sizes) : std::span<const SymInt>();
  call.out.fresh(TensorMeta(DType::Bool, sizes, call.device));
}

OpEntry& add(Registry& r, const Schema& schema) {
  OpEntry& op = r.add(schema).with_rule(rule).cpu(run_cpu).dtypes(kReals);
  r.add_out(op, op.schema.overload + "_out");
  return op;
}

}  // namespace

void register_ops(Registry& r) {
  add(r, kIsinTensorTensor)
      .sample("i64[2,3], i64[4]", 0, 5)
      .sample("f32[30]{2}, f32[2,3], invert=True")
      .sample("i32[2,0], f32[3]")
      .refuses("", "bool[2], bool[3]");
  add(r, kIsinTensorScalar).sample("i64[2,3], 1").refuses("", "f32[2], True");
  add(r, kIsinScalarTensor).sample("1, i64[2,3]").refuses("", "True, f32[2]");
}

}  // namespace ersatz::op_isin
