#include "tools/program/crosscheck_run.h"

#include <unordered_set>

#include "fake/watch/tensor_copies.h"
#include "runtime/base/context.h"
#include "runtime/base/count_text.h"
#include "runtime/op/device_tag.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/value_checks.h"
#include "runtime/tensor/cuda_module.h"
#include "runtime/tensor/layout.h"
#include "tools/output/crash_note.h"
#include "tools/output/interrupt.h"
#include "tools/output/progress.h"
#include "tools/output/repro.h"
#include "tools/program/chosen_values.h"
#include "tools/program/companion_files.h"
#include "tools/program/descent.h"
#include "tools/program/facts_scope.h"
#include "tools/program/finding_ancestry.h"
#include "tools/program/missing_node.h"
#include "tools/program/missing_ops.h"
#include "tools/program/placeholder.h"
#include "tools/program/prediction_lane.h"
#include "tools/program/synthetic_sizes.h"
#include "tools/session/session.h"
#include "tracer/records/result_facts.h"
#include "tracer/run/interpreter.h"

namespace ersatz::tools {

namespace {

// Numbers of the first two lanes. A lane is one set of values for the whole graph. Lanes of predictions
// (tools/program/prediction_lane.h) follow.
constexpr size_t kFake = 0, kReal = 1;

class CrosscheckHandler final : public NodeHandler {
 public:
  CrosscheckHandler(const ProgramInput& input, CrosscheckRunOptions& options, CrosscheckSummary& summary)
      : program_(input.program),
        synthetic_(synthetic_numbers(input.program, input.synthetic)),
        options_(options),
        summary_(summary),
        symbols_(program_),
        beside_(find_companion_files(input, options, summary.notes)),
        engine_(with_repros(options, engine_options(options, options.waivers))),
        // Waivers name nodes of the program, so the engine for parts of composite nodes gets none.
        descent_(with_repros(options, engine_options(options))),
        tainted_(program_.main().values.size(), false),
        counted_(program_.main().values.size()),
        facts_scope_(program_),
        origins_(program_),
        chosen_(program_),
        predictions_(lanes_of_prediction(options.device)),
        progress_("crosscheck", static_cast<int64_t>(program_.main().nodes.size())) {}

  void run(const PreparedProgram& prepared);
  /// True if facts of a real run exist for all nodes of unregistered operators, so that their recorded predictions can
  /// be compared.
  bool judges_missing(const PreparedProgram& prepared) const;

  void call(const NodeCall& call, std::span<Values> results) override;
  void uncallable(const NodeCall& call, std::span<Values> results) override;
  void faulty(const NodeCall& call, const Error& error, std::span<Values> results) override {
    if (!options_.keep_going) throw error;
    if (takes_unknown(call)) return skip_node(call, SkipReason::Tainted, results);
    refuse(call, error);
    skip_node(call, SkipReason::Unsupported, results);
  }
  void done(const NodeCall& call) override;

 private:
  static CrosscheckOptions with_repros(const CrosscheckRunOptions& options, CrosscheckOptions engine) {
    if (options.repros) engine.repro = print_repro;
    return engine;
  }
  bool has_real() const { return !options_.no_real; }
  /// True if the run is on another device than the CPU, on which facts and records were made.
  bool elsewhere() const { return options_.device && !options_.device->is_cpu(); }
  bool takes_unknown(const NodeCall& call) const { return tools::takes_unknown(call, *interpreter_, tainted_); }
  bool takes_tainted(const NodeCall& call) const;
  std::vector<ResultFacts> facts_of(const NodeCall& call);
  bool may_differ_by_device(std::string_view op, const Value& v) const;
  void skip_node(const NodeCall& call, SkipReason reason, std::span<Values> results);
  void put_placeholders(const NodeCall& call, std::span<Values> results);
  /// Counts a node that was compared with facts, and adds its findings.
  void add_judged(const NodeCall& call, std::vector<Finding> findings);
  void refuse(const NodeCall& call, const Error& e);
  void count(const NodeCall& call, std::span<const Counted> counted);
  static std::vector<PredictionLane> lanes_of_prediction(std::optional<Device> device) {
    std::vector<PredictionLane> lanes(1, PredictionLane(device));
    if (device && !device->is_cpu()) lanes.emplace_back(kCPU);
    return lanes;
  }
  size_t first_prediction() const { return has_real() ? kReal + 1 : kFake + 1; }
  int lane_of_truth() const { return static_cast<int>(has_real() ? kReal : kFake); }
  std::vector<std::vector<Value>> make_lanes();
  void taint(const NodeCall& call);
  void taint_written(const NodeCall& call);
  void judge_outputs(const std::vector<std::vector<Value>>& outputs, const std::vector<std::vector<Value>>& inputs);
  void judge(const GraphOutput* output, const StoredValue& stored, const Value& actual, const Value& fake);

