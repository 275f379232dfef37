// Crosscheck: runs each call fake and for real, and compares both runs with outside witnesses.
//
// The rule also lays out the real output, so a comparison of the two runs alone proves nothing. Crosscheck compares:
//   metadata   the prediction against an eager fact, results that a kernel allocates, or the exporter's record
//   aliasing   the storage graph of the real results against the fakes' and against what the schema declares
//   mutation   changed metadata and moved versions of arguments, real against fake
//   errors     kind, family and text, real against fake
//   bytes      outputs pre-filled (unwritten elements), guard zones (writes out of bounds), inputs compared with copies
//              (undeclared writes)
//   devices    a call on a GPU against the same call on the CPU: dtype, sizes, values
// A Report collects everything. After a finding both sides take over the observed metadata, so that later calls do not
// repeat the finding.
//
// `Crosscheck` checks one call at a time: a program's interpreter passes it the values of both sides. `CrosscheckMode`
// checks the calls of C++ code. Use each on one thread at a time.
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
  bool guards = true;          ///< find writes before or after outputs
  bool hash_inputs = true;     ///< find undeclared writes
  bool run_real = true;        ///< false: no kernel runs; predictions are compared with facts and records only
  bool other_device = true;    ///< a call on another device also runs on the CPU, and the values are compared
  bool reference_f64 = false;  ///< a third run on f64 inputs; the device or CPU value nearer to it is right
  bool stop_at_first = false;  ///< raise MetadataMismatch at the first finding
  bool strides = true;         ///< compare strides
  /// Compare which results share storage with an argument, are an argument, share storage with another result.
  bool outputs_alias_inputs = true, outputs_are_inputs = true, outputs_alias_each_other = true;
  bool cosmetic_fails = false;                  ///< strides whose difference is cosmetic are findings too
  bool skip_without_rule = false;               ///< do not check ops that have no rule
  std::function<bool(const OpEntry&)> exclude;  ///< ops that are not checked; may be empty
  FakeOptions fake;  ///< `fallback` counts as Zeros: crosscheck always tries it; the report counts sources
  Waivers waivers;
  ReproPrinter repro;  ///< may be empty
};

/// The caller's knowledge of a call.
struct CallSite {
  std::string_view node;    ///< name in the program
  std::string_view source;  ///< the user's source line
  bool tainted = false;     ///< an input was computed from a placeholder: its values mean nothing
  Evidence evidence;
};

/// The reason why crosscheck could not use evidence on whether the call raises.
enum class Undecided : uint8_t {
  No,              ///< it used the evidence, or there was none
  LacksData,       ///< the prediction is refused because it depends on data
  RaisesByData,    ///< the run raised because of data, and no kernel runs here that would look at the data
  RaisesByValues,  ///< Evidence::raises_by_values
  NotModelled,     ///< the rule raises an error that says that ersatz has no model of the call (`is_not_modelled`)
};

struct CallOutcome {
  Values fake;               ///< one per schema return; empty if there is no prediction and the call did not run
  Values real;               ///< one per schema return; empty if the call failed, or without run_real
  Values cpu_values;         ///< if only the device's kernel is missing: the CPU's results, copied to the device
  std::exception_ptr error;  ///< the error of the real call (without run_real: of the fake call)
  bool tainted = false;      ///< values of the results mean nothing
  size_t findings = 0;       ///< number of findings of this call: the last ones in the report
  size_t waived = 0;         ///< number of findings of this call that a waiver matched
  Undecided undecided = Undecided::No;
  int64_t values_compared = 0;    ///< tensors whose values were compared with the evidence
  int64_t values_skipped = 0;     ///< tensors whose values are random, uninitialised or tainted: not compared
  bool data_decided = false;      ///< the results' metadata depend on values
  InlineVec<Counted, 3> counted;  ///< how the report counts each flat result
  explicit operator bool() const { return !error; }
};

/// How a value depends on a result that a library chose among several right ones (runtime/op/library_choice.h).
enum class Choice : uint8_t {
  None,      ///< not at all
  Lawful,    ///< it was chosen, and satisfies its equation
  Computed,  ///< it was computed from chosen values: another choice would have given other values
};

/// A program output, whose values another system computed too.
struct OutputSite {
  std::string_view node;    ///< its name
  std::string_view op;      ///< the operator that made it
  std::string_view source;  ///< the user's source line
  Tolerance tolerance;
  bool random = false;           ///< depends on a generator: values are not compared
  bool tainted = false;          ///< depends on a placeholder: values are not compared
  Choice choice = Choice::None;  ///< if not None, values that differ are no finding
  Counted* counted = nullptr;    ///< how the report counted this result of its call; null: no call returned it
};

/// Returns the results with flat numbers: each element of a list is one, and so is each None.
Values flat_results(const Values& results);

/// Whether a fake raises errors of this kind because its answer depends on data, not because the call is wrong.
bool lacks_data(const Error& e);

class Crosscheck {
 public:
  explicit Crosscheck(CrosscheckOptions options = {});
  ~Crosscheck();

  /// Runs and judges one call. `fake` and `real` are its complete arguments, with fakes of `fake_mode()` and with real
  /// tensors (`real` is empty without run_real). `fresh_fakes`: the caller has just made the fakes from the real
  /// tensors (fake/mode/fake_real_map.h), on their devices. RAISES: only InternalError, or MetadataMismatch with
  /// stop_at_first.
  CallOutcome call(const OpEntry& op, const CallSite& site, std::span<const Value> fake, std::span<const Value> real,
                   bool fresh_fakes = false);
  /// Judges a call that raised before either side had complete arguments. `args`: their text.
  CallOutcome refused(const OpEntry& op, const CallSite& site, const Error& error, std::vector<std::string> args);

  /// Counts a call that is not checked, and its `results` as skipped. `op`: null for an unknown operator.
  void skip(const OpEntry* op, SkipReason reason, size_t results);

  /// Compares the values of a real tensor with `expected`, which is on the CPU. Adds a finding if they differ.
  void judge_output(const OutputSite& site, const Tensor& actual, const Tensor& expected);

  const FakeMode& fake_mode() const;
  const CrosscheckOptions& options() const;
  Report& report();
  const Report& report() const;
  /// Returns the report with its waivers and coverage, and begins an empty report.
  Report take_report();
  /// Adds a finding that the caller made and counts. Returns false if it is waived.
  bool add(Finding finding);
  /// Whether a waiver matches the finding. A match is counted as waived.
  bool waives(const Finding& finding);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ersatz
