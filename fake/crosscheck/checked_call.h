// One call under crosscheck: both sides run, everything that can be compared is, the outcome is made.
//
// An object lives for one call. Flat numbers: tensor arguments in order, lists flattened; results likewise.
#pragma once

#include "fake/crosscheck/cpu_run.h"
#include "fake/crosscheck/meta_words.h"
#include "fake/crosscheck/watched_call.h"
#include "fake/watch/alias_map.h"

namespace ersatz {

class CheckedCall {
 public:
  /// `outcome` is empty, and outlives the object.
  CheckedCall(Crosscheck& check, const OpEntry& op, const CallSite& site, std::span<const Value> fake,
              std::span<const Value> real, CallOutcome& outcome);
  void run();

 private:
  struct ArgumentState {
    TensorImpl* fake = nullptr;
    TensorImpl* real = nullptr;
    uint32_t fake_version = 0, real_version = 0;
    const Storage *fake_storage = nullptr, *real_storage = nullptr;
  };
  struct ResultState {
    Witness witness = Witness::None;
    SkipReason skip = SkipReason::Unwitnessed;
    bool mismatched = false;
    Cosmetic cosmetic = Cosmetic::No;
    bool format_differs = false;
    bool unknown_layout = false;  ///< only the library can tell the strides
    bool takes_real = false;      ///< the fake had something else, and goes on with the truth
    bool on_device = false;       ///< held against the same call on the CPU
    bool values_compared = false;
  };

  /// Why the call is not to be checked; empty if it is.
  std::optional<SkipReason> exempt() const;
  void run_unchecked(SkipReason reason);
  void note_arguments();
  bool are_alike() const;
  void flatten_results();
  void run_fake();
  void ask_rule_for_both();
  void plan_real();
  void run_real();
  /// True: at least one side has no results, and what there is to say has been said.
  bool judge_errors();
  enum class ErrorsSay : uint8_t { Nothing, CallIsJudged, ResultsAreThere };
  ErrorsSay judge_against_recorded(const Error* mine);
  ErrorsSay judge_own(const Error& mine);
  bool judge_sides();
  void judge_counts();
  void judge_tensor(size_t k);
  void judge_number(size_t k);
  void judge_flags(size_t k);
  void note_unknown_layouts();
  /// Rows for what only the device's library could tell.
  void learn_layouts();
  void map_aliases();
  void judge_aliases();
  void judge_alias(size_t k);
  bool judge_alias_check(size_t k, bool wanted, const char* check, bool fake, bool real);
  void judge_alias_facts();
  void judge_declared_aliases();
  void judge_declared_writes();
  void judge_arguments();
  void judge_bytes();
  /// The call on the CPU, from the arguments as they are before it runs on a device.
  void run_on_cpu();
  void judge_device();
  void judge_on_device(size_t k);
  void judge_tensor_on_device(int result, const Tensor& mine, const Tensor& theirs);
  void compare_on_device(int result, const Tensor& mine, const Tensor& theirs);
  void judge_writes_on_device();
  bool may_compare_values() const;
  bool positions_fit(const Tensor& positions) const;
  void take_values_from_cpu();
  void predict_from_cpu();
  void write_back_from_cpu();
  /// Did the real call fail for want of a kernel, and for nothing that the arguments are to blame for?
  bool only_kernel_is_missing() const;
  Tolerance device_tolerance(DType t) const;
  static bool equal_numbers(const Value& a, const Value& b);
  void take_truth();
  void tally();
  /// Counts one result as it was judged.
  Counted count_result(ResultState& state);
  void skip_values(SkipReason reason);

