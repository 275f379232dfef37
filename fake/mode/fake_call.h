// Answers one call of a fake mode.
//
// run() tries the steps that `fake_call.cpp` lists, until one has an answer. An object is used for one call.
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

  /// Answers the call. `may_look_up`: it may use the mode's cache.
  void run(bool may_look_up);
  /// Runs the body of a composite op; the fake mode answers the ops that the body calls. REQUIRES: op.composite.
  void run_parts();
  /// Runs the rule. If there is none, or if the rule cannot answer without data, runs the body of a composite op or the
  /// fallback. Raises an error if none of these is possible.
  void run_rule_or_fallback();
  /// Runs the rule, at most once per call. If `makes_symbols` and the mode has a ShapeEnv, sizes and numbers that
  /// depend on data become symbols.
  void ask_rule(bool makes_symbols = true);
  /// Makes the results from the rule's outputs. If `values_known`, written arguments keep their known values.
  void build_results(bool values_known);
  /// Counts a bypass of the cache, with the reason, if the mode caches the op's answers.
  void note_bypass(std::string_view reason);

  FakeModeState& mode() const { return mode_; }
  const OpEntry& op() const { return op_; }
  std::span<const Value> args() const { return args_; }
  Answer& answer() const { return answer_; }

 private:
  /// With propagate_real: runs the body of a composite op, and makes a PropagatedCall for any other op.
  void run_beside_real();
  /// Runs the body of a composite op and gives new results the strides that `layouts` recorded for this call. Returns
  /// false, and does nothing, if `layouts` has no strides for the call.
  bool run_recorded_parts(const DeviceLayouts& layouts);
  /// Computes the results from the arguments' known values. Returns false if an argument has none, or if the op does
  /// not work on known values.
  bool compute_on_known_values();
  // Defined in cached_call.cpp:
  /// Uses the cached answer; if there is none, runs the op and caches its answer.
  void use_cache();
  void replay_cached(const CachedAnswer& known);

  FakeModeState& mode_;
  const OpEntry& op_;
  std::span<const Value> args_;
  Answer& answer_;
};

/// Returns whether each tensor argument has a known value, and the op can run on known values.
bool works_on_known_values(const OpEntry& op, std::span<const Value> args);
/// Returns whether a result is on another device than the CPU. (Known values are CPU tensors.)
bool leaves_cpu(const RuleResult& rule);
/// Raises InvalidArgument if a result is on the meta device. REQUIRES: the mode's option allow_meta is false.
void refuse_meta(const OpEntry& op, const RuleResult& rule);

}  // namespace ersatz
