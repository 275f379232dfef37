// Compares the calls of a live program with the rules, and keeps counts and findings for `ersatz.torch.crosscheck`.
//
// A call arrives as C values (ask.h): first its arguments, then its results or error, and the arguments after the call.
// If the outcome equals the rule's prediction exactly, it is only counted. Otherwise the call is converted to a record
// (docs/call-records.md), which is replayed as `ersatz crosscheck` replays records of files. So there is only one
// comparison, and the record is the repro of the finding.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "fake/ask/asked_call.h"
#include "fake/crosscheck/crosscheck.h"
#include "tools/infer/unknown_size.h"
#include "tools/live/compiled_graphs.h"
#include "tools/live/live_devices.h"
#include "tools/live/live_outcome.h"
#include "tools/live/live_report.h"
#include "tools/live/own_ops.h"
#include "tracer/records/call_record.h"

namespace ersatz::tools {

class LiveSession {
 public:
  /// `device` is the choice for LiveDevices.
  explicit LiveSession(CrosscheckOptions options, const std::string& device = "");

  /// The metadata-only devices on which the run has tensors.
  const LiveDevices devices;
  /// Returns the user's source line. It is called only when there is a finding.
  std::function<std::string()> where;
  /// Returns the source line of the fake kernel that made the result: `my_ops.py:9 in _: return ...`; empty if unknown.
  std::function<std::string(const std::string& record, FindingField field, int result)> to_change;
  /// Operators without a rule, and the functions that ask their fake kernels for predictions.
  OwnOps own;
  /// Operators that the user excludes, as patterns with `*`, for example `mylib.*`.
  std::vector<std::string> excluded;

  /// Returns the process group with the name that a collective got as argument; nullopt if this process is not in the
  /// group.
  std::function<std::optional<ProcessGroup>(const std::string& name)> group;
  /// Returns the rank of this process; nullopt if there is only one process or the rank is not known yet.
  std::function<std::optional<Rank>()> rank_of_process;

  /// Stores the arguments of a call. If the operator is in `own`, asks its fake kernel for a prediction. Returns false
  /// if the arguments do not match the schema; the call is then skipped.
  bool begin(const OpEntry& op, std::span<const ErsatzValue> arguments, DType default_dtype = DType::F32);
  /// Returns the prediction for the call that has begun; null if its operator is not in `own`.
  const OwnPrediction* predicted() const { return prediction_; }
  /// Compares the call that has begun with its prediction, and adds findings. Returns their number.
  size_t end(const OpEntry& op, const RuleContext& context, const LiveOutcome& outcome);
  /// Compares the prediction in a recorded call with the run in it. `why`: the reason if the record has no prediction.
  void judge_record(std::string_view name, const std::string& line, std::string_view why);
  /// Counts a call that is not compared, by reason. `results`: its number of results that are not None.
  void skip(const OpEntry* op, std::string_view name, std::string_view why, size_t results);

  /// Counts a call of `op` on a tensor subclass named `type`. The call itself is not compared.
  void count_subclass(std::string_view type, std::string_view op);
  /// The graphs that torch.compile compiled in this run.
  CompiledGraphs compiled;
  /// Compares autograd's flags of a call's results with ersatz's autograd. The record in `line` has the flags (`rg`).
  /// Returns the reason if they cannot be compared, else an empty text. A finding names the source line `at`.
  std::string judge_gradients(const std::string& line, const std::string& at);
  /// Adds findings about the gradients of a call. Each finding gets the repro `repro`.
  void add_gradient_findings(std::vector<Finding> found, CallRecord record, const std::string& repro,
                             const std::string& at);
  /// Counts of calls whose autograd flags were compared; nullopt if the session does not compare them.
  std::optional<GradientCounts> gradients;
  /// Stores the rank of this process if it is known now.
  void note_rank();

  /// Returns the report with the findings so far.
  Report report() const { return report(nullptr); }
  LiveReport told(const std::string& input) const;
  std::string closing() const;

