// Replays one recorded call: builds its arguments and the evidence, runs the engine, and turns the findings into the
// verdict. A ReplayedCall object is used for one call.
#pragma once

#include "tools/calls/replay.h"
#include "tracer/records/record_evidence.h"

namespace ersatz::tools {

class ReplayedCall {
 public:
  ReplayedCall(Crosscheck& engine, const OpEntry& op, const CallRecord& record, const RunOptions& options);
  RecordAnswer run();

 private:
  CallOutcome call();
  void make_arguments();
  std::vector<Value> bind(std::span<const Tensor> tensors) const;
  /// Maps the record's tensor numbers to the engine's tensor numbers, which follow the order of the schema's arguments.
  void number_tensors();
  Evidence::Of evidence_of() const;
  /// Sets the verdict of a run on a device, which the engine compared with the CPU. Distinguishes calls that the device
  /// refuses from missing kernels.
  void conclude_on_device(const std::optional<Error>& mine);
  void conclude_as_prediction(const std::optional<Error>& mine);
  void conclude(const std::optional<Error>& mine, const CallOutcome& outcome);
  /// Takes the engine's findings from index `first` on. They are the findings of this call.
  void take_findings(size_t first);
  bool by_device() const { return cuda_ && !options_.no_real; }
  /// True if the record is a run on CUDA or on a metadata-only device, and only the rules are compared with it.
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
  std::vector<Tensor> fakes_, reals_;  // one tensor for each tensor of the record
  std::vector<Value> fake_args_, real_args_;
  std::vector<int> flat_of_;  // for each tensor of the record, the engine's number; -1: no argument holds it
  RecordEvidence evidence_;
  RecordAnswer answer_;
};

}  // namespace ersatz::tools
