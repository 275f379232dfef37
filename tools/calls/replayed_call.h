// One recorded call while it is replayed: its arguments and its testimony are made, the engine judges, and its findings
// become the verdict about the record. An object lives for one call.
#pragma once

#include "tools/calls/replay.h"
#include "tracer/records/record_testimony.h"

namespace ersatz::tools {

class ReplayedCall {
 public:
  ReplayedCall(Crosscheck& engine, const OpEntry& op, const CallRecord& record, const RunOptions& options);
  RecordAnswer run();

 private:
  CallOutcome call();
  void make_arguments();
  std::vector<Value> bind(std::span<const Tensor> tensors) const;
  /// Records number tensors as they are written, the engine in the order of the schema.
  void number_tensors();
  Testimony::Of testimony_of() const;
  /// A run on a device: the engine held it against the CPU. What is left is to tell refusals from gaps.
  void conclude_on_device(const std::optional<Error>& mine);
  void conclude_as_prediction(const std::optional<Error>& mine);
  void conclude(const std::optional<Error>& mine, const CallOutcome& outcome);
  /// The engine's findings from that one on: those of the call.
  void take_findings(size_t first);
  bool by_device() const { return cuda_ && !options_.no_real; }
  /// The record is itself of a run on CUDA or on a device of metadata: the rules are asked what it should have been
  /// there.
  bool of_this_device() const { return cuda_ && options_.no_real && record_.on_cuda; }
  bool prediction_refuses() const { return expected_->refused || !expected_->error.empty(); }
  void skip(SkipReason reason, std::string why);
  bool has_error_finding() const;
  std::vector<std::string> spell_arguments() const;
  std::string spell_argument(const RecordedArgument& a) const;

  Crosscheck& engine_;
  const OpEntry& op_;
  const CallRecord& record_;
  const RunOptions& options_;
  const bool cuda_;
  const RecordedOutcome* expected_;
  std::vector<Tensor> fakes_, reals_;  // of the record's tensors
  std::vector<Value> fake_args_, real_args_;
  std::vector<int> flat_of_;  // the engine's number of each; -1: not among the bound arguments
  RecordTestimony testimony_;
  RecordAnswer answer_;
};

}  // namespace ersatz::tools
