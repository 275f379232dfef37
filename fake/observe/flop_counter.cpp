#include "fake/observe/flop_counter.h"

#include "runtime/sym/sym_expr.h"

namespace ersatz {

std::optional<SymInt> flops_of(const OpEntry& op, std::span<const Value> args) {
  const OpEntry& counted = op.functional ? *op.functional : op;
  if (counted.tags.has(Tag::View) || counted.tags.has(Tag::InplaceView) || counted.tags.has(Tag::Factory)) return 0;
  if (!counted.rule || !(counted.flops || counted.tags.has(Tag::Pointwise))) return std::nullopt;
  const std::span<const Value> inputs = args.first(counted.schema.arguments.size());
  RuleResult rule;
  run_rule(counted, inputs, rule);
  try {
    if (!counted.flops) return rule.outputs[0].meta.numel();  // one operation per element of the result
    RuleResult unused;
    RuleCall call{counted, inputs, rule_context(), kCPU, unused};
    return counted.flops(call, rule);
  } catch (const Error& e) {
    if (e.kind != ErrorKind::InvalidArgument) throw;
    return std::nullopt;  // the number of operations overflows
  }
}

struct FlopCounter::Impl {
  double total = 0;
  std::map<std::string, double> by_op;
  std::map<std::string, int64_t> unknown;
};

FlopCounter::FlopCounter() : impl_(std::make_unique<Impl>()) {}
FlopCounter::~FlopCounter() = default;

double FlopCounter::total() const { return impl_->total; }
const std::map<std::string, double>& FlopCounter::by_op() const { return impl_->by_op; }
const std::map<std::string, int64_t>& FlopCounter::unknown() const { return impl_->unknown; }

void FlopCounter::answered(const OpEntry& op, std::span<const Value> args, std::span<const Value>) {
  const std::optional<SymInt> flops = flops_of(op, args);
  const std::optional<int64_t> at_hints = flops ? value_at_hints(*flops) : std::nullopt;
  if (!at_hints) {
    ++impl_->unknown[op.name];
  } else {
    impl_->by_op[op.name] += static_cast<double>(*at_hints);
    impl_->total += static_cast<double>(*at_hints);
  }
}

}  // namespace ersatz
