// Converts a recorded call into evidence for crosscheck (fake/crosscheck/witness.h).
#pragma once

#include <vector>

#include "fake/crosscheck/witness.h"
#include "tracer/records/call_record.h"

namespace ersatz {

class RecordEvidence {
 public:
  struct Options {
    Evidence::Of of = Evidence::Of::ThisCall;  ///< SomeRun: the evidence has only which tensors share storage
    Device device = kCPU;                      ///< device of the call, to which the metadata are converted
    bool values = true;
  };

  RecordEvidence() = default;
  /// `outcome` is one of the outcomes of `record`. `flat` has the index of each of its tensors among the flat tensor
  /// arguments of the bound call, -1 for a tensor that is none of them.
  RecordEvidence(const CallRecord& record, const RecordedOutcome& outcome, std::span<const int> flat,
                 const Options& options);

  /// Returns a view into this object.
  Evidence evidence() const;

 private:
  ResultFacts tensor(const RecordedTensor& t, const RecordedOutcome& storages) const;
  TensorMeta meta(const RecordedTensor& t) const;
  Tensor values(const RecordedTensor& t) const;
  void add_arguments(const RecordedOutcome& outcome);

  const CallRecord* record_ = nullptr;
  std::span<const int> flat_;
  Options options_;
  std::vector<ResultFacts> results_;
  std::vector<ArgumentFacts> arguments_;
  std::optional<ErrorFact> error_;
};

}  // namespace ersatz