  void compare_meta(size_t k, const TensorMeta& predicted, const TensorMeta& truth, Witness witness);
  /// The prediction with the truth in place of what nobody compares: strides that a library chose, or that the options
  /// leave out.
  TensorMeta compared_part(size_t k, const TensorMeta& predicted, const TensorMeta& truth, Witness witness);
  void note_cosmetic(size_t k, const TensorMeta& predicted, const TensorMeta& truth, Witness witness,
                     const FormatVerdict& format, std::string words);
  void add_finding(int result, FindingField field, std::string predicted, std::string observed, Witness witness,
                   std::string verdict = "significant", std::string words = "");
  /// With the place of the result that it belongs to, if it is one's own metadata.
  std::string spell(size_t k, const TensorMeta& meta) const;
  const ResultFacts& facts(size_t k) const;
  std::span<const ResultFacts> all_facts() const {
    return settled_.empty() ? site_.results : std::span<const ResultFacts>(settled_);
  }
  /// The site's facts, to be changed for this call. REQUIRES: the site has some.
  std::vector<ResultFacts>& settled();
  /// Metadata that depend on values: drops facts of runs on other values, and numbers that only a record's hint gives.
  void settle_data();
  /// Marks the results that differ from their witness only because the call's arguments have taken over the truth of an
  /// earlier finding: with the arguments as the rules alone predict them, the two agree.
  void note_follow_ups();
  /// Drops records of a CPU run, for a call on another device, where the rule gives the CPU what the record says.
  void drop_records_of_cpu();
  /// Is there a tensor predicted for result k that contradicts its truth from outside?
  bool contradicts(const Values& predicted, size_t k, const TensorMeta& truth) const;
  void take_real_arguments();
  std::vector<std::string> spell_arguments() const;
  void mark(size_t k, Witness witness);
  /// Counts the results that a failed call would have had: as skipped, or as judged by a witness and mismatched.
  void count_failed(SkipReason reason);
  void count_mismatched(Witness witness);
  void count_call_mismatched();
  int64_t expected_results() const;
  /// Who outside says that the call passes: the strongest witness of its results.
  Witness outside_witness() const;
  /// Is there a real side to judge? Where its kernel is missing, the prediction still meets the outside witnesses.
  bool has_real() const { return check_.options_.run_real && !no_kernel_; }
  bool may_change_metas() const;
  std::span<const Value> flat() const { return has_real() ? real_flat_ : fake_flat_; }
  const AliasMap& places() const { return has_real() ? real_places_ : fake_places_; }

  Crosscheck& check_;
  const OpEntry& op_;
  const CallSite& site_;
  std::span<const Value> fake_args_, real_args_;
  WatchedCall real_run_;
  std::optional<CpuRun> cpu_run_;
  std::vector<ResultFacts> settled_;  // the site's facts without those that were dropped; empty where none was
  std::vector<bool> follows_;  // per result: it differs from its witness through an earlier finding's truth; or empty
  InlineVec<ArgumentState, 4> arguments_;
  InlineVec<TensorImpl*, 4> fake_tensors_, real_tensors_;  // the arguments' two sides
  InlineVec<TensorMeta, 3> fake_metas_;                    // of the arguments before the call, where it may change them
  InlineVec<TensorMeta, 3> real_metas_;                    // likewise, and where they are not the fakes'
  bool alike_ = false;  // before the call a rule could tell no argument from its counterpart
  AliasMap fake_places_, real_places_;
  std::optional<Error> fake_error_, real_error_;
  std::exception_ptr fake_exception_, real_exception_;
  Answer answer_;  // of the fake side; its results are the outcome's
  bool no_kernel_ = false;
  SkipReason unpredicted_ = SkipReason::DataDependent;  // why there is no prediction, where there is none
  Witness call_witness_ = Witness::None;                // of a finding about the call as a whole
  std::span<const Value> fake_flat_, real_flat_;        // the outcome's results, lists flattened
  Values fake_leaves_, real_leaves_;                    // they view these where there are lists
  Values cpu_flat_, reference_flat_;                    // of the call on another device, run on the CPU
  InlineVec<ResultState, 3> states_;
  CallOutcome& outcome_;
};

}  // namespace ersatz
