// What a recorded call says, in the form that crosscheck takes (fake/crosscheck/witness.h).
#pragma once

#include <vector>

#include "fake/crosscheck/witness.h"
#include "tracer/records/call_record.h"

namespace ersatz {

class RecordTestimony {
 public:
  struct Options {
    Testimony::Of of = Testimony::Of::ThisCall;  ///< SomeRun: who shares storage with whom is told, and no more
    Device device = kCPU;                        ///< where the call runs: metadata are told for it
    bool values = true;
  };

  RecordTestimony() = default;
  /// `outcome` is one of the record's. `flat`: the number of each of its tensors among the flat tensor arguments of the
  /// bound call; -1 where it is none of them.
  RecordTestimony(const CallRecord& record, const RecordedOutcome& outcome, std::span<const int> flat,
                  const Options& options);

  /// Views the object.
  Testimony testimony() const;

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
