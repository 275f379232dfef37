#include "kernels/indexing/masked_select.h"

#include "kernels/own_dtype.h"
#include "kernels/pointwise/iterator_layout.h"
#include "kernels/written_elements.h"
#include "runtime/op/derived.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_masked_select {

ReturningKernel run_cpu, out_cpu;

namespace {

// Returns the metadata of the result. Returns nullopt if the number of elements is unknown, because it depends on data.
std::optional<TensorMeta> selected(const RuleCall& call) {
  static constexpr Schemas kArgs{kMaskedSelect, kMaskedSelectOut};
  const TensorMeta &self = call.meta(kArgs["self"]), &mask = call.meta(kArgs["mask"]);
  call.require(mask.dtype == DType::Bool, "C1", "expects a bool mask: mask is {}", mask);
  const TensorMeta* operands[] = {&self, &mask};
  DimVec sizes;
  BroadcastMismatch mismatch;
  call.require(broadcast_sizes(operands, sizes, mismatch), "C2", "mask and self must broadcast: {} and {}", self, mask);
  SymInt most = 1;
  for (SymInt size : sizes) most *= size;
  const std::optional<SymInt> n = call.size_of_data({.max = most});
  if (!n) return std::nullopt;
  return TensorMeta(self.dtype, std::span(&*n, 1), call.device);
}

void rule(RuleCall& call) {
  if (std::optional<TensorMeta> out = selected(call)) call.out.fresh(std::move(*out));
}

void out_rule(RuleCall& call) {
  const std::optional<TensorMeta> result = selected(call);
  require_own_dtype(call, kMaskedSelectOut["out"], call.meta(kMaskedSelectOut["self"]).dtype);
  require_own_elements(call, "overlap", kMaskedSelectOut["out"]);
  require_reads_apart(call, "overlap", call.tensor(kMaskedSelectOut["out"]),
                      {kMaskedSelectOut["self"], kMaskedSelectOut["mask"]});
  if (result) answer_out(call, *result, kMaskedSelectOut["out"], WrittenForm{.row_major = true});
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kMaskedSelect)
      .tag(Tag::DataDependent)
      .with_rule(rule)
      .cpu_returns(run_cpu)
      .sample("f32[2,3], bool[3]", 0, 1)
      .refuses("C1", "f32[2], u8[2]")
      .refuses("C2", "f32[2], bool[3]");
  r.add(kMaskedSelectOut)
      .tag(Tag::DataDependent)
      .with_rule(out_rule)
      .cpu_returns(out_cpu)
      .sample("f32[2,3], bool[3], out=f32[0]", 0, 1)
      .refuses("overlap", "f32[2], bool[2], out=f32[2] ~in0");
}

}  // namespace ersatz::op_masked_select
