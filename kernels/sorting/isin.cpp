#include "kernels/sorting/isin.h"

#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_isin {

void run_cpu(KernelCall& call);

namespace {

// (elements, test_elements, assume_unique, invert): each side a tensor or a number
void rule(RuleCall& call) {
  for (size_t side : {size_t(0), size_t(1)}) {
    call.require_dtype(call.is_tensor(side) ? call.meta(side).dtype : call.scalar(side).dtype(), kReals);
  }
  const auto sizes = call.is_tensor(0) ? std::span<const SymInt>(call.meta(0).sizes) : std::span<const SymInt>();
  call.out.fresh(TensorMeta(DType::Bool, sizes, call.device));
}

OpEntry& add(Registry& r, const std::string& overload, const std::string& sides) {
  OpEntry& op =
      r.add("aten::isin." + overload + "(" + sides + ", *, bool assume_unique=False, bool invert=False) -> Tensor",
            __FILE__)
          .with_rule(rule)
          .cpu(run_cpu)
          .dtypes(kReals);
  r.add_out(op, overload + "_out");
  return op;
}

}  // namespace

void register_ops(Registry& r) {
  add(r, "Tensor_Tensor", "Tensor elements, Tensor test_elements")
      .sample("i64[2,3], i64[4]", 0, 5)
      .sample("f32[30]{2}, f32[2,3], invert=True")
      .sample("i32[2,0], f32[3]")
      .refuses("", "bool[2], bool[3]");
  add(r, "Tensor_Scalar", "Tensor elements, Scalar test_element").sample("i64[2,3], 1").refuses("", "f32[2], True");
  add(r, "Scalar_Tensor", "Scalar element, Tensor test_elements").sample("1, i64[2,3]").refuses("", "True, f32[2]");
}

}  // namespace ersatz::op_isin

namespace ersatz::ops {

Tensor isin(const Tensor& elements, const Tensor& test_elements, bool assume_unique, bool invert) {
  return call_op<"aten.isin.Tensor_Tensor">(elements, test_elements, assume_unique, invert);
}

}  // namespace ersatz::ops
