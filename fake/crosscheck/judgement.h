// What the judges of one call have said: findings, and how each of its results stands.
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
    bool waived = false;  ///< it differs, and a waiver speaks for that
    Cosmetic cosmetic = Cosmetic::No;
    bool format_differs = false;
    bool unknown_layout = false;  ///< only the library can tell the strides
    bool takes_real = false;      ///< the fake differs, and goes on with the truth
    bool on_device = false;       ///< held against the same call on the CPU
    bool values_compared = false;
  };

  Judgement(Crosscheck& check, const CallCase& of) : report(check.report()), check_(check), case_(of) {}

  /// Adds a finding, unless it is waived. `result`: flat, or -1 for the call as a whole or an argument.
  void add(int result, FindingField field, std::string predicted, std::string observed, Witness witness,
           std::string verdict = "significant", std::string words = "");
  /// Counts the results that a failed call would have had: as skipped, or as judged by a witness and mismatched.
  void count_failed(SkipReason reason);
  void count_mismatched(Witness witness);
  /// Counts the results as they stand.
  void tally();
  /// Counts a mismatch for a finding about the call as a whole: its first result's, or one more where it has none.
  void count_call_mismatched();
  /// Is there a finding about the call as a whole, or about result k?
  bool spoke_of_call() const { return call_witness_ != Witness::None; }
  bool spoke_of(size_t k) const { return spoke_of_call() || states[k].mismatched || states[k].waived; }

  Report& report;  ///< of the run; judges also list in it what is no finding
  InlineVec<Result, 3> states;
  std::vector<bool> follows;  ///< per result: it differs from its witness through an earlier finding's truth; or empty
  SkipReason unpredicted = SkipReason::DataDependent;  ///< why there is no prediction, where there is none
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
