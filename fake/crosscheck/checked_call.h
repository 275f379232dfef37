// Crosschecks one call: makes the fake and the real run, calls the functions of judge.h, and after a finding gives the
// fakes the observed metadata. An object is for one call.
#pragma once

#include "fake/crosscheck/judge.h"

namespace ersatz {

class CheckedCall {
 public:
  /// `fresh_fakes`: see Crosscheck::call. REQUIRES: `outcome` is empty and outlives the object.
  CheckedCall(Crosscheck& check, CopyBuffers& buffers, const OpEntry& op, const CallSite& site,
              std::span<const Value> fake, std::span<const Value> real, bool fresh_fakes, CallOutcome& outcome);
  void run();
  /// Use this in place of `run` for a call that raised `error` before its arguments were complete. Compares the error
  /// with the call's evidence. `args` are texts of the arguments.
  void refuse(const Error& error, std::vector<std::string> args);

 private:
  void conclude(int64_t mismatched);
  /// Returns the reason why the call is exempt from checks, or nullopt if it is checked.
  std::optional<SkipReason> exempt() const;
  void run_unchecked(SkipReason reason);
  void note_arguments();
  void note_tensors(std::span<const Value> fake, std::span<const Value> real);
  bool are_alike() const;
  void flatten_results();
  void run_fake();
  void ask_rule_for_both();
  void plan_real();
  /// For a call on a GPU: also runs the call on the CPU, as evidence. This run comes first, because the GPU's run may
  /// write arguments.
  void run_on_cpu();
  void run_real();
  void judge();
  // Defined in adopt_observed.cpp:
  void take_truth();
  void take_real_arguments();
  void lay_out_as_witnessed();
  bool is_shared(size_t result) const;
  // Defined in cpu_values.cpp:
  void take_values_from_cpu();
  void predict_from_cpu();
  void write_back_from_cpu();
  /// Returns whether the real run failed only because a kernel is missing. Returns false if the fake run failed too,
  /// unless it was refused because it lacks data.
  bool only_kernel_is_missing() const;

  CallCase case_;
  Judgement judgement_;
  CallOutcome& outcome_;
  const bool fresh_fakes_;
  bool alike_ = false;  // the fake and the real arguments are equal in everything that a rule reads
};

}  // namespace ersatz
