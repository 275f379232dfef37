// One call that a fake mode answers in steps, and the conditions that decide between them.
//
// The first step that answers wins; `fake_call.cpp` lists them. An object lives for one call.
#pragma once

#include "fake/mode/cached_answer.h"
#include "fake/mode/fake_mode_state.h"

namespace ersatz {

class DeviceLayouts;

class FakeCall {
 public:
  /// REQUIRES: every tensor among the arguments is a fake of `mode`.
  FakeCall(FakeModeState& mode, const OpEntry& op, std::span<const Value> args, Answer& answer)
      : mode_(mode), op_(op), args_(args), answer_(answer) {}

  /// `may_look_up`: the call may use the mode's cache.
  void run(bool may_look_up);
  /// Runs the body of a composite op with the mode active. REQUIRES: op.composite.
  void run_parts();
  /// Asks the rule; without one, or where it reads data, runs the parts or the fallback, or raises why nothing answers.
  void run_rule_or_fallback();
  /// Asks the rule, once in a call. `makes_symbols`: for what depends on data, where the mode has a ShapeEnv.
  void ask_rule(bool makes_symbols = true);
  /// Makes the results that the rule's answer names. `values_known`: what is written keeps a known value.
  void build_results(bool values_known);
  /// Counts why the cache is not used, where the mode would have kept the op's answers.
  void note_bypass(std::string_view reason);

  FakeModeState& mode() const { return mode_; }
  const OpEntry& op() const { return op_; }
  std::span<const Value> args() const { return args_; }
  Answer& answer() const { return answer_; }

 private:
  /// Each part runs for real by itself, other ops as a PropagatedCall.
  void run_beside_real();
  /// Runs the body of a composite op whose call was recorded on a device of metadata: its results have the recorded
  /// strides. False, and nothing is done, where the call was not recorded.
  bool run_recorded_parts(const DeviceLayouts& layouts);
  /// False: not all arguments are known values, or the op does not work on values.
  bool compute_on_known_values();
  // cached_call.cpp
  /// Replays the remembered answer, or runs the op and remembers.
  void use_cache();
  void replay_cached(const CachedAnswer& known);

  FakeModeState& mode_;
  const OpEntry& op_;
  std::span<const Value> args_;
  Answer& answer_;
};

/// Are there nothing but known values among the tensors, and does the op work on values?
bool works_on_known_values(const OpEntry& op, std::span<const Value> args);
/// Known values live on the CPU: does a result not?
bool leaves_cpu(const RuleResult& rule);
/// Raises where a result is on the meta device. REQUIRES: a mode without allow_meta.
void refuse_meta(const OpEntry& op, const RuleResult& rule);

}  // namespace ersatz
