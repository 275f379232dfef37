// Converts a recorded call into evidence for crosscheck (fake/crosscheck/witness.h).
#pragma once

#include <vector>

#include "fake/crosscheck/witness.h"
#include "tracer/records/call_record.h"

namespace ersatz {

class RecordEvidence {
 public:
  struct Options {
    Evidence::Of of = Evidence::Of::ThisCall;  ///< SomeRun: the evidence only tells which tensors share storage
    Device device = kCPU;                      ///< device of the call; recorded metadata are converted to it
    bool values = true;
  };

  RecordEvidence() = default;
  /// `outcome` is one of the outcomes in `record`. `flat` has, for each tensor of the record, its number among the flat
  /// tensor arguments of the bound call; -1: it is none of them.
  RecordEvidence(const CallRecord& record, const RecordedOutcome& outcome, std::span<const int> flat,
                 const Options& options);

  /// Returns evidence with views of this object's data. The object must outlive it.
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
