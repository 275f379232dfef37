// The outcome of the judges for one call: its findings, and the state of each of its results.
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
    bool waived = false;  ///< it differs, and a waiver covers the difference
    Cosmetic cosmetic = Cosmetic::No;
    bool format_differs = false;
    bool unknown_layout = false;  ///< only the library determines the strides
    bool takes_real = false;      ///< the fake differs and adopts the observed metadata
    bool on_device = false;       ///< compared with the same call on the CPU
    bool values_compared = false;
  };

  Judgement(Crosscheck& check, const CallCase& of) : report(check.report()), check_(check), case_(of) {}

  /// Adds a finding, unless it is waived. `result` is a flat index, or -1 for the call as a whole or an argument.
  void add(int result, FindingField field, std::string predicted, std::string observed, Witness witness,
           std::string verdict = "significant", std::string words = "");
  /// Both functions count the results that a failed call would have had: as skipped, or as compared with `witness` and
  /// mismatched.
  void count_failed(SkipReason reason);
  void count_mismatched(Witness witness);
  /// Adds the states of the results to the report's counts.
  void tally();
  /// Counts a mismatch for a finding about the call as a whole: that of its first result, or an additional one if it
  /// has no result.
  void count_call_mismatched();
  /// Is there a finding about the call as a whole, or about result k?
  bool spoke_of_call() const { return call_witness_ != Witness::None; }
  bool spoke_of(size_t k) const { return spoke_of_call() || states[k].mismatched || states[k].waived; }

  Report& report;  ///< of the run; judges also list differences in it that are no findings
  InlineVec<Result, 3> states;
  std::vector<bool> follows;  ///< per result: it differs only because of an earlier finding; or empty
  SkipReason unpredicted = SkipReason::DataDependent;  ///< why there is no prediction, if there is none
  size_t findings = 0, waived = 0;
  Undecided undecided = Undecided::No;
  int64_t values_compared = 0, values_skipped = 0;  ///< of those that the testimony has
  InlineVec<Counted, 3> counted;                    ///< how the report counts each flat result

 private:
  void mark(size_t k, Witness witness);
  Counted count_result(Result& state);
  void skip_values(SkipReason reason);
  std::vector<std::string> spell_arguments() const;

  Crosscheck& check_;
  const CallCase& case_;
  Witness call_witness_ = Witness::None;  // of a finding about the call as a whole
};

}  // namespace ersatz
