// Makes one call of a mode with propagate_real. The rule predicts, the kernel runs once on the real tensors, both
// outcomes are compared, and only then are fakes made or changed.
//
//   1. The rule runs, and raises the errors that it raises in any fake mode. Unless the op comes from a plugin, its
//      outputs are also the plan of the real call.
//   2. The call cannot run for real if an argument or a symbol has no value, if a device is missing, or if the results
//      exceed the budget (FakeOptions::real_bytes). Then the call is answered as without propagate_real, and the report
//      gets a ValueLoss.
//   3. The real call runs, with all modes suspended. If it raises an error, its writes are undone and the error is
//      raised again.
//   4. The outcomes are compared. If they differ, either all writes are undone and an error is raised, or the report
//      gets a RealMismatch (FakeOptions::collect_mismatches).
//   5. The fake results are made, each with its real tensor.
// The fake results are made from the real ones if the op reads data or has no rule, or if the outcomes differ. With a
// ShapeEnv, the result sizes of an op without a rule become symbols.
// Ops without a rule and ops of plugins are not trusted: lazy copies among their arguments get their own bytes before
// the run, and undeclared writes are detected. An object is used for one call.
#pragma once

#include <optional>

#include "fake/mode/fake_call.h"
#include "fake/mode/real_values.h"
#include "fake/watch/input_watch.h"
#include "runtime/op/real_call.h"

namespace ersatz {

class PropagatedCall {
 public:
  PropagatedCall(FakeCall& call, RealValues& reals)
      : call_(call), mode_(call.mode()), reals_(reals), op_(call.op()), args_(call.args()), answer_(call.answer()) {}
  void run();

 private:
  using LossIds = RealValues::LossIds;
  struct Written {
    TensorImpl* real;
    TensorMeta meta;
    Ref<Storage> storage;
    SymInt nbytes;
  };

  bool note_arguments();
  /// Returns the reason why the call cannot run for real although all arguments have values; nullopt if it can.
  std::optional<std::string> obstacle();
  bool plan_real_side();
  int64_t bytes_needed();
  void answer_without_values();
  void guard_arguments();
  void run_real_side();
  void put_back();
  void compare();
  void disagree(const std::string& message);
  void refuse_uninferable(std::span<TensorImpl* const> reals) const;
  void generalise(TensorImpl& fake) const;
  void answer_by_rule();
  void answer_from_real();
  void take_changed_arguments();
  void note_data_use();
  void lose(const Tensor& fake, std::string_view why);
  bool borrows_bytes(const Tensor& real) const;
  /// Returns whether the results depend on data. They do not if the rule of a data-dependent op returned outputs for
  /// this call.
  bool reads_data() const {
    return op_.tags.has(Tag::ScalarRead) || (op_.tags.has(Tag::DataDependent) && rule_.outputs.empty());
  }

  FakeCall& call_;
  FakeModeState& mode_;
  RealValues& reals_;
  const OpEntry& op_;
  std::span<const Value> args_;
  Answer& answer_;
  RuleResult& rule_ = answer_.rule;
  const bool trusted_ = op_.rule && !op_.tags.has(Tag::Foreign);

  InlineVec<TensorImpl*, 4> fakes_;  // the call's tensor arguments, including elements of lists
  InlineVec<Tensor, 4> real_of_;     // the real tensors of fakes_
  InlineVec<Value, 4> real_args_;    // the arguments with real tensors, which they borrow from real_of_
  LossIds losses_;
  std::optional<RealCall> real_;
  InlineVec<Written, 1> written_;
  std::optional<InputWatch> watch_;
  Values real_results_, flat_;
  bool known_ = false;  // every tensor argument has a known value
  bool agrees_ = true;
  bool symbolic_ = false;  // the arguments or the rule's result contain symbols
};

}  // namespace ersatz
