// One call of a mode with propagate_real: the rule answers, the kernel runs once on the real tensors, the two are
// compared, and only then is anything done to the fakes.
//
//   1. the rule, which refuses what it refuses in any fake mode. It is asked once: its answer is the plan of the real
//      call too, unless the op is foreign
//   2. may the call run for real? Not where an argument or a symbol has no value, where an argument lives where no
//      device is, or where the results would not fit the budget: then the plain fake mode answers and the loss is noted
//   3. the real run, modes suspended; what it raises passes, and what it wrote until then is put back
//   4. comparison; a difference is raised, with what was written put back, or noted (collect_mismatches)
//   5. the fake results, each with its real tensor
// An op that reads data, one without a rule and one that disagreed is answered from its real results; with a ShapeEnv
// the sizes of one without a rule are symbols.
// An object lives for one call. Ops without a rule and foreign ones are not trusted: their arguments get bytes of their
// own, and what they write without saying so is seen.
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
  /// Why the call cannot run for real, beside arguments without values.
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
  /// Do the results' metadata depend on data? Not where the rule of a data-dependent op has named this call's outputs.
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

  InlineVec<TensorImpl*, 4> fakes_;  // the call's flat tensor arguments
  InlineVec<Tensor, 4> real_of_;     // their real tensors
  InlineVec<Value, 4> real_args_;    // they borrow from real_of_
  LossIds losses_;
  std::optional<RealCall> real_;
  InlineVec<Written, 1> written_;
  std::optional<InputWatch> watch_;
  Values real_results_, flat_;
  bool known_ = false;  // every argument is a known value
  bool agrees_ = true;
  bool symbolic_ = false;  // arguments or the rule's answer hold symbols
};

}  // namespace ersatz
