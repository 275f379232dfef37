#include "kernels/indexing/nonzero.h"

#include "kernels/own_dtype.h"
#include "kernels/shape/split.h"
#include "kernels/shape/squeeze.h"
#include "kernels/written_elements.h"
#include "runtime/op/composite.h"
#include "runtime/op/derived.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/written_memory.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_nonzero {

ReturningKernel run_cpu, out_cpu;
Kernel static_cpu;

namespace {

// Returns the metadata of the result, for any dtype of self. Returns nullopt if the number of rows is unknown, because
// it depends on data. The kernel computes coordinates dim by dim, so columns are dense.
std::optional<TensorMeta> found(const RuleCall& call) {
  static constexpr Schemas kArgs{kNonzero, kNonzeroOut};
  const TensorMeta& self = call.meta(kArgs["self"]);
  const std::optional<SymInt> n =
      call.size_of_data({.max = self.numel(), .memo = MemoSlot::Nonzero, .of = call.tensor(kArgs["self"])});
  if (!n) return std::nullopt;
  const SymInt sizes[] = {*n, self.dim()}, strides[] = {1, *n};
  return TensorMeta(DType::I64, sizes, strides, call.device);
}

void rule(RuleCall& call) {
  if (std::optional<TensorMeta> out = found(call)) call.out.fresh(std::move(*out));
}

void out_rule(RuleCall& call) {
  if (const std::optional<TensorMeta> result = found(call))
    return answer_out(call, *result, kNonzeroOut["out"], WrittenForm());
  require_own_dtype(call, kNonzeroOut["out"], DType::I64);
  require_own_elements(call, "overlap", kNonzeroOut["out"]);
}

// The rule of nonzero_static, whose result has exactly `size` rows.
void static_rule(RuleCall& call) {
  call.require(check_ge(call.sym(kNonzeroStatic["size"]), 0), "C1", "size must not be negative: got {}",
               call.sym(kNonzeroStatic["size"]));
  const SymInt sizes[] = {call.sym(kNonzeroStatic["size"]), call.meta(kNonzeroStatic["self"]).dim()};
  TensorMeta& out = call.out.fresh(TensorMeta(DType::I64, sizes, call.device));
  // if size is 0, PyTorch looks for no kernel and accepts any dtype
  if (size_eq(sizes[0], 0)) call.require_dtype(call.meta(kNonzeroStatic["self"]).dtype, kEveryDType);
  // The CUDA kernel computes coordinates dim by dim, so columns are dense. PyTorch's meta function returns that layout
  // too.
  if (!call.device.is_cpu()) out.strides = DimVec{SymInt(1), sym_max(sizes[0], 1)};
}

/// PyTorch's CPU kernel resizes `out` before it checks for shared memory, so this rule checks with the new metadata of
/// `out`.
void static_out_rule(RuleCall& call) {
  derived_out_rule(call);
  if (!call.device.is_cpu()) return;
  require_memory_apart(call, kNonzeroStatic["self"], kNonzeroStatic.count(), call.out.outputs.back().meta);
}

void argwhere(CompositeCall& call) { call.returns(ops::nonzero(call.tensor(kArgwhere["self"]))); }

void by_dim(CompositeCall& call) {
  Tensor self = call.tensor(kByDim["{}"]);
  if (self.dim() == 0) self = ops::unsqueeze(self, 0);
  std::vector<Value> vectors;
  for (const Tensor& t : ops::unbind(ops::nonzero(self), 1)) vectors.push_back(t);
  call.returns(Value::list(vectors));
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kNonzero)
      .tag(Tag::DataDependent | Tag::Core)
      .with_rule(rule)
      .cpu_returns(run_cpu)
      .sample("f32[2,3]")
      .sample("bool[5]");
  r.add(kNonzeroOut)
      .tag(Tag::DataDependent)
      .with_rule(out_rule)
      .cpu_returns(out_cpu)
      .sample("f32[2,3], out=i64[0]")
      .refuses("out_dtype", "f32[2], out=f32[0]");
  OpEntry& nonzero_static = r.add(kNonzeroStatic)
                                .with_rule(static_rule)
                                .cpu(static_cpu)
                                .sample("f32[2,3], size=4")
                                .sample("bool[5], size=9, fill_value=7", 0, 1)
                                .refuses("C1", "f32[2], size=-1");
  r.add_out(nonzero_static, "out", WrittenForm{.row_major = true}).with_rule(static_out_rule);
  r.add(kArgwhere).tag(Tag::DataDependent).with_composite(argwhere).sample("f32[2,3]");
  // `where` with a condition only is nonzero_numpy.
  for (const std::string& schema : {kByDim.with("nonzero_numpy", "self"), kByDim.with("where", "condition")}) {
    r.add(schema).tag(Tag::DataDependent).with_composite(by_dim).sample("f32[2,3]").sample("f32[]");
  }
}

}  // namespace ersatz::op_nonzero