 private:
  /// Returns the report. `times`, if not null, gets for each finding how often it occurred.
  Report report(std::vector<int64_t>* times) const;
  /// Returns the process group that the current call's arguments name.
  std::optional<ProcessGroup> group_of(const OpEntry& op);
  bool agrees(const OpEntry& op, const LiveOutcome& outcome);
  /// Runs the rule and stores its result in `rule_`. If a result depends on data, its symbols get the sizes and numbers
  /// of the actual results. A size outside its symbol's range stays symbolic. Returns false if the rule has no answer.
  bool ask(const OpEntry& op, const LiveOutcome& outcome);
  bool settle_data(ShapeEnv& env, const LiveOutcome& outcome);
  /// Reports a difference in results that depend on data. A replayed record could not show it, because records may lack
  /// the data.
  size_t judge_data(const OpEntry& op, const LiveOutcome& outcome);
  size_t judge(const OpEntry& op, const LiveOutcome& outcome);
  /// Compares a call of an operator in `own` with the prediction of its fake kernel.
  size_t judge_own(const OpEntry& op, const LiveOutcome& outcome);
  /// Notes dims whose size the fake kernel leaves unknown. After calls with several sizes, a finding may say how to
  /// compute the size.
  void note_unknown_sizes(const OpEntry& op, CallRecord record);
  /// Counts a compared call of an operator in `own` and adds its findings. `known`: the prediction was made for an
  /// earlier call. Returns the number of findings.
  size_t add_own(std::vector<Finding> findings, CallRecord record, int64_t results, bool known);
  /// Counts a call of a custom operator that was not compared, with the reason.
  void leave_unjudged(std::string_view name, std::string_view why);
  /// Notes that a call of this custom operator was compared.
  void note_judged(std::string_view name);
  bool is_excluded(std::string_view name) const;
  /// True if the schema declares a write to this tensor argument, or to another tensor argument on the same storage.
  bool is_declared_written(const OpEntry& op, size_t tensor) const;
  /// Returns a finding about the current call in which `predicted` and `observed` are still empty.
  Finding finding(const OpEntry& op, FindingField field) const;
  /// Returns the tensor argument whose version counter changed although neither the schema nor the rule declares a
  /// write; nullopt if there is none.
  std::optional<size_t> undeclared_write(const OpEntry& op, const LiveOutcome& outcome) const;
  /// Adds a finding about an undeclared write. It is added directly, because records have no version counters.
  void note_undeclared_write(const OpEntry& op, const LiveOutcome& outcome);
  /// Returns the tensor argument that the gloo backend writes as if it were dense, so that elements of other tensors
  /// change (docs/found.md).
  const TensorImpl* written_as_a_row(const OpEntry& op, const LiveOutcome& outcome) const;
  void note_written_as_a_row(const OpEntry& op, const TensorImpl& t);
  [[noreturn]] void stop(const Finding& found) const;
  CallRecord record(const OpEntry& op, const LiveOutcome& outcome) const;
  /// Merges the engine's findings from index `before` on with earlier findings. If a finding occurred before, only its
  /// count increases. Returns the number of findings.
  size_t fold(size_t before, CallRecord record);

  const bool stops_;
  Crosscheck engine_;
  Report counted_;  ///< has only counts of calls and results; the engine's report has the rest
  AskedCall call_;
  const OwnPrediction* prediction_ = nullptr;
  std::shared_ptr<ShapeEnv> env_;  ///< the ShapeEnv of the symbols in `rule_`
  RuleResult rule_;
  bool settled_ = false;  ///< the symbols in `rule_` were replaced by values of the actual results
  CallCounts skipped_, subclasses_;
  std::set<std::string, std::less<>> own_judged_;  ///< custom operators with a call that was compared
  std::optional<ProcessGroup> group_;              ///< process group of the current call
  std::optional<Rank> rank_;
  struct Unknown {
    UnknownSize size;
    /// The fake kernel's source line, set when it is known that the kernel could return the size.
    std::string to_change = {};
    bool is_known() const { return size.sizes() >= 3 && !size.known().empty(); }
  };
  std::map<std::tuple<const OpEntry*, int, int64_t>, Unknown> unknown_;  ///< key: operator, flat result, dim
  std::map<std::string, size_t> causes_;  ///< finding's key (as `fold` makes it) -> its index
  std::vector<int64_t> times_;            ///< for each finding, how often it occurred
  int64_t calls_ = 0;
};

}  // namespace ersatz::tools
