// Composite operators: they are defined by calls of other operators instead of by a rule and kernels.
//
// The body is a function of its CompositeCall. It reads arguments, raises errors with labels as a rule does, calls
// other ops through their typed functions, and stores its results with `returns`. Every mode runs the same body. A real
// call runs it below all modes. A fake mode is active again while the body runs, so the rules of the parts answer their
// calls.
//
//   void mv(CompositeCall& call) {
//     call.returns(ops::squeeze(ops::mm(call.tensor(kMv["self"]), ops::unsqueeze(call.tensor(kMv["vec"]), 1)), 1));
//   }
#pragma once

#include "runtime/op/op_entry.h"

namespace ersatz {

/// The arguments and results of one call, for a composite body: a RuleCall with tensor handles and Values as results.
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
