// Crosscheck makes a fake and a real run of each call, and compares both with evidence from other sources (Witness).
//
// For most ops the rule also decides the layout of the real result, so a comparison of the two runs alone proves
// nothing. Crosscheck compares:
//   metadata   the prediction against the metadata of an eager run, of results that a kernel allocates, or of the
//              exporter's record
//   aliasing   the storages that real results share, against those that the fakes share and the schema declares
//   mutation   changed metadata and moved versions of arguments, real against fake
//   errors     kind, family and text, real against fake
//   bytes      outputs against the fill that they had before (unwritten elements), guard zones (writes out of bounds),
//              inputs against copies of them (undeclared writes)
//   devices    a call on a GPU against the same call on the CPU: dtype, sizes, values
// A Report has all counts and findings. After a finding the fake and the real result both get the observed metadata, so
// that later calls do not repeat the finding.
//
// `Crosscheck` checks one call at a time: a program's interpreter passes it the fake and the real arguments.
// `CrosscheckMode` checks the calls of C++ code. Only one thread at a time may use an object.
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
  bool run_real = true;        ///< false: no kernel runs, and predictions are compared with the caller's Evidence only
  bool other_device = true;    ///< also run a call on a GPU on the CPU, and compare the values
  bool reference_f64 = false;  ///< also run the call on f64 inputs; of the device's and the CPU's value, the one nearer
                               ///< to the f64 value counts as right
  bool stop_at_first = false;  ///< raise MetadataMismatch at the first finding
  bool strides = true;         ///< compare strides
  /// Compare which results share storage with an argument, are an argument, or share storage with another result.
  bool outputs_alias_inputs = true, outputs_are_inputs = true, outputs_alias_each_other = true;
  bool cosmetic_fails = false;                  ///< strides that differ without effect (Cosmetic) are findings too
  bool skip_without_rule = false;               ///< do not check ops that have no rule
  std::function<bool(const OpEntry&)> exclude;  ///< ops that are not checked; may be empty
  FakeOptions fake;  ///< options of the fake mode; crosscheck sets its own fallback, cache, propagate_real and
                     ///< count_sources
  Waivers waivers;
  ReproPrinter repro;  ///< may be empty
};

/// The caller's data about a call.
struct CallSite {
  std::string_view node;    ///< the node's name in the program
  std::string_view source;  ///< the user's source line
  bool tainted = false;     ///< an input was computed from a placeholder, so the values of results are meaningless
  Evidence evidence;
};

/// Says why crosscheck could not use the evidence about whether the call raises an error.
enum class Undecided : uint8_t {
  No,              ///< crosscheck used the evidence, or there was none
  LacksData,       ///< the prediction is refused because it depends on data
  RaisesByData,    ///< the recorded run raised an error because of data; without a kernel, this run cannot raise it
  RaisesByValues,  ///< values that are not known decide whether the call raises an error (Evidence::raises_by_values)
  NotModelled,     ///< the rule raises an error that says that ersatz has no model of the call (is_not_modelled)
};

struct CallOutcome {
  Values fake;               ///< one per schema return; empty if there is no prediction and no real run
  Values real;               ///< one per schema return; empty if the call failed, or if run_real is false
  Values cpu_values;         ///< if only the device's kernel is missing: the results of the CPU run, copied to the
                             ///< device
  std::exception_ptr error;  ///< the error of the real run; if run_real is false, of the fake run
  bool tainted = false;      ///< the values of the results are meaningless
  size_t findings = 0;       ///< number of findings of this call, which are the last ones in the report
  size_t waived = 0;         ///< number of findings of this call that a waiver matched
  Undecided undecided = Undecided::No;
  int64_t values_compared = 0;    ///< number of tensors whose values were compared with the evidence
  int64_t values_skipped = 0;     ///< number of tensors whose values were not compared: random, uninitialised or
                                  ///< tainted
  bool data_decided = false;      ///< the results' metadata depend on values
  InlineVec<Counted, 3> counted;  ///< how the report counts each result, including elements of lists
  explicit operator bool() const { return !error; }
};

/// Says how a value depends on a result that a library chose among several right ones (runtime/op/library_choice.h).
enum class Choice : uint8_t {
  None,      ///< not at all
  Lawful,    ///< the value was chosen by a library, and satisfies the op's equation
  Computed,  ///< the value was computed from a value that a library chose, and another choice would change it
};

/// An output of a program, with which values from another system are compared.
struct OutputSite {
  std::string_view node;    ///< the output's name
  std::string_view op;      ///< the operator whose call returned the output
  std::string_view source;  ///< the user's source line
  Tolerance tolerance;
  bool random = false;           ///< the output depends on random numbers: values are not compared
  bool tainted = false;          ///< the output was computed from a placeholder: values are not compared
  Choice choice = Choice::None;  ///< if not Choice::None, different values are no finding
  Counted* counted = nullptr;    ///< how the report counted the result that is this output; null if the output is no
                                 ///< result of a call
};

/// Returns the results as one list: each element of a list result is an item, and so is each None.
Values flat_results(const Values& results);

/// Returns whether a fake run raises errors of this kind because its answer depends on data, not because the call is
/// wrong.
bool lacks_data(const Error& e);

class Crosscheck {
 public:
  explicit Crosscheck(CrosscheckOptions options = {});
  ~Crosscheck();

  /// Makes the fake run and the real run of one call, and compares them. `fake` and `real` are all arguments of the
  /// call, with fakes of `fake_mode()` and with real tensors; without run_real, `real` is empty. `fresh_fakes`: the
  /// caller has just made the fakes from the real tensors (fake/mode/fake_real_map.h), on their devices. RAISES: only
  /// InternalError, or MetadataMismatch with stop_at_first.
  CallOutcome call(const OpEntry& op, const CallSite& site, std::span<const Value> fake, std::span<const Value> real,
                   bool fresh_fakes = false);
  /// For a call that raised `error` before its arguments were complete: compares the error with the call's evidence.
  /// `args` are texts of the arguments.
  CallOutcome refused(const OpEntry& op, const CallSite& site, const Error& error, std::vector<std::string> args);

  /// Counts a call that is not checked, and its `results` results as skipped. `op` is null for an unknown operator.
  void skip(const OpEntry* op, SkipReason reason, size_t results);

  /// Compares the values of a real tensor with `expected`, which is on the CPU. Adds a finding if they differ.
  void judge_output(const OutputSite& site, const Tensor& actual, const Tensor& expected);

  const FakeMode& fake_mode() const;
  const CrosscheckOptions& options() const;
  Report& report();
  const Report& report() const;
  /// Returns the report with its waivers and coverage, and starts an empty report.
  Report take_report();
  /// Adds a finding that the caller made; the caller also counts its result. Returns false if it is waived.
  bool add(Finding finding);
  /// Returns whether a waiver matches the finding. If so, the finding is counted as waived.
  bool waives(const Finding& finding);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ersatz
