// Calls of a live program compared with the rules: what `ersatz.torch.crosscheck` counts and finds.
//
// A call is told as ask.h tells calls: its arguments before it, then its results or its error and the arguments
// afterwards. Most calls agree with their rule to the letter, and that is all that is seen of them here. Every other
// one becomes a record (docs/call-records.md) and is judged as `ersatz crosscheck` judges records of a file, so that
// there is one judge, and the record is the finding's repro.
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
  /// `device`: as LiveDevices has it.
  explicit LiveSession(CrosscheckOptions options, const std::string& device = "");

  /// Devices of metadata that the run has tensors on.
  const LiveDevices devices;
  /// The user's line, asked for when something was found.
  std::function<std::string()> where;
  /// The line of an operator's fake kernel that makes what was found: `my_ops.py:9 in _: return ...`; empty: not known.
  std::function<std::string(const std::string& record, FindingField field, int result)> to_change;
  /// Operators without a rule of ours, and who asks their fake kernels.
  OwnOps own;
  /// Operators that the user leaves out by name, patterns as in waivers: `mylib.*`.
  std::vector<std::string> excluded;

  /// The group of processes with the name that a collective was given; none where this process has no such group.
  std::function<std::optional<ProcessGroup>(const std::string& name)> group;
  /// This process among those of its run; none: it is alone, or does not know yet.
  std::function<std::optional<Rank>()> rank_of_process;

  /// The call's arguments; of an operator of `own` its fake kernel is asked. False: they do not fit the schema, and the
  /// call is skipped.
  bool begin(const OpEntry& op, std::span<const ErsatzValue> arguments, DType default_dtype = DType::F32);
  /// What was predicted for the call of an operator of `own` that has begun; null: its rule is ours.
  const OwnPrediction* predicted() const { return prediction_; }
  /// Judges the call. Returns the number of findings that it made.
  size_t end(const OpEntry& op, const RuleContext& context, const LiveOutcome& outcome);
  /// Judges a call by its record, which holds what its fake kernel said; `why`: why there is no prediction in it.
  void judge_record(std::string_view name, const std::string& line, std::string_view why);
  /// Counts a call that is not judged, and why. `results`: those that are not None.
  void skip(const OpEntry* op, std::string_view name, std::string_view why, size_t results);

  /// Counts a call on a tensor subclass of that name, which is not judged itself.
  void count_subclass(std::string_view type, std::string_view op);
  /// Graphs that were compiled in this run.
  CompiledGraphs compiled;
  /// Compares what autograd said of a call with the engine: the record has the flags of its results (`rg`). Returns why
  /// they cannot be compared; empty: they were. A finding names the line `at`.
  std::string judge_gradients(const std::string& line, const std::string& at);
  /// Adds findings about a call that autograd has said something of. `repro`: of each of them.
  void add_gradient_findings(std::vector<Finding> found, CallRecord record, const std::string& repro,
                             const std::string& at);
  /// Counts of calls whose gradient flags were compared; nullopt if the session compares no gradients.
  std::optional<GradientCounts> gradients;
  /// Remembers which process this is, if that is known now.
  void note_rank();

  /// What was found until now.
  Report report() const { return report(nullptr); }
  LiveReport told(const std::string& input) const;
  std::string closing() const;

 private:
  /// `times`: gets how often each finding was made.
  Report report(std::vector<int64_t>* times) const;
  /// The group that the call at hand names.
  std::optional<ProcessGroup> group_of(const OpEntry& op);
  bool agrees(const OpEntry& op, const LiveOutcome& outcome);
  /// Asks the rule. Of an operator whose answer depends on data it says sizes and numbers over symbols, which get the
  /// values that the results have: `rule_` is what remains to be compared, with a size that is out of a symbol's bounds
  /// left as it was. False: it does not answer.
  bool ask(const OpEntry& op, const LiveOutcome& outcome);
  bool settle_data(ShapeEnv& env, const LiveOutcome& outcome);
  /// A finding about results that depend on data: replaying a record without data does not show it.
  size_t judge_data(const OpEntry& op, const LiveOutcome& outcome);
  size_t judge(const OpEntry& op, const LiveOutcome& outcome);
  /// Of an operator of `own`: by what its fake kernel predicted.
  size_t judge_own(const OpEntry& op, const LiveOutcome& outcome);
  /// Notes dims of which a fake kernel says that it does not know them: after some calls it shows that it could.
  void note_unknown_sizes(const OpEntry& op, CallRecord record);
  /// Counts a judged call, and lists what was found. `known`: its prediction was remembered. Returns the number of
  /// findings.
  size_t add_own(std::vector<Finding> findings, CallRecord record, int64_t results, bool known);
  /// Counts a call that was not judged, of an operator that is not PyTorch's own.
  void leave_unjudged(std::string_view name, std::string_view why);
  /// Remembers that a call of this operator of the user's was judged.
  void note_judged(std::string_view name);
  bool is_excluded(std::string_view name) const;
  /// Does the schema say that a tensor argument, or one that shares its storage, is written?
  bool is_declared_written(const OpEntry& op, size_t tensor) const;
  /// A finding about the call at hand, without its two sides.
  Finding finding(const OpEntry& op, FindingField field) const;
  /// The tensor argument whose version has moved although neither the schema nor the rule says that it is written.
  std::optional<size_t> undeclared_write(const OpEntry& op, const LiveOutcome& outcome) const;
  /// A finding about it: no record tells versions.
  void note_undeclared_write(const OpEntry& op, const LiveOutcome& outcome);
  /// The tensor that gloo writes in place as if it were dense: elements that are not its own (docs/found.md).
  const TensorImpl* written_as_a_row(const OpEntry& op, const LiveOutcome& outcome) const;
  void note_written_as_a_row(const OpEntry& op, const TensorImpl& t);
  [[noreturn]] void stop(const Finding& found) const;
  CallRecord record(const OpEntry& op, const LiveOutcome& outcome) const;
  /// Puts the findings from that number on in their places: one that was made before is counted there.
  size_t fold(size_t before, CallRecord record);

  const bool stops_;
  Crosscheck engine_;
  Report counted_;  ///< calls and results alone; the engine's report has all else
  AskedCall call_;
  const OwnPrediction* prediction_ = nullptr;
  std::shared_ptr<ShapeEnv> env_;  ///< of the symbols in `rule_`
  RuleResult rule_;
  bool settled_ = false;  ///< `rule_` is an answer over data, at the values that the results have
  CallCounts skipped_, subclasses_;
  std::set<std::string, std::less<>> own_judged_;  ///< operators of the user's, of which a call was judged
  std::optional<ProcessGroup> group_;              ///< of the call at hand
  std::optional<Rank> rank_;
  struct Unknown {
    UnknownSize size;
    std::string to_change = {};  ///< the fake kernel's line, once it is known that it could say more
    bool is_known() const { return size.sizes() >= 3 && !size.known().empty(); }
  };
  std::map<std::tuple<const OpEntry*, int, int64_t>, Unknown> unknown_;  ///< by flat result and dim
  std::map<std::string, size_t> causes_;                                 ///< a finding's number by what it is about
  std::vector<int64_t> times_;                                           ///< how often each finding was made
  int64_t calls_ = 0;
};

}  // namespace ersatz::tools
