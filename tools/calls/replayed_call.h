// One recorded call while it is replayed and judged. An object lives for one call.
//
// Flat numbers: a record numbers its tensors as they are written, the engine in the order of the schema; `flat_of_`
// leads from one to the other.
#pragma once

#include "tools/calls/replay.h"

namespace ersatz::tools {

class ReplayedCall {
 public:
  ReplayedCall(Crosscheck& engine, const OpEntry& op, const CallRecord& record, const ReplayOptions& options);
  RecordAnswer run();

 private:
  void call_and_judge();
  static Error error_of(const std::exception_ptr& p);
  void make_arguments();
  std::vector<Value> bind(std::span<const Tensor> tensors) const;
  /// Records number tensors as they are written, the engine in the order of the schema.
  void number_tensors();
  /// The storage of an argument after the call, by its name.
  int64_t storage_after(size_t argument) const;
  TensorMeta expected_meta(const RecordedTensor& t) const;
  void make_facts();
  /// A run on a device, which the engine has held against the CPU. What is left: calls that the device refuses, and
  /// those that nothing could judge.
  void judge_on_device(const std::optional<Error>& mine);
  bool by_device() const { return cuda_ && !options_.no_real; }
  /// True: one of the two refuses, so there is nothing to compare.
  bool judged_as_prediction(const std::optional<Error>& mine);
  void take_engine_findings();
  void skip_here(SkipReason reason, std::string why);
  std::string expected_text() const;
  bool has_error_finding() const;
  /// True: one side raised, and what there is to say has been said.
  bool judge_error(const std::optional<Error>& mine, const CallOutcome& outcome);
  bool judged_by_engine(int result) const;
  void judge_results(bool tainted);
  static std::string text_of(const RecordedResult& r);
  void judge_tensor(int k, const RecordedTensor& recorded, bool tainted);
  /// Metadata and bits. `field`: what a difference is called; Size stands for the field that differs.
  bool judge_meta(int k, FindingField field, const TensorMeta& actual, const TensorMeta& expected,
                  const std::string& words);
  const std::vector<Tensor>& arguments() const { return options_.no_real ? fakes_ : reals_; }
  int argument_that_is(const Tensor& t) const;
  void judge_identity(int k, const RecordedTensor& recorded, const Tensor& actual);
  /// Results that share a storage with each other, where no argument has it (the engine judges those).
  void judge_sharing();
  void judge_values(int k, const RecordedTensor& recorded, const Tensor& actual, bool tainted, const std::string& what);
  /// The coarsest dtype that the values may have gone through: those of the inputs, and the default dtype where those
  /// are integers. A result in f64 of f32 inputs is no better than they are.
  DType computed_in(DType result) const;
  const RecordedTensor* after(size_t argument) const;
  /// The result that the argument is; null where it is none.
  const RecordedTensor* returned(size_t argument) const;
  void judge_arguments(bool tainted);
  void judge_untouched(size_t argument, bool tainted);
  void judge_argument_storage(size_t k, const RecordedTensor& recorded);
  std::vector<std::string> spell_arguments() const;
  std::string spell_argument(const RecordedArgument& a) const;
  void add_finding(int result, FindingField field, std::string predicted, std::string observed, std::string words = "");
  void count_mismatched();

  Crosscheck& engine_;
  const OpEntry& op_;
  const CallRecord& record_;
  const ReplayOptions& options_;
  const bool cuda_;
  const RecordedOutcome* expected_;
  std::vector<Tensor> fakes_, reals_;  // of the record's tensors
  std::vector<Value> fake_args_, real_args_;
  std::vector<int> flat_of_;  // the engine's number of each; -1: not among the bound arguments
  std::vector<ResultFacts> facts_;
  std::vector<Value> results_;
  RecordAnswer answer_;
};

}  // namespace ersatz::tools
