// Crosschecks one call: runs both sides, calls the judges, and gives the fake side the observed metadata after a
// finding. An object is for one call.
#pragma once

#include "fake/crosscheck/judge.h"

namespace ersatz {

class CheckedCall {
 public:
  /// `fresh_fakes`: see Crosscheck::call. REQUIRES: `outcome` is empty and outlives the object.
  CheckedCall(Crosscheck& check, CopyBuffers& buffers, const OpEntry& op, const CallSite& site,
              std::span<const Value> fake, std::span<const Value> real, bool fresh_fakes, CallOutcome& outcome);
  void run();
  /// Judges a call that raised `error` before its arguments were complete. `args` are their texts. Replaces `run`.
  void refuse(const Error& error, std::vector<std::string> args);

 private:
  void conclude(int64_t mismatched);
  /// Returns why the call is exempt from checks; nullopt if it is checked.
  std::optional<SkipReason> exempt() const;
  void run_unchecked(SkipReason reason);
  void note_arguments();
  void note_tensors(std::span<const Value> fake, std::span<const Value> real);
  bool are_alike() const;
  void flatten_results();
  void run_fake();
  void ask_rule_for_both();
  void plan_real();
  /// Runs a call on another device on the CPU too, as evidence. It runs first, because the device's run may write
  /// arguments.
  void run_on_cpu();
  void run_real();
  void judge();
  // adopt_observed.cpp
  void take_truth();
  void take_real_arguments();
  void lay_out_as_witnessed();
  bool is_shared(size_t result) const;
  // cpu_values.cpp
  void take_values_from_cpu();
  void predict_from_cpu();
  void write_back_from_cpu();
  /// Whether the real call failed only because a kernel is missing: the prediction passed or was refused for lack of
  /// data.
  bool only_kernel_is_missing() const;

  CallCase case_;
  Judgement judgement_;
  CallOutcome& outcome_;
  const bool fresh_fakes_;
  bool alike_ = false;  // a rule sees no difference between the arguments of both sides before the call
};

}  // namespace ersatz
