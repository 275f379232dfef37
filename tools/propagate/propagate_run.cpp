#include "tools/propagate/propagate_run.h"

#include <algorithm>
#include <map>

#include "fake/mode/fake_mode_state.h"
#include "fake/mode/real_values.h"
#include "fake/watch/tensor_copies.h"
#include "kernels/indexing/item.h"
#include "runtime/base/source_line.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/value_checks.h"
#include "runtime/tensor/meta_text.h"
#include "tools/output/crash_note.h"
#include "tools/output/interrupt.h"
#include "tools/output/progress.h"
#include "tools/program/placeholder.h"
#include "tools/propagate/non_finite_origin.h"
#include "tools/propagate/part_watch.h"
#include "tools/propagate/special_values.h"
#include "tools/session/session.h"
#include "tracer/run/interpreter.h"

namespace ersatz::tools {

std::string_view name(PropagateField f) {
  constexpr std::string_view kNames[] = {"nan", "inf", "lost", "size", "frozen", "check", "rule", "stopped"};
  return kNames[static_cast<int>(f)];
}

namespace {

constexpr int64_t kUnbounded = INT64_MAX - 1;  // exporters write this number for a size without an upper bound
constexpr size_t kNodesNamed = 4;              // the most nodes that a remark names

class PropagateHandler final : public NodeHandler {
 public:
  PropagateHandler(const ProgramInput& input, const RecordSymbols& symbols, const InputSet& set,
                   const PropagateOptions& options, PropagateRun& run)
      : program_(input.program),
        record_(symbols),
        set_(set),
        options_(options),
        run_(run),
        mode_(mode_options(options)),
        parts_(mode_.state(), [this](std::string_view line) { return place_inside(line); }),
        values_(program_),
        progress_("propagate", static_cast<int64_t>(program_.main().nodes.size())) {}

  void run(const PreparedProgram& prepared);

  void call(const NodeCall& call, std::span<Values> results) override;
  void uncallable(const NodeCall& call, std::span<Values> results) override {
    std::string ops;
    for (const std::string& op : call.prepared.missing_ops(call.id)) ops += (ops.empty() ? "" : ", ") + op;
    put_placeholders(call, results, fmt::format("no operator {} is known here", ops));
  }
  void faulty(const NodeCall& call, const Error& error, std::span<Values> results) override {
    if (!options_.keep_going) throw error;
    put_placeholders(call, results, error.message);
  }
  void done(const NodeCall& call) override;

 private:
  static FakeOptions mode_options(const PropagateOptions& options) {
    FakeOptions o;
    o.propagate_real = true;
    o.collect_mismatches = true;
    o.real_bytes = options.real_bytes;
    return o;
  }
  std::vector<Value> inputs();
  std::string_view place_of(const NodeCall& call);
  std::string_view place_inside(std::string_view line);
  std::string_view keep_place(std::string place, NodeId node, std::string_view line);
  PropagateFinding& add(PropagateField field, NodeId node, std::string message);
  void put_placeholders(const NodeCall& call, std::span<Values> results, const std::string& why);
  void tell_special(const NodeCall& call, const NewNonFinite& made);
  void tell_asked();
  void observe(const NodeCall& call);
  void check_sizes(const NodeCall& call);
  void read_frozen(const NodeCall& call);
  void check_constraints();
  void take_report();

