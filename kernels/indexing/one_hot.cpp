#include "kernels/indexing/one_hot.h"

#include "runtime/op/dispatch.h"

namespace ersatz::op_one_hot {

ReturningKernel run_cpu;

namespace {

// With num_classes, the result's sizes are known. Without num_classes, the last size depends on data.
void rule(RuleCall& call) {
  const TensorMeta& self = call.meta(kOneHot["self"]);
  const int64_t classes = call.integer(kOneHot["num_classes"]);
  call.require(self.dtype == DType::I64, "C1", "expects an i64 tensor: self is {}", self);
  if (size_eq(self.numel(), 0)) {
    call.require(classes > 0, "C2", "an empty tensor does not tell the number of classes, and {} is none: self is {}",
                 classes, self);
  } else {
    call.require(classes == -1 || classes >= 1, "C3", "num_classes must be 1 at least: got {}", classes);
  }
  const std::optional<SymInt> width = classes == -1 ? call.size_of_data({.min = 1}) : std::optional<SymInt>(classes);
  if (!width) return;
  DimVec sizes = self.sizes;
  sizes.push_back(*width);
  call.out.fresh(TensorMeta(DType::I64, sizes, call.device));
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kOneHot)
      .tag(Tag::DataDependent | Tag::FailsOnValues)
      .with_rule(rule)
      .cpu_returns(run_cpu)
      .sample("i64[2,3], 4", 0, 3)
      .sample("i64[2]", 0, 3)
      .refuses("C1", "f32[2], 3")
      .refuses("C2", "i64[0], -1")
      .refuses("C3", "i64[2], 0");
}

}  // namespace ersatz::op_one_hot
