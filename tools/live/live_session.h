// Compares the calls of a live program with the rules: counts and findings of `ersatz.torch.crosscheck`.
//
// A call arrives as C values (ask.h): first its arguments, then its results or error and the arguments after the call.
// If it agrees exactly with its rule, it is only counted. Otherwise it becomes a record (docs/call-records.md), which
// is replayed as `ersatz crosscheck` replays records of a file. So there is only one comparison, and the record is the
// repro of the finding.
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
  /// `device`: the choice for LiveDevices.
  explicit LiveSession(CrosscheckOptions options, const std::string& device = "");

  /// Metadata-only devices that the run has tensors on.
  const LiveDevices devices;
  /// Returns the user's line. It is called when there is a finding.
  std::function<std::string()> where;
  /// Returns the line of the fake kernel that made the result: `my_ops.py:9 in _: return ...`; empty if unknown.
  std::function<std::string(const std::string& record, FindingField field, int result)> to_change;
  /// Operators without a rule, with the functions that ask their fake kernels.
  OwnOps own;
  /// Operators that the user excludes, as patterns like those of waivers: `mylib.*`.
  std::vector<std::string> excluded;

  /// The process group with the name that a collective was given; nullopt if this process does not have it.
  std::function<std::optional<ProcessGroup>(const std::string& name)> group;
  /// The rank of this process; nullopt if it is alone or its rank is not known yet.
  std::function<std::optional<Rank>()> rank_of_process;

  /// Stores the call's arguments, and asks the fake kernel for an operator of `own`. Returns false if the arguments do
  /// not match the schema; the call is then skipped.
  bool begin(const OpEntry& op, std::span<const ErsatzValue> arguments, DType default_dtype = DType::F32);
  /// The prediction for the call that has begun; null if its operator is not in `own`.
  const OwnPrediction* predicted() const { return prediction_; }
  /// Compares the call with its prediction. Returns the number of findings.
  size_t end(const OpEntry& op, const RuleContext& context, const LiveOutcome& outcome);
  /// Compares a call's recorded prediction with its recorded run. `why`: the reason if the record has no prediction.
  void judge_record(std::string_view name, const std::string& line, std::string_view why);
  /// Counts a call that is not compared, and the reason. `results`: number of results that are not None.
  void skip(const OpEntry* op, std::string_view name, std::string_view why, size_t results);

  /// Counts a call on a tensor subclass with that name. The call itself is not compared.
  void count_subclass(std::string_view type, std::string_view op);
  /// The graphs that were compiled in this run.
  CompiledGraphs compiled;
  /// Compares autograd's flags of a call's results, which are in the record (`rg`), with ersatz's autograd. Returns the
  /// reason if they cannot be compared, else an empty text. A finding names the line `at`.
  std::string judge_gradients(const std::string& line, const std::string& at);
  /// Adds findings about the gradients of a call. `repro`: the repro of each finding.
  void add_gradient_findings(std::vector<Finding> found, CallRecord record, const std::string& repro,
                             const std::string& at);
  /// Counts of calls whose gradient flags were compared; nullopt if the session compares no gradients.
  std::optional<GradientCounts> gradients;
  /// Stores the rank of this process if it is known now.
  void note_rank();

  /// The findings so far.
  Report report() const { return report(nullptr); }
  LiveReport told(const std::string& input) const;
  std::string closing() const;

 private:
  /// `times`: gets how often each finding was made.
  Report report(std::vector<int64_t>* times) const;
  /// The process group that the current call names.
  std::optional<ProcessGroup> group_of(const OpEntry& op);
  bool agrees(const OpEntry& op, const LiveOutcome& outcome);
  /// Asks the rule and stores its result in `rule_`. A result that depends on data has symbols, which get the sizes and
  /// numbers of the actual results. A size out of its symbol's range is left symbolic. Returns false if the rule has no
  /// answer.
  bool ask(const OpEntry& op, const LiveOutcome& outcome);
  bool settle_data(ShapeEnv& env, const LiveOutcome& outcome);
  /// Reports a difference in results that depend on data. A record without data cannot reproduce it.
  size_t judge_data(const OpEntry& op, const LiveOutcome& outcome);
  size_t judge(const OpEntry& op, const LiveOutcome& outcome);
  /// Compares a call of an operator in `own` with the prediction of its fake kernel.
  size_t judge_own(const OpEntry& op, const LiveOutcome& outcome);
  /// Notes dims that the fake kernel leaves unknown. After some calls, a finding may say how to compute them.
  void note_unknown_sizes(const OpEntry& op, CallRecord record);
  /// Counts a compared call and adds its findings. `known`: the prediction was remembered. Returns the number of
  /// findings.
  size_t add_own(std::vector<Finding> findings, CallRecord record, int64_t results, bool known);
  /// Counts a call of a custom operator that was not compared.
  void leave_unjudged(std::string_view name, std::string_view why);
  /// Notes that a call of this custom operator was compared.
  void note_judged(std::string_view name);
  bool is_excluded(std::string_view name) const;
  /// True if the schema declares a write to this tensor argument, or to one that shares its storage.
  bool is_declared_written(const OpEntry& op, size_t tensor) const;
  /// A finding about the current call, without predicted and observed.
  Finding finding(const OpEntry& op, FindingField field) const;
  /// The tensor argument whose version changed although neither schema nor rule declares a write; nullopt if there is
  /// none.
  std::optional<size_t> undeclared_write(const OpEntry& op, const LiveOutcome& outcome) const;
  /// Adds a finding about an undeclared write. Records have no versions, so a record cannot show it.
  void note_undeclared_write(const OpEntry& op, const LiveOutcome& outcome);
  /// The tensor that gloo writes as if it were dense, so that it writes elements of other tensors (docs/found.md).
  const TensorImpl* written_as_a_row(const OpEntry& op, const LiveOutcome& outcome) const;
  void note_written_as_a_row(const OpEntry& op, const TensorImpl& t);
  [[noreturn]] void stop(const Finding& found) const;
  CallRecord record(const OpEntry& op, const LiveOutcome& outcome) const;
  /// Merges the findings from index `before` on: a repeated finding only increases its count. Returns their number.
  size_t fold(size_t before, CallRecord record);

  const bool stops_;
  Crosscheck engine_;
  Report counted_;  ///< only counts of calls and results; the engine's report has the rest
  AskedCall call_;
  const OwnPrediction* prediction_ = nullptr;
  std::shared_ptr<ShapeEnv> env_;  ///< of the symbols in `rule_`
  RuleResult rule_;
  bool settled_ = false;  ///< the symbols in `rule_` were replaced by the values of the results
  CallCounts skipped_, subclasses_;
  std::set<std::string, std::less<>> own_judged_;  ///< custom operators of which a call was compared
  std::optional<ProcessGroup> group_;              ///< of the current call
  std::optional<Rank> rank_;
  struct Unknown {
    UnknownSize size;
    std::string to_change = {};  ///< the fake kernel's line, once it is known that it could return the size
    bool is_known() const { return size.sizes() >= 3 && !size.known().empty(); }
  };
  std::map<std::tuple<const OpEntry*, int, int64_t>, Unknown> unknown_;  ///< by flat result and dim
  std::map<std::string, size_t> causes_;                                 ///< index of each finding by its subject
  std::vector<int64_t> times_;                                           ///< how often each finding was made
  int64_t calls_ = 0;
};

}  // namespace ersatz::tools
