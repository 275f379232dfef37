#include "kernels/sorting/kthvalue.h"

#include "kernels/sorting/selection_rule.h"
#include "runtime/op/derived.h"
#include "runtime/op/device_tag.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/written_memory.h"

namespace ersatz::op_kthvalue {

Kernel run_cpu;

namespace {

// Arguments of the operator: (self, k, dim, keepdim).
void rule(RuleCall& call) {
  const TensorMeta& self = call.meta(kKthvalue["self"]);
  const int64_t dim = call.wrap_dim(call.integer(kKthvalue["dim"]), self.dim());
  const DimMask mask = DimMask(1) << dim;
  require_nonempty(call, self, mask, "C1");
  const SymInt k = call.sym(kKthvalue["k"]), n = self.dim() == 0 ? SymInt(1) : self.sizes[static_cast<size_t>(dim)];
  call.require(check_ge(k, 1) && check_le(k, n), "C2", "k must lie in [1, {}], it is {}: input is {}", n, k, self);
  if (!call.device.is_meta()) call.require_dtype(self.dtype, self.dim() > 0 ? kReals : kEveryDType);
  add_selection(call, mask, call.boolean(kKthvalue["keepdim"]));
}

/// If an `out=` argument has the reduced dim with size 1, removes that dim. The strides of the other dims do not
/// change.
void out_rule(RuleCall& call) {
  const TensorMeta& self = call.meta(kKthvalue["self"]);
  RuleResult result;
  const std::optional<Error> no_kernel = ask_functional(call, result);
  require_memory_apart(call, kKthvalue["self"], kKthvalue.count(), call.meta(kKthvalue.count()));
  DimVec kept(self.sizes);
  const auto dim = static_cast<size_t>(call.wrap_dim(call.integer(kKthvalue["dim"]), self.dim()));
  if (!kept.empty()) kept[dim] = 1;
  for (size_t k = 0; k < 2; ++k) {
    TensorMeta answer = result.outputs[k].meta;
    const bool squeezed = !call.boolean(kKthvalue["keepdim"]) && self.dim() > 0 &&
                          same_sizes(kept, call.meta(kKthvalue.count() + k).sizes);
    if (squeezed) {
      answer.sizes = kept;
      answer.strides = contiguous_strides(kept);
    }
    answer_out(call, answer, kKthvalue.count() + k, call.op.form);
    if (!squeezed) continue;
    OutputSpec& out = call.out.outputs.back();
    out.metadata_changed = true;
    out.meta.sizes.erase(dim);
    out.meta.strides.erase(dim);
  }
  require_two_tensors(call, kKthvalue.count(), call.boolean(kKthvalue["keepdim"]));
  if (no_kernel) throw *no_kernel;
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& op = r.add(kKthvalue)
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
