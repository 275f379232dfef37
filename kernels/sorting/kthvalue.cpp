#include "kernels/sorting/kthvalue.h"

#include "kernels/sorting/selection_rule.h"
#include "runtime/op/derived.h"
#include "runtime/op/device_tag.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_kthvalue {

void run_cpu(KernelCall& call);

namespace {

// (self, k, dim, keepdim)
void rule(RuleCall& call) {
  const TensorMeta& self = call.meta(0);
  const int64_t dim = call.wrap_dim(call.integer(2), self.dim());
  const DimMask mask = DimMask(1) << dim;
  require_nonempty(call, self, mask, "C1");
  const SymInt k = call.sym(1), n = self.dim() == 0 ? SymInt(1) : self.sizes[static_cast<size_t>(dim)];
  call.require(guard_ge(k, 1) && guard_le(k, n), "C2", "k must lie in [1, {}], it is {}: input is {}", n, k, self);
  if (self.dim() > 0 && !call.device.is_meta()) call.require_dtype(self.dtype, kReals);
  add_selection(call, mask, call.boolean(3));
}

/// An `out=` argument that has the dim, with size 1, loses it and keeps its strides.
// (self, k, dim, keepdim, values, indices)
void out_rule(RuleCall& call) {
  const TensorMeta& self = call.meta(0);
  const OpEntry& functional = *call.op.functional;
  RuleResult result;
  RuleCall inner{functional, call.args.first(4), call.context, call.device, result};
  functional.rule(inner);
  DimVec kept(self.sizes);
  const auto dim = static_cast<size_t>(call.wrap_dim(call.integer(2), self.dim()));
  if (!kept.empty()) kept[dim] = 1;
  for (size_t k = 0; k < 2; ++k) {
    TensorMeta answer = result.outputs[k].meta;
    const bool squeezed = !call.boolean(3) && self.dim() > 0 && sym_eq(kept, call.meta(4 + k).sizes);
    if (squeezed) {
      answer.sizes = kept;
      answer.strides = contiguous_strides(kept);
    }
    answer_out(call, answer, 4 + k, call.op.form);
    if (!squeezed) continue;
    OutputSpec& out = call.out.outputs.back();
    out.metadata_changed = true;
    out.meta.sizes.erase(dim);
    out.meta.strides.erase(dim);
  }
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& op = r.add(
                     "aten::kthvalue(Tensor self, SymInt k, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor "
                     "indices)",
                     __FILE__)
                    .tag(kTiesByDevice)
                    .with_rule(rule)
                    .cpu(run_cpu)
                    .dtypes(kReals)
                    .sample("f32[2,3,4], 2")
                    .sample("i64[2,3,4]{1,8,2}, 3, 1, True")
                    .refuses("C1", "f32[0], 1")
                    .refuses("C2", "f32[3], 4");
  r.add_out(op, "values", std::nullopt, {"values", "indices"}).with_rule(out_rule);
}

}  // namespace ersatz::op_kthvalue

namespace ersatz::ops {

KthvalueResult kthvalue(const Tensor& self, SymInt k, int64_t dim, bool keepdim) {
  Values r = call_op_all<"aten.kthvalue.default">(self, k, dim, keepdim);
  return {r[0].take_tensor(), r[1].take_tensor()};
}

}  // namespace ersatz::ops