  const Program& program_;
  const std::vector<std::string> synthetic_;
  CrosscheckRunOptions& options_;
  CrosscheckSummary& summary_;
  SymbolValues symbols_;
  CompanionFiles beside_;
  Crosscheck engine_;
  Descent descent_;
  Interpreter* interpreter_ = nullptr;
  std::vector<bool> tainted_;     // for each value: true if it was computed from a placeholder
  std::vector<Counted> counted_;  // for each value: how its result is counted in the report
  FactsScope facts_scope_;
  FindingAncestry origins_;
  ChosenValues chosen_;
  // One lane of the rules' predictions and, on another device, one of the predictions for the CPU.
  std::vector<PredictionLane> predictions_;
  std::unordered_set<uint64_t> tainted_bytes_;  // ids of storages that a skipped or tainted node may have written
  Progress progress_;
  int64_t nodes_done_ = 0;
};

bool CrosscheckHandler::takes_tainted(const NodeCall& call) const {
  bool found = false;
  for (ValueId id : argument_values(call)) found |= tainted_[id];
  if (!tainted_bytes_.empty()) {
    for_each_tensor(call.lanes[kFake],
                    [&](const TensorImpl* t) { found |= tainted_bytes_.contains(t->storage->id()); });
  }
  return found;
}

/// Notes the storages that a node may have written. These are the storages of all its arguments, if its operator writes
/// any or is unknown.
void CrosscheckHandler::taint_written(const NodeCall& call) {
  if (call.step.entry && !call.step.entry->schema.is_mutable()) return;
  for (ValueId id : argument_values(call)) {
    const Value& v = interpreter_->value(id, kFake);
    for_each_tensor(std::span<const Value>(&v, 1),
                    [&](const TensorImpl* t) { tainted_bytes_.insert(t->storage->id()); });
  }
}

std::vector<ResultFacts> CrosscheckHandler::facts_of(const NodeCall& call) {
  const Facts* facts = beside_.facts && facts_scope_.hold_for(argument_values(call)) ? &*beside_.facts : nullptr;
  std::vector<ResultFacts> found = result_facts(program_, call.prepared.graph(), call.node(), facts, symbols_);
  bool known_wrong = !options_.known_wrong.rows().empty() && options_.known_wrong.waives(call.op_name(), "*");
  for (ResultFacts& f : found) {
    f.record_known_wrong = known_wrong;
    if (!options_.device) continue;
    if (elsewhere()) {
      // This run is not on the CPU, so an eager fact tells only how the CPU behaves. It serves as the record, and
      // replaces the exporter's record, which is less reliable.
      if (f.eager) f.record = std::exchange(f.eager, std::nullopt);
      f.alias = AliasFact();
      f.record_of_cpu = f.record && f.record->device.is_cpu();
    }
    if (f.record) f.record->device = *options_.device;
  }
  return found;
}

void CrosscheckHandler::call(const NodeCall& call, std::span<Values> results) {
  if (options_.keep_going && takes_unknown(call)) return skip_node(call, SkipReason::Tainted, results);
  const bool tainted = takes_tainted(call);
  // If sizes or numbers depend on data, and an argument is tainted, the results are skipped.
  const Tags tags = call.step.entry->tags;
  if (tainted && (tags.has(Tag::DataDependent) || tags.has(Tag::ScalarRead))) {
    return skip_node(call, SkipReason::Tainted, results);
  }
  std::vector<ResultFacts> facts = facts_of(call);
  if (takes_synthetic(call, synthetic_)) drop_records(facts);
  if (options_.descend && has_real() && call.step.entry->composite && !tainted) {
    descent_.into(*call.step.entry, call.name(), call.lanes[kReal]);
  }
  CallSite site;
  site.node = call.name();
  site.source = call.source();
  Evidence& evidence = site.evidence;
  evidence.results = facts;
  site.tainted = tainted;
  const CrashNote note{"node ", call.name(), " (", call.op_name(), "), ", summary_.program};
  if (facts_scope_.other_run()) evidence.of = Evidence::Of::OtherValues;
  for (size_t i = 0; i < predictions_.size(); ++i) {
    predictions_[i].predict(*call.step.entry, call.lanes[first_prediction() + i]);
  }
  evidence.as_predicted = predictions_[0].flat();
  if (elsewhere()) evidence.on_cpu = predictions_[1].flat();
  origins_.begin(engine_.report());
  CallOutcome outcome = engine_.call(*call.step.entry, site, call.lanes[kFake],
                                     has_real() ? call.lanes[kReal] : std::span<const Value>());
  origins_.end(call, engine_.report());
  count(call, outcome.counted);
  if (outcome.error) {
    // The error has given a finding already. This code only decides whether the program can go on.
    try {
      std::rethrow_exception(outcome.error);
    } catch (const Error& e) {
      if (!options_.keep_going && outcome.findings == 0) throw;
      refuse(call, e);
    }
    if (outcome.cpu_values.empty() || outcome.findings > 0) return put_placeholders(call, results);
    outcome.real = std::move(outcome.cpu_values);
  }
  for (size_t i = 0; i < predictions_.size(); ++i) {
    results[first_prediction() + i] = predictions_[i].results(outcome.fake);
  }
  results[kFake] = std::move(outcome.fake);
  if (has_real()) results[kReal] = std::move(outcome.real);
  if (outcome.tainted)
    taint(call);
  else if (has_real() && !elsewhere() && beside_.expected)
    chosen_.see(call, call.lanes[kReal], results[kReal]);
}

/// Stores how the results of a call are counted, and adds up the compared results that have a fact.
void CrosscheckHandler::count(const NodeCall& call, std::span<const Counted> counted) {
  const std::vector<ValueId> ids = result_values(program_, call.node());
  for (size_t k = 0; k < std::min(ids.size(), counted.size()); ++k) {
    if (ids[k] == kNone) continue;
    counted_[ids[k]] = counted[k];
    const bool compared = counted[k].as == Counted::As::Agreed || counted[k].as == Counted::As::Mismatched;
    if (!compared || !beside_.facts) continue;
    const ResultFact* fact = beside_.facts->find_value(program_.name(program_.main().values[ids[k]].name));
    summary_.with_fact += fact && (fact->real || fact->number);
  }
}

void CrosscheckHandler::skip_node(const NodeCall& call, SkipReason reason, std::span<Values> results) {
  const size_t n = result_values(program_, call.node()).size();
  engine_.skip(call.step.entry, reason, n);
  count(call, std::vector<Counted>(n, {Counted::As::Skipped, reason}));
  put_placeholders(call, results);
}

void CrosscheckHandler::uncallable(const NodeCall& call, std::span<Values> results) {
  const RecordJudgement judged =
      judge_by_facts(call, facts_of(call), [&](ValueId id) -> const Value& { return interpreter_->value(id, kFake); });
  if (judged.verdict == RecordJudgement::Verdict::NoPrediction)
    return skip_node(call, SkipReason::Unsupported, results);
  add_judged(call, judged.findings);
  put_placeholders(call, results);
}

void CrosscheckHandler::add_judged(const NodeCall& call, std::vector<Finding> findings) {
  const std::string op(call.op_name());
  if (const auto at = summary_.missing.find(op); --at->second == 0) summary_.missing.erase(at);
  Report& report = engine_.report();
  report.own.judged += !is_pytorchs(op);
  const std::vector<ValueId> ids = result_values(program_, call.node());
  std::vector<Counted> counted(ids.size());
  for (size_t i = 0; i < ids.size(); ++i)
    counted[i].as = ids[i] == kNone ? Counted::As::Uncounted : Counted::As::Agreed;
  origins_.begin(report);
  for (Finding& f : findings) {
    f.source = call.source();
    const auto result = static_cast<size_t>(f.result);
    if (engine_.add(std::move(f))) counted[result].as = Counted::As::Mismatched;
  }
  origins_.end(call, report);
  for (const Counted& c : counted) {
    if (c.as != Counted::As::Uncounted) report.count_compared(Witness::Eager, 1, c.as == Counted::As::Mismatched);
  }
  count(call, counted);
}

void CrosscheckHandler::put_placeholders(const NodeCall& call, std::span<Values> results) {
  std::vector<ResultFacts> facts = facts_of(call);
  results[kFake] = placeholders(call, &engine_.fake_mode(), symbols_, options_.device, facts);
  if (has_real()) results[kReal] = placeholders(call, nullptr, symbols_, options_.device, facts);
  for (size_t i = 0; i < predictions_.size(); ++i) {
    results[first_prediction() + i] = predictions_[i].placeholders(call, symbols_, facts);
  }
  taint(call);
}

void CrosscheckHandler::refuse(const NodeCall& call, const Error& e) {
  count_refusal(call, e, summary_.refused, summary_.refusals);
}

void CrosscheckHandler::taint(const NodeCall& call) {
  taint_written(call);
  for (ValueId id : result_values(program_, call.node())) {
    if (id != kNone) tainted_[id] = true;
  }
}

void CrosscheckHandler::done(const NodeCall& call) {
  progress_.at(++nodes_done_, call.op_name());
  stop_if_interrupted("while a program was being checked");
  const std::vector<ValueId> arguments = facts_scope_.other_run() ? argument_values(call) : std::vector<ValueId>();
  for (ValueId id : result_values(program_, call.node())) {
    if (id != kNone) facts_scope_.see(id, interpreter_->value(id, lane_of_truth()), arguments);
  }
  // If a size depends on data, the real result gives its symbol a value, which later records need.
  for (ValueId id : result_values(program_, call.node())) {
    if (id == kNone || tainted_[id]) continue;
    const GraphValue& value = call.prepared.graph().values[id];
    const Value& actual = interpreter_->value(id, lane_of_truth());
    if (const TensorMeta* recorded = program_.meta(value); recorded && actual.is_tensor()) {
      if (recorded->is_symbolic()) symbols_.observe(*recorded, actual.tensor_impl()->meta);
    } else if (value.kind == ValueKind::Int && value.record != kNone && actual.kind() == Value::Kind::Int &&
               program_.literals[value.record].is_symbolic_int()) {
      symbols_.observe(program_.literals[value.record].as_int(), actual.as_int64());
    }
  }
}

/// True for indices from an op like max, which may choose among equal elements differently on another device.
bool CrosscheckHandler::may_differ_by_device(std::string_view op, const Value& v) const {
  if (!elsewhere() || op.empty() || !v.is_tensor() || v.tensor_impl()->meta.dtype != DType::I64) return false;
  const OpEntry* entry = registry().find(op);
  return entry && entry->tags.has(kTiesByDevice);
}

void CrosscheckHandler::judge(const GraphOutput* output, const StoredValue& stored, const Value& actual,
                              const Value& fake) {
  OutputSite site;
  site.node = stored.name;
  if (output && output->value.kind == Arg::Kind::Value) {
    const GraphValue& value = program_.main().values[output->value.index];
    site.tainted = tainted_[output->value.index];
    site.counted = &counted_[output->value.index];
    site.choice = chosen_.of(output->value.index);
    if (value.node != kNone) {
      const Node& node = program_.main().nodes[value.node];
      site.op = program_.name(program_.op(node).name);
      site.source = program_.name(node.source);
    }
  }
  if (may_differ_by_device(site.op, actual)) return;
  if (fake.is_tensor()) site.tainted |= tainted_bytes_.contains(fake.tensor_impl()->storage->id());
  site.random = stored.random || stored.gaps || stored.ties;
  if (!stored.meta || !actual.is_tensor()) return;
  site.tolerance = tolerance_of(stored.meta->dtype, ComparedWith::ProgramEnd);
  if (stored.graph_difference) site.tolerance.absolute += 2 * *stored.graph_difference;
  origins_.begin(engine_.report());
  engine_.judge_output(site, actual.tensor(), beside_.expected->value(stored).tensor());
  if (site.counted) origins_.end_output(output->value.index, engine_.report());
}

void CrosscheckHandler::judge_outputs(const std::vector<std::vector<Value>>& outputs,
                                      const std::vector<std::vector<Value>>& inputs) {
  const Graph& graph = program_.main();
  std::unordered_set<std::string_view> judged;
  for (size_t i = 0; i < graph.outputs.size(); ++i) {
    const GraphOutput& output = graph.outputs[i];
    bool to_user = output.kind == OutputKind::UserOutput || output.kind == OutputKind::Loss;
    if (to_user && output.value.kind == Arg::Kind::Value) {
      std::string_view name = program_.name(graph.values[output.value.index].name);
      if (const StoredValue* stored = InputsOutputs::find(beside_.expected->outputs, name))
        judge(&output, *stored, outputs[kReal][i], outputs[kFake][i]);
    } else if (output.kind == OutputKind::BufferMutation) {
      std::string_view name = program_.name(output.target);
      judged.insert(name);
      if (const StoredValue* stored = InputsOutputs::find(beside_.expected->buffers_after, name))
        judge(&output, *stored, outputs[kReal][i], outputs[kFake][i]);
    }
  }
  // Buffers and user inputs are compared after the run, because the run may have written them.
  for (size_t i = 0; i < graph.inputs.size(); ++i) {
    const GraphInput& in = graph.inputs[i];
    bool buffer = in.kind == InputKind::Buffer || in.kind == InputKind::LooseBuffer;
    std::string_view name = program_.name(buffer ? in.target : graph.values[in.value].name);
    if (buffer && judged.contains(name)) continue;
    const auto& rows = buffer ? beside_.expected->buffers_after : beside_.expected->inputs_after;
    if (const StoredValue* stored = InputsOutputs::find(rows, name))
      judge(nullptr, *stored, inputs[kReal][i], inputs[kFake][i]);
  }
}

/// Makes the graph's inputs for each lane.
std::vector<std::vector<Value>> CrosscheckHandler::make_lanes() {
  std::vector<std::vector<Value>> lanes;
  if (has_real()) {
    std::vector<Value> real = make_inputs(program_, symbols_, beside_.choice);
    if (options_.device && options_.device->is_cuda()) {
      real = TensorCopies(options_.device).of(real);
      program_.weights.unload();  // the weights have been copied to the device
    }
    std::vector<Value> fake;
    for (const Value& v : real) fake.push_back(v.is_tensor() ? Value(engine_.fake_mode().from_tensor(v.tensor())) : v);
    lanes = {std::move(fake), std::move(real)};
  } else {
    lanes = {make_fake_inputs(program_, engine_.fake_mode(), symbols_, beside_.choice)};
  }
  for (const PredictionLane& lane : predictions_) {
    lanes.push_back(lane.inputs(program_, symbols_, beside_.choice));
  }
  return lanes;
}

void CrosscheckHandler::run(const PreparedProgram& prepared) {
  if (beside_.inputs) observe_inputs(program_, *beside_.inputs, symbols_);
  std::vector<std::vector<Value>> inputs;
  {
    const Working shown("inputs and weights of " + summary_.program);
    inputs = make_lanes();
  }
  if (has_real() && beside_.facts && !beside_.same_run) {
    facts_scope_.begin_other_run(*beside_.facts);
    const auto& formal = program_.main().inputs;
    for (size_t i = 0; i < formal.size(); ++i) facts_scope_.see(formal[i].value, inputs[kReal][i], {});
  }
  Interpreter interpreter(prepared, this, static_cast<int>(inputs.size()));
  interpreter_ = &interpreter;
  try {
    std::vector<std::vector<Value>> outputs = interpreter.run(std::span<const std::vector<Value>>(inputs));
    if (has_real() && beside_.expected) judge_outputs(outputs, inputs);
  } catch (const Interruption&) {  // the findings so far are reported
    summary_.notes.push_back(
        fmt::format("interrupted after {} of {} nodes", nodes_done_, program_.main().nodes.size()));
  }
  summary_.report = engine_.take_report();
  summary_.inherited = origins_.take();
  summary_.symbols = symbols_.bound();
  if (options_.descend) summary_.parts = descent_.finish();
  options_.waivers = engine_.options().waivers;
}

bool CrosscheckHandler::judges_missing(const PreparedProgram& prepared) const {
  if (!beside_.facts || elsewhere()) return false;
  const Graph& graph = program_.main();
  for (NodeId i = 0; i < graph.nodes.size(); ++i) {
    const bool is_one = !prepared.missing_ops(i).empty();
    const bool is_whole = prepared.steps[i].kind == Step::Kind::Uncallable;
    if (is_one && !(is_whole && has_facts(program_, graph, graph.nodes[i], *beside_.facts))) return false;
  }
  return true;
}

/// Adds a note with the name of the GPU.
void note_device(Device device, std::vector<std::string>& notes) {
  CudaDevice found;
  check_cuda(cuda_functions().device(device.index, &found), device, "description", 0);
  notes.push_back(fmt::format("runs on {} ({}, sm_{}); the same calls on the cpu are the device witness",
                              to_string(device), found.name, found.capability));
}

}  // namespace

void require_device(Device device) {
  if (!device.is_cuda()) return;
  const int count = cuda_functions().device_count;  // raises if the CUDA module or the driver is missing
  if (device.index < count) return;
  fail(ErrorKind::NotSupported, ErrorFamily::Runtime, "{}: there is no such device here (devices: {})",
       to_string(device), count);
}

CrosscheckSummary run_crosscheck(const std::string& path, CrosscheckRunOptions& options) {
  return run_crosscheck(load_input(path, options.seed), options);
}

CrosscheckSummary run_crosscheck(const ProgramInput& input, CrosscheckRunOptions& options) {
  const TimedCall timed("ersatz::tools::run_crosscheck", "run");
  CrosscheckSummary summary;
  summary.program = input.path;
  summary.notes.push_back(fmt::format("{}{}{}",
                                      count_of(static_cast<int64_t>(input.program.main().nodes.size()), "node"),
                                      input.program.producer.empty() ? "" : ", ", input.program.producer));
  note_synthetic(input.program, input.synthetic, summary.notes);
  PrepareOptions prepare;
  prepare.device = options.device;
  PreparedProgram prepared(input.program, prepare);
  for (const auto& [op, nodes] : prepared.missing_ops()) summary.missing[op] = nodes;
  if (!summary.missing.empty()) summary.plugins = input.program.plugins;
  RuleContext context = rule_context();
  if (options.device && options.device->is_cuda()) {
    context.default_device = *options.device;
    if (!options.no_real) {
      note_device(*options.device, summary.notes);
      context.backend = backend_of(*options.device);
    }
  }
  if (options.no_real) context.backend = options.backend;
  context.torch = torch_of(options.torch, input.program.producer);
  const ContextGuard guard([&](RuleContext& c) { c = context; });
  const ChecksAtOnce judged;
  CrosscheckHandler handler(input, options, summary);
  const bool goes_on = summary.missing.empty() || options.keep_going || handler.judges_missing(prepared);
  if (goes_on) handler.run(prepared);
  return summary;
}

}  // namespace ersatz::tools
