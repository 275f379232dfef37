#include "fake/observe/flop_counter.h"

#include <cmath>

#include "runtime/sym/sym_expr.h"

namespace ersatz {

double flops_of(const OpEntry& op, std::span<const Value> args) {
  const OpEntry& counted = op.functional ? *op.functional : op;
  if (counted.tags.has(Tag::View) || counted.tags.has(Tag::InplaceView) || counted.tags.has(Tag::Factory)) return 0;
  if (!counted.rule || !(counted.flops || counted.tags.has(Tag::Pointwise))) return NAN;
  const std::span<const Value> inputs = args.first(counted.schema.arguments.size());
  RuleResult rule;
  run_rule(counted, inputs, rule);
  if (!counted.flops) {  // one an element
    const auto elements = value_at_hints(rule.outputs[0].meta.numel());
    return elements ? static_cast<double>(*elements) : NAN;
  }
  RuleResult unused;
  RuleCall call{counted, inputs, rule_context(), kCPU, unused};
  return counted.flops(call, rule);
}

void FlopCounter::answered(const OpEntry& op, std::span<const Value> args, std::span<const Value>) {
  const double flops = flops_of(op, args);
  if (std::isnan(flops)) {
    ++unknown_[op.name];
  } else {
    by_op_[op.name] += flops;
    total_ += flops;
  }
}

}  // namespace ersatz
