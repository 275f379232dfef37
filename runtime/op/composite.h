// Composite operators, which are defined by calls of other operators instead of by a rule and kernels.
//
// The body is a function of a CompositeCall. It reads arguments, raises errors with labels as a rule does, calls other
// ops through their typed functions, and stores its results with `returns`. Every mode runs the same body. In a real
// run, the body's calls run below all modes. A fake mode stays active while the body runs, so the rules of the called
// ops compute their metadata.
//
//   void mv(CompositeCall& call) {
//     call.returns(ops::squeeze(ops::mm(call.tensor(kMv["self"]), ops::unsqueeze(call.tensor(kMv["vec"]), 1)), 1));
//   }
#pragma once

#include "runtime/op/op_entry.h"

namespace ersatz {

/// The arguments and results of one call of a composite op: a RuleCall whose arguments are tensor handles and whose
/// results are Values.
class CompositeCall : public RuleCall {
 public:
  /// REQUIRES: `args` are complete and were checked against the schema. `op`, `args` and `results` outlive this object.
  CompositeCall(const OpEntry& op, std::span<const Value> args, Values& results)
      : RuleCall{op, args, rule_context(), rule_context().default_device, unused_}, results_(results) {}

  Tensor tensor(Position i) const { return (*this)[i].tensor(); }  ///< an undefined Tensor for None
  /// Appends the Value of one schema return; a `Tensor[]` return is one list Value.
  void returns(Value v) { results_.push_back(std::move(v)); }

 private:
  RuleResult unused_;
  Values& results_;
};

/// Runs the body of a composite op. REQUIRES: op.composite.
void run_composite(const OpEntry& op, std::span<const Value> args, Values& results);

}  // namespace ersatz
