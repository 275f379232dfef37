// The findings of the judge_* functions about one call, and the state of each of its results.
#pragma once

#include "fake/crosscheck/call_case.h"
#include "fake/crosscheck/meta_words.h"

namespace ersatz {

class Judgement {
 public:
  struct Result {
    Witness witness = Witness::None;
    SkipReason skip = SkipReason::Unwitnessed;
    bool mismatched = false;
    bool waived = false;  ///< the result differs, and a waiver matched the difference
    Cosmetic cosmetic = Cosmetic::No;
    bool format_differs = false;
    bool unknown_layout = false;   ///< only a library of the device decides the strides
    bool adopts_observed = false;  ///< the fake result gets the observed metadata
    bool on_device = false;        ///< compared with the CPU run of this call
    bool values_compared = false;
  };

  Judgement(Crosscheck& check, const CallCase& of) : report(check.report()), check_(check), case_(of) {}

  /// Adds a finding, unless it is waived. `result` is the index of a result, counting elements of lists, or -1 for the
  /// whole call or an argument.
  void add(int result, FindingField field, std::string predicted, std::string observed, Witness witness,
           std::string verdict = "significant", std::string words = "");
  /// Count the results that a failed call would have had: `count_failed` as skipped, `count_mismatched` as compared
  /// with `witness` and mismatched.
  void count_failed(SkipReason reason);
  void count_mismatched(Witness witness);
  /// Counts each result in the report, according to its state.
  void tally();
  /// Counts a mismatch for a finding about the whole call: the call's first result becomes mismatched. If the call has
  /// no results, one more result is counted.
  void count_call_mismatched();
  /// Returns whether there is a finding about the whole call. `spoke_of(k)` also returns true if there is one about
  /// result k, waived or not.
  bool spoke_of_call() const { return call_witness_ != Witness::None; }
  bool spoke_of(size_t k) const { return spoke_of_call() || states[k].mismatched || states[k].waived; }

  Report& report;  ///< the report of the run; judge_* functions also add entries to it that are no findings
  InlineVec<Result, 3> states;
  std::vector<bool> follows;  ///< per result: whether it differs only because of an earlier finding; may be empty
  SkipReason unpredicted = SkipReason::DataDependent;  ///< the skip reason of results for which there is no prediction
  size_t findings = 0, waived = 0;
  Undecided undecided = Undecided::No;
  int64_t values_compared = 0, values_skipped = 0;  ///< number of tensors whose values were, or were not, compared with
                                                    ///< the evidence
  InlineVec<Counted, 3> counted;                    ///< how the report counts each result

 private:
  void mark(size_t k, Witness witness);
  Counted count_result(Result& state);
  void skip_values(SkipReason reason);
  std::vector<std::string> spell_arguments() const;

  Crosscheck& check_;
  const CallCase& case_;
  Witness call_witness_ = Witness::None;  // witness of a finding about the whole call
};

}  // namespace ersatz
