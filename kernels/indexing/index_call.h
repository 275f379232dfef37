// Code that kernels of `index` and `index_put` on all devices share: it replaces masks by positions and plans a call.
#pragma once

#include <string>
#include <vector>

#include "kernels/indexing/index.h"
#include "kernels/indexing/index_plan.h"
#include "kernels/indexing/tensor_number.h"
#include "kernels/shape/broadcast.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/kernel.h"

namespace ersatz::op_index {

/// Returns the index list with each mask replaced by `positions(mask)`, which has one vector for each dim of the mask.
template <class F>
Value without_masks(std::span<const Value> indices, F&& positions) {
  std::vector<Value> plain;
  for (const Value& v : indices) {
    const DType dtype = v.is_none() ? DType::I64 : v.tensor_impl()->meta.dtype;
    if (dtype != DType::Bool && dtype != DType::U8) {
      plain.push_back(v);
      continue;
    }
    if (v.tensor().dim() == 0) continue;
    for (Tensor& t : positions(v.tensor())) plain.emplace_back(std::move(t));
  }
  return Value::list(plain);
}

inline IndexPlan plan_of(const KernelCall& call, const TensorMeta& self, std::span<const Value> indices) {
  RuleResult unused;
  const RuleCall rule{call.op, call.args, call.context, self.device, unused};
  return plan_indices(rule, self, index_metas(indices));
}

inline std::string list_index_words(int64_t index, int64_t dim, int64_t size) {
  return fmt::format("index {} is out of bounds for dim {} of size {}", index, dim, size);
}
[[noreturn]] inline void fail_on_index(const KernelCall& call, int64_t index, int64_t dim, int64_t size) {
  fail_on_value(call, ErrorFamily::Index, "{}", list_index_words(index, dim, size));
}

/// Runs f and sets `value_failure` of its errors, because they depend on the values of masks, which a rule does not
/// read.
template <class F>
void failing_on_masks(F&& f) {
  try {
    f();
  } catch (Error& e) {
    e.value_failure = true;
    throw;
  }
}

/// The ReturnKernel for index lists that may have masks. Allocates an output for the positions and calls `pick(call,
/// list, out)`. This kernel also runs lists without a mask, for which the rule has added an output.
template <class Positions, class Pick>
void pick_masked(KernelCall& call, Values& results, Positions&& positions, Pick&& pick) {
  std::vector<Value> args(call.args.begin(), call.args.end());
  args[1] = without_masks(call.list(kMasked["indices"]), positions);
  RuleResult rule;
  failing_on_masks([&] { run_rule(call.op, args, rule); });
  OutputTensors outputs;
  make_outputs(rule, nullptr, outputs);
  pick(call, args[1].as_list(), outputs[0]);
  pack_results(call.op, rule, outputs, results);
}

/// Plans a call (self, indices, values, ...) with `list` as its indices. RAISES: an error with `value_failure` if
/// `values` do not broadcast to the selected sizes, or if the single value for a mask does not fit self's dtype.
inline IndexPlan plan_put(const KernelCall& call, const Value& list) {
  const Tensor given = call.tensor(kWrites["values"]);
  const DType dtype = call.outputs[0].dtype();
  if (given.dtype() != dtype) fitting_number(call, given, dtype);
  IndexPlan plan;
  failing_on_masks([&] { plan = plan_of(call, call.tensor(kWrites["self"]).meta(), list.as_list()); });
  if (!broadcasts_to(given.sizes(), plan.sizes)) {
    fail_on_value(call, ErrorFamily::Runtime, "values must broadcast to what the masks pick, {}: {}", plan.sizes,
                  given.meta());
  }
  return plan;
}

}  // namespace ersatz::op_index
