// Composite operators: defined by other ones, in one place, instead of by a rule and kernels.
//
// The body is a function of its call. It reads arguments, refuses in the words and with the labels of a rule, calls
// other ops through their typed functions, and names its results. Every mode runs the same body: real calls below all
// modes, fake ones with the mode active again, so that the parts are answered by their own rules.
//
//   void mv(CompositeCall& call) {
//     call.returns(ops::squeeze(ops::mm(call.tensor(kMv["self"]), ops::unsqueeze(call.tensor(kMv["vec"]), 1)), 1));
//   }
#pragma once

#include "runtime/op/op_entry.h"

namespace ersatz {

/// One call as a composite body sees it: a RuleCall whose tensors are handles and whose results are values.
class CompositeCall : public RuleCall {
 public:
  /// REQUIRES: complete arguments, checked against the schema; all three outlive the call.
  CompositeCall(const OpEntry& op, std::span<const Value> args, Values& results)
      : RuleCall{op, args, rule_context(), rule_context().default_device, unused_}, results_(results) {}

  Tensor tensor(Position i) const { return (*this)[i].tensor(); }  ///< undefined for None
  /// Adds a result: one Value per schema return, a `Tensor[]` as one list.
  void returns(Value v) { results_.push_back(std::move(v)); }

 private:
  RuleResult unused_;
  Values& results_;
};

/// Runs the body of a composite op. REQUIRES: op.composite.
void run_composite(const OpEntry& op, std::span<const Value> args, Values& results);

}  // namespace ersatz