  const Program& program_;
  const RecordSymbols& record_;
  const InputSet& set_;
  const PropagateOptions& options_;
  PropagateRun& run_;
  FakeMode mode_;
  PartWatch parts_;
  SymbolValues values_;
  Progress progress_;
  Interpreter* interpreter_ = nullptr;
  struct Place {
    NodeId node = kNone;
    std::string line;  // the user's source line
  };
  std::map<std::string, Place, std::less<>> places_;  // key: a node's place text, which the mode reports as source line
  std::string_view place_;                            // place text of the current node
  // Calls with NaN or Inf as scalar argument; key: (is NaN, operator).
  std::map<std::pair<bool, std::string>, AskedSpecial> asked_;
};

PropagateFinding& PropagateHandler::add(PropagateField field, NodeId node, std::string message) {
  PropagateFinding& f = run_.findings.emplace_back();
  f.field = field;
  f.node = node;
  f.message = std::move(message);
  if (node != kNone) {
    const Node& n = program_.main().nodes[node];
    f.name = node_label(program_, node);
    f.op = program_.name(program_.op(n).name);
    f.at = program_.name(n.source);
  }
  return f;
}

/// Returns the place text of a node. The mode reports events with this text as source line. It differs for each node,
/// so that nodes on one source line can be distinguished.
std::string_view PropagateHandler::place_of(const NodeCall& call) {
  std::string place = "node " + node_label(program_, call.id);
  if (!call.source().empty()) place += fmt::format(" ({})", call.source());
  if (const auto known = places_.find(place); known != places_.end() && known->second.node != call.id) {
    place += fmt::format(" #{}", call.id);
  }
  return place_ = keep_place(std::move(place), call.id, call.source());
}

/// Returns the place text for a line of a nested graph inside the current node.
std::string_view PropagateHandler::place_inside(std::string_view line) {
  if (line.empty() || places_.contains(line)) return line.empty() ? place_ : line;
  return keep_place(fmt::format("{}, inside of it at {}", place_, line), places_.find(place_)->second.node, line);
}

std::string_view PropagateHandler::keep_place(std::string place, NodeId node, std::string_view line) {
  return places_.try_emplace(std::move(place), Place{node, std::string(line)}).first->first;
}

void PropagateHandler::call(const NodeCall& call, std::span<Values> results) {
  const OpEntry& op = *call.step.entry;
  const std::span<const Value> args = call.lanes[0];
  const SourceLine line(place_of(call));
  const Special before = special_before(op, args);
  try {
    std::optional<CrashNote> note;
    if (!op.rule || op.tags.has(Tag::Foreign)) {
      note.emplace(std::initializer_list<std::string_view>{"node ", call.name(), " (", op.name, ")"});
    }
    Answer answer;
    parts_.answer(op, args, answer);
    results[0] = std::move(answer.results);
  } catch (const Error& e) {
    if (e.kind == ErrorKind::InternalError) throw;
    results[0].clear();
    const bool unread = e.kind == ErrorKind::DataDependentOutput || e.kind == ErrorKind::DynamicOutputShape;
    // The node reads data, but the value that it reads is not known.
    if (unread) run_.reads.push_back({call.id, op.name, {}, ""});
    // A node without results and writes only checks its arguments, so its error is a finding of the program.
    if (op.schema.returns.empty() && op.written.empty() && (e.value_failure || e.kind == ErrorKind::InvalidArgument)) {
      add(PropagateField::Check, call.id, "fails on the values of this run").more.push_back(e.message);
      return;
    }
    if (!options_.keep_going || e.value_failure) throw;
    return put_placeholders(call, results, e.message);
  }
  if (const auto made = new_non_finite(op, args, before, results[0])) tell_special(call, *made);
}

void PropagateHandler::tell_special(const NodeCall& call, const NewNonFinite& made) {
  const SpecialValues found = special_values(made.real);
  const std::optional<SpecialPart>& part = parts_.made(made.nan);
  const std::string first = position_text(made.real.sizes(), made.nan ? found.first_nan : found.first_inf);
  const MadeElements of_it{made.nan, made.nan ? found.nan : found.inf, found.elements, made.what, first, made.from_inf};
  if (made.asked || (part && part->asked)) {
    AskedSpecial& asked = asked_[{made.nan, std::string(call.op_name())}];
    if (asked.calls.empty()) asked.text = elements_text(of_it);
    asked.calls.push_back(node_label(program_, call.id));
    return;
  }
  PropagateFinding& f = add(made.nan ? PropagateField::Nan : PropagateField::Inf, call.id, origin_text(of_it));
  if (part) {
    f.message += fmt::format("; made inside of it by {}", part->op);
    if (!part->at.empty()) f.more.push_back(fmt::format("made at {}", part->at));
  }
  std::vector<ValueId> operands = argument_values(program_, call.node());
  std::sort(operands.begin(), operands.end());
  operands.erase(std::unique(operands.begin(), operands.end()), operands.end());
  for (const ValueId id : operands) {
    const Value& v = interpreter_->value(id);
    if (!v.is_tensor()) continue;
    f.takes.push_back(fmt::format("%{}: {}", program_.name(program_.main().values[id].name),
                                  to_string(v.tensor_impl()->meta, MetaStyle::People)));
  }
}

/// Adds one remark for each operator that got NaN or Inf as a scalar argument and returned it.
void PropagateHandler::tell_asked() {
  for (const auto& [of, asked] : asked_) {
    const auto& [nan, op] = of;
    run_.remarks.push_back(asked_text(nan, op, asked, "nodes", fmt::format("node {} ({})", asked.calls[0], op)));
  }
}

void PropagateHandler::put_placeholders(const NodeCall& call, std::span<Values> results, const std::string& why) {
  const SourceLine line(place_of(call));
  results[0] = placeholders(call, &mode_, values_, options_.device, {}, UnknownSizes::AsRecorded);
  RealValues& reals = *mode_.state().reals;
  RealValues::LossIds loss;
  for_each_tensor(results[0], [&](TensorImpl* t) {
    if (loss.empty()) loss.push_back(reals.loss(call.op_name(), why));
    reals.note_lost(t, loss);
  });
  add(PropagateField::Lost, call.id, "its results have no value: what was recorded stands in").more.push_back(why);
}

void PropagateHandler::done(const NodeCall& call) {
  ++run_.nodes;
  progress_.at(run_.nodes, call.op_name());
  observe(call);
  check_sizes(call);
  read_frozen(call);
  stop_if_interrupted("while a program was run");
}

/// Gives the symbols in the node's results their values in this run, and counts results without a value.
void PropagateHandler::observe(const NodeCall& call) {
  for (const ValueId id : result_values(program_, call.node())) {
    if (id == kNone) continue;
    const GraphValue& record = program_.main().values[id];
    const Value& v = interpreter_->value(id);
    if (v.is_tensor()) {
      ++run_.results;
      run_.values_lost += !RealValues::of(v.tensor_impl());
      if (const TensorMeta* recorded = program_.meta(record)) values_.observe(*recorded, v.tensor_impl()->meta);
    } else if (v.kind() == Value::Kind::Int && !v.is_symbolic_int() && record.record != kNone) {
      const Value& recorded = program_.literals[record.record];
      if (recorded.is_symbolic_int()) values_.observe(recorded.as_int(), v.as_int64());
    }
  }
}

/// Adds a finding if a size that depends on data is outside its recorded range.
void PropagateHandler::check_sizes(const NodeCall& call) {
  for (const RecordSymbol* s : record_.defined_by(call.id)) {
    const auto found = values_.bound().find(s->name);
    if (found == values_.bound().end() || (found->second >= s->min && found->second <= s->max)) continue;
    add(PropagateField::Size, call.id,
        fmt::format("{} is {}, the record allows {}", s->name, found->second, range_text(s->min, s->max)));
  }
  if (!call.step.entry || !call.step.entry->tags.has(Tag::DataDependent)) return;
  for (const ValueId id : result_values(program_, call.node())) {
    if (id == kNone || !interpreter_->value(id).is_tensor()) continue;
    const GraphValue& value = program_.main().values[id];
    const TensorMeta* recorded = program_.meta(value);
    const TensorMeta& actual = interpreter_->value(id).tensor_impl()->meta;
    if (!recorded || recorded->is_symbolic() || actual.is_symbolic() || sym_eq(recorded->sizes, actual.sizes)) continue;
    add(PropagateField::Size, call.id,
        fmt::format("%{} is {}, the record is fixed to {}", program_.name(value.name),
                    to_string(actual, MetaStyle::People), to_string(*recorded, MetaStyle::People)));
  }
}

/// Reads this run's value of a number that the export replaced by a constant.
void PropagateHandler::read_frozen(const NodeCall& call) {
  for (const FrozenSymbol& s : record_.frozen()) {
    if (s.node != call.id) continue;
    const Value& v = interpreter_->value(result_values(program_, call.node())[0]);
    if (!v.is_tensor()) continue;
    const Tensor real = RealValues::of(v.tensor_impl());
    if (!real) continue;
    const Value number(ops::item(real));
    SeenValue seen{to_string(number), std::nullopt, {}};
    if (number.kind() == Value::Kind::Int) seen.integer = number.as_int64();
    run_.reads.push_back({call.id, std::string(call.op_name()), std::move(seen), ""});
  }
}

/// Checks the declared ranges of expressions. They belong to no single node.
void PropagateHandler::check_constraints() {
  for (const RangeConstraint& c : program_.constraints) {
    const std::optional<int64_t> n = values_.evaluate(c.expression);
    if (!n || (*n >= c.min.value_or(*n) && *n <= c.max.value_or(*n))) continue;
    PropagateFinding& f = add(PropagateField::Size, kNone,
                              fmt::format("is {}, the record allows {}", *n,
                                          range_text(c.min.value_or(INT64_MIN), c.max.value_or(INT64_MAX))));
    f.name = to_string(c.expression);
    f.op = "constraint";
  }
  for (const RecordedCondition& c : program_.conditions) {
    const std::optional<int64_t> holds = values_.evaluate(truth_of(c.decision.condition));
    if (holds.value_or(1) != 0) continue;
    PropagateFinding& f = add(PropagateField::Size, kNone, "does not hold");
    f.name = c.decision.text;
    f.op = name(c.kind);
  }
}

std::vector<Value> PropagateHandler::inputs() {
  if (set_.given) observe_inputs(program_, *set_.given, values_);
  std::vector<Value> real = make_inputs(program_, values_, set_.choice);
  if (options_.device && options_.device->is_cuda()) {
    real = TensorCopies(options_.device).of(real);
    program_.weights.unload();  // the weights have been copied to the device
  }
  std::vector<Value> fakes;
  for (size_t i = 0; i < real.size(); ++i) {
    if (!real[i].is_tensor()) {
      fakes.push_back(real[i]);
      continue;
    }
    const Tensor t = real[i].tensor();
    fakes.emplace_back(mode_.from_tensor(t));
    const GraphInput& in = program_.main().inputs[i];
    const std::string_view input = program_.name(program_.main().values[in.value].name);
    const SpecialValues found = special_values(t);
    if (found.nan) {
      PropagateFinding& f = add(PropagateField::Nan, kNone,
                                fmt::format("{} of {} elements of this {} are NaN, the first at {}", found.nan,
                                            found.elements, name(in.kind), position_text(t.sizes(), found.first_nan)));
      f.name = input;
      f.op = "input";
    }
    if (found.inf) {
      run_.remarks.push_back(fmt::format("inf: {} {}: {} of {} elements are Inf, the first at {}", name(in.kind), input,
                                         found.inf, found.elements, position_text(t.sizes(), found.first_inf)));
    }
  }
  return fakes;
}

/// Converts the events that the mode reported to findings of nodes.
void PropagateHandler::take_report() {
  const RealReport report = mode_.real_report();
  const auto place_at = [&](const std::string& source) {
    const auto found = places_.find(source);
    return found == places_.end() ? Place() : found->second;
  };
  const auto add_at = [&](PropagateField field, const Place& place, const std::string& message) -> PropagateFinding& {
    PropagateFinding& f = add(field, place.node, message);
    if (f.at.empty()) f.at = place.line;  // the line inside the nested graph
    return f;
  };
  for (const DataUse& u : report.data_uses) {
    const Place place = place_at(u.source);
    run_.reads.push_back({place.node, u.op, u.value, place.line});
  }
  std::stable_sort(run_.reads.begin(), run_.reads.end(), [](auto& a, auto& b) { return a.node < b.node; });
  for (const ValueLoss& l : report.losses) {
    const Place place = place_at(l.source);
    int64_t calls = 0;
    std::string ops;
    for (const ValueLoss::Affected& a : l.affected) {
      calls += a.count;
      if (&a - l.affected.data() < 8) ops += fmt::format("{}{} {}", ops.empty() ? "" : ", ", a.op, a.count);
    }
    if (l.affected.size() > 8) ops += ", ...";
    const auto told = std::find_if(run_.findings.begin(), run_.findings.end(), [&](const PropagateFinding& f) {
      return f.field == PropagateField::Lost && f.node == place.node;
    });  // a placeholder's lost value has been reported already
    PropagateFinding& f = told == run_.findings.end() ? add_at(PropagateField::Lost, place, l.reason) : *told;
    if (!calls) continue;
    f.more.push_back(
        fmt::format("so {} later {} not run for real: {}", calls, calls == 1 ? "call was" : "calls were", ops));
  }
  for (const RealMismatch& m : report.mismatches) add_at(PropagateField::Rule, place_at(m.source), m.message);
  for (const MissingRule& m : report.missing_rules) {
    run_.remarks.push_back(fmt::format("{} has no rule: its kernel answered", m.op));
  }
}

void PropagateHandler::run(const PreparedProgram& prepared) {
  Interpreter interpreter(prepared, this);
  interpreter_ = &interpreter;
  const std::vector<Value> given = inputs();
  try {
    interpreter.run(given);
    check_constraints();
  } catch (const Error& e) {
    if (e.kind == ErrorKind::InternalError) throw;
    run_.stopped = e;
    const NodeId at = static_cast<NodeId>(run_.nodes);
    PropagateFinding& f = add(PropagateField::Stopped, at < program_.main().nodes.size() ? at : kNone, kRunEnded);
    f.more.push_back(e.without_node());  // the finding names the node itself
  } catch (const Interruption&) {        // the events so far are reported
  }
  take_report();
  tell_asked();
  for (const RecordSymbol& s : record_.symbols()) {
    const auto found = values_.bound().find(s.name);
    run_.symbols.push_back(found == values_.bound().end() ? std::nullopt : std::optional(found->second));
  }
  // Findings are sorted in program order, because an earlier event may be the cause of a later one.
  std::stable_sort(run_.findings.begin(), run_.findings.end(), [](const auto& a, const auto& b) {
    return (a.node == kNone ? -1 : int64_t(a.node)) < (b.node == kNone ? -1 : int64_t(b.node));
  });
}

}  // namespace

std::string elements_text(const MadeElements& made) {
  return fmt::format("{} of {} elements of {} {} {}, the first at {}", made.count, made.elements, made.what,
                     made.count == 1 ? "is" : "are", made.nan ? "NaN" : "Inf", made.first);
}

std::string origin_text(const MadeElements& made) {
  return elements_text(made) + (made.from_inf ? "; its inputs hold Inf and no NaN" : "; its inputs are finite");
}

std::string asked_text(bool nan, std::string_view op, const AskedSpecial& asked, std::string_view calls,
                       const std::string& one) {
  const std::string_view kind = nan ? "nan" : "inf";
  if (asked.calls.size() == 1) return fmt::format("{}: {}: {}: an argument of the call says so", kind, one, asked.text);
  std::string names = asked.calls[0];
  for (size_t i = 1; i < std::min(asked.calls.size(), kNodesNamed); ++i) names += ", " + asked.calls[i];
  if (asked.calls.size() > kNodesNamed) names += ", ...";
  return fmt::format("{}: {} {} ({}): their results hold {}, and an argument of each call says so: {}", kind,
                     asked.calls.size(), calls, op, nan ? "NaN" : "Inf", names);
}

std::string range_text(int64_t min, int64_t max) {
  const std::string low = min == INT64_MIN ? "-inf" : std::to_string(min);
  return fmt::format("[{}, {}]", low, max >= kUnbounded ? "inf" : std::to_string(max));
}

PropagateRun run_propagate(const ProgramInput& program, const RecordSymbols& symbols, const InputSet& inputs,
                           const PropagateOptions& options) {
  const TimedCall timed("ersatz::tools::run_propagate", "run");
  PropagateRun run;
  run.note = inputs.note;
  run.synthetic = inputs.synthetic;
  PrepareOptions prepare;
  prepare.device = options.device;
  const PreparedProgram prepared(program.program, prepare);
  const ContextGuard guard([&](RuleContext& c) { c.torch = torch_of(options.torch, program.program.producer); });
  const ChecksAtOnce judged;
  PropagateHandler(program, symbols, inputs, options, run).run(prepared);
  return run;
}

}  // namespace ersatz::tools
