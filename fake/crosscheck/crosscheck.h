// Crosscheck: runs each call fake and for real, and compares both with outside evidence.
//
// The rule makes the real output too, so comparing the two alone proves nothing. What is compared:
//   metadata   the prediction against an eager fact, results that a kernel allocates, or the exporter's record
//   aliasing   the storage graph of the real results against the fakes' and against what the schema declares
//   mutation   changed metadata and moved versions of arguments, real against fake
//   errors     kind, family and text, real against fake
//   bytes      outputs pre-filled (unwritten elements), guard zones (writes out of bounds), inputs compared with copies
//              (undeclared writes)
//   devices    a call on a GPU against the same call on the CPU: dtype, sizes, values
// A Report collects all findings. After a finding both sides adopt the observed metadata, so later calls do not repeat
// it.
//
// `Crosscheck` is the engine for one call at a time: a program's interpreter drives it with both sides' values.
// `CrosscheckMode` puts it under C++ calls. One thread at a time.
#pragma once

#include <exception>
#include <memory>

#include "fake/crosscheck/report.h"
#include "fake/crosscheck/value_compare.h"
#include "fake/crosscheck/waiver.h"
#include "fake/mode/fake_mode.h"

namespace ersatz {

struct CrosscheckOptions {
  bool poison = true;          ///< find unwritten elements
  bool guards = true;          ///< find writes beside outputs
  bool hash_inputs = true;     ///< find undeclared writes
  bool run_real = true;        ///< false: no kernel runs, predictions meet facts and records only
  bool other_device = true;    ///< a call on another device is run on the CPU too, and values are compared
  bool reference_f64 = false;  ///< ... and on f64 inputs: the nearer of the two is right
  bool stop_at_first = false;  ///< raise MetadataMismatch at the first finding
  bool strides = true;         ///< compare strides
  /// Compare which results share storage with an argument, are one, share storage with another result.
  bool outputs_alias_inputs = true, outputs_are_inputs = true, outputs_alias_each_other = true;
  bool cosmetic_fails = false;                  ///< strides that differ where it does not matter are findings too
  bool skip_without_rule = false;               ///< do not check ops that have no rule
  std::function<bool(const OpEntry&)> exclude;  ///< ops that are not checked; may be empty
  FakeOptions fake;  ///< `fallback` is taken as Zeros: crosscheck always probes; sources are counted
  Waivers waivers;
  ReproPrinter repro;  ///< may be empty
};

/// The caller's information about a call.
struct CallSite {
  std::string_view node;    ///< name in the program
  std::string_view source;  ///< the user's source line
  bool tainted = false;     ///< an input comes from a placeholder: values mean nothing
  Testimony testimony;
};

/// Why evidence about whether the call raises could not be compared.
enum class Undecided : uint8_t {
  No,              ///< it could, or there was none
  LacksData,       ///< the prediction is refused for want of data
  RaisesByData,    ///< the run raised, and no kernel runs here that would look at the data
  RaisesByValues,  ///< Testimony::raises_by_values
  NotModelled,     ///< the rule says that there is no answer to this here (`is_not_modelled`)
};

struct CallOutcome {
  Values fake;               ///< one per schema return; empty if it could not be predicted and did not run
  Values real;               ///< one per schema return; empty if the call failed, or without run_real
  Values cpu_values;         ///< where only the device's kernel is missing: the CPU's results, on the device
  std::exception_ptr error;  ///< what the real call (without run_real: the fake one) raised
  bool tainted = false;      ///< values of the results mean nothing
  size_t findings = 0;       ///< made by this call: the last of the report's
  size_t waived = 0;         ///< findings of this call that a waiver covers
  Undecided undecided = Undecided::No;
  int64_t values_compared = 0;    ///< tensors whose values the evidence has
  int64_t values_skipped = 0;     ///< tensors whose values the evidence has, but that the inputs do not determine
  bool data_decided = false;      ///< the results' metadata depend on values, so that other values give others
  InlineVec<Counted, 3> counted;  ///< how the report counts each flat result
  explicit operator bool() const { return !error; }
};

/// How a value depends on what a library chose among several right results (runtime/op/library_choice.h).
enum class Choice : uint8_t {
  None,      ///< not at all
  Lawful,    ///< it was chosen, and satisfies what it has to
  Computed,  ///< it was computed from chosen values: another choice would have given others
};

/// A result at a program's end, with values that another system computed.
struct OutputSite {
  std::string_view node;    ///< its name
  std::string_view op;      ///< that made it
  std::string_view source;  ///< the user's source line
  Tolerance tolerance;
  bool random = false;           ///< depends on a generator: values are not compared
  bool tainted = false;          ///< depends on a placeholder: values are not compared
  Choice choice = Choice::None;  ///< where it is another one, other values are no finding
  Counted* counted = nullptr;    ///< how the result of the call that made it was counted; null: no call returned it
};

/// Returns the results numbered flat: elements of lists one by one, None included.
Values flat_results(const Values& results);

/// Is the error of a kind that a fake raises when its answer depends on data, and not because the call is wrong?
bool lacks_data(const Error& e);

class Crosscheck {
 public:
  explicit Crosscheck(CrosscheckOptions options = {});
  ~Crosscheck();

  /// Runs and judges one call. `fake` and `real` are the same complete arguments, one with fakes of `fake_mode()`, one
  /// with real tensors (empty without run_real). Raises only InternalError, or MetadataMismatch with stop_at_first.
  /// `twins`: the caller has just made the fakes after the real tensors (fake/mode/twins.h), on their devices.
  CallOutcome call(const OpEntry& op, const CallSite& site, std::span<const Value> fake, std::span<const Value> real,
                   bool twins = false);
  /// Judges a call that raised before either side had complete arguments. `args`: these as the caller spells them.
  CallOutcome refused(const OpEntry& op, const CallSite& site, const Error& error, std::vector<std::string> args);

  /// Counts a call that is not checked, and so many results as skipped. `op`: null for an unknown operator.
  void skip(const OpEntry* op, SkipReason reason, size_t results);

  /// Compares the values of a real tensor with the expected ones, on the CPU: a finding where they differ.
  void judge_output(const OutputSite& site, const Tensor& actual, const Tensor& expected);

  const FakeMode& fake_mode() const;
  const CrosscheckOptions& options() const;
  Report& report();
  const Report& report() const;
  /// The report with its waivers and coverage; a fresh one begins.
  Report take_report();
  /// Adds and counts a finding of the caller; returns false if it is waived.
  bool add(Finding finding);
  /// Is there a waiver for the finding? It is then counted as waived.
  bool waives(const Finding& finding);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ersatz
