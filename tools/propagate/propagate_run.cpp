#include "tools/propagate/propagate_run.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>

#include "fake/watch/tensor_copies.h"
#include "runtime/base/source_line.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/map_tensors.h"
#include "runtime/op/value_checks.h"
#include "runtime/tensor/meta_text.h"
#include "tools/output/crash_note.h"
#include "tools/output/interrupt.h"
#include "tools/output/progress.h"
#include "tools/program/placeholder.h"
#include "tools/propagate/special_values.h"
#include "tracer/run/interpreter.h"

namespace ersatz::tools {

std::string_view name(PropagateField f) {
  constexpr std::string_view kNames[] = {"nan", "inf", "lost", "size", "check", "rule", "stopped"};
  return kNames[static_cast<int>(f)];
}

namespace {

/// NaN and Inf in several tensors together.
struct Special {
  bool nan = false, inf = false;
  void add(const Tensor& real) {
    const SpecialValues found = special_values(real);
    nan |= found.nan > 0;
    inf |= found.inf > 0;
  }
};

/// Numbers among a call's arguments that are NaN or Inf.
Special special_numbers(std::span<const Value> args) {
  Special found;
  Values leaves;
  flatten(args, leaves);
  for (const Value& v : leaves) {
    if (v.kind() != Value::Kind::Float) continue;
    found.nan |= std::isnan(v.as_double());
    found.inf |= std::isinf(v.as_double());
  }
  return found;
}

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
        values_(program_),
        progress_("propagate", static_cast<int64_t>(program_.main().nodes.size())) {}

  void run(const PreparedProgram& prepared);

  void call(const NodeCall& call, std::span<Values> results) override;
  void uncallable(const NodeCall& call, std::span<Values> results) override {
    put_placeholders(call, results, fmt::format("no operator {} is known here", call.op_name()));
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
  const std::string& place_of(const NodeCall& call);
  PropagateFinding& add(PropagateField field, NodeId node, std::string message);
  void put_placeholders(const NodeCall& call, std::span<Values> results, const std::string& why);
  Special before(const NodeCall& call) const;
  void look_for_special(const NodeCall& call, const Special& given, std::span<const Value> results);
  void tell_special(const NodeCall& call, bool nan, const Tensor& real, std::string_view what, const Special& given);
  void observe(const NodeCall& call);
  void check_sizes(const NodeCall& call);
  void check_constraints();
  void take_report();

  const Program& program_;
  const RecordSymbols& record_;
  const InputSet& set_;
  const PropagateOptions& options_;
  PropagateRun& run_;
  FakeMode mode_;
  SymbolValues values_;
  Progress progress_;
  Interpreter* interpreter_ = nullptr;
  std::deque<std::string> places_;  // what the mode's report calls the nodes; they stay where they are
  std::map<std::string, NodeId, std::less<>> nodes_by_place_;
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

/// Events of the mode say where they happened by the line in force: one for each node tells nodes of one line apart.
const std::string& PropagateHandler::place_of(const NodeCall& call) {
  std::string place = "node " + node_label(program_, call.id);
  if (!call.source().empty()) place += fmt::format(" ({})", call.source());
  const auto [known, fresh] = nodes_by_place_.try_emplace(place, call.id);
  if (!fresh && known->second != call.id) place += fmt::format(" #{}", call.id);
  nodes_by_place_.try_emplace(place, call.id);
  return places_.emplace_back(std::move(place));
}

void PropagateHandler::call(const NodeCall& call, std::span<Values> results) {
  const OpEntry& op = *call.step.entry;
  const std::span<const Value> args = call.lanes[0];
  const SourceLine line(place_of(call));
  const Special given = before(call);
  try {
    std::optional<CrashNote> note;
    if (!op.rule || op.tags.has(Tag::Foreign)) {
      note.emplace(std::initializer_list<std::string_view>{"node ", call.name(), " (", op.name, ")"});
    }
    Answer answer;
    mode_.state().answer(op, args, answer);
    results[0] = std::move(answer.results);
  } catch (const Error& e) {
    if (e.kind == ErrorKind::InternalError) throw;
    results[0].clear();
    const bool unread = e.kind == ErrorKind::DataDependentOutput || e.kind == ErrorKind::DynamicOutputShape;
    if (unread) run_.reads.push_back({call.id, op.name, ""});  // a point, of which nothing was seen
    // A node that returns and writes nothing is there to check something.
    if (op.schema.returns.empty() && op.written.empty() && (e.value_failure || e.kind == ErrorKind::InvalidArgument)) {
      add(PropagateField::Check, call.id, "fails on the values of this run").more.push_back(e.message);
      return;
    }
    if (!options_.keep_going || e.value_failure) throw;
    return put_placeholders(call, results, e.message);
  }
  if (!op.tags.has(Tag::Uninitialized)) look_for_special(call, given, results[0]);
}

/// What the call's tensors hold before it writes any of them. Of a call that writes none it can be asked afterwards.
Special PropagateHandler::before(const NodeCall& call) const {
  Special found;
  if (call.step.entry->written.empty()) return found;
  for_each_tensor(call.lanes[0], [&](TensorImpl* t) {
    if (const Tensor real = RealValues::of(t)) found.add(real);
  });
  return found;
}

void PropagateHandler::look_for_special(const NodeCall& call, const Special& given, std::span<const Value> results) {
  const OpEntry& op = *call.step.entry;
  Values made;
  flatten(results, made);
  const size_t of_results = made.size();
  for (const uint16_t i : op.written) flatten(call.lanes[0].subspan(i, 1), made);
  for (size_t k = 0; k < made.size(); ++k) {
    if (!made[k].is_tensor()) continue;
    const Tensor real = RealValues::of(made[k].tensor_impl());
    if (!real) continue;
    const SpecialValues found = special_values(real);
    if (!found.nan && !found.inf) continue;
    Special before_call = given;
    if (op.written.empty()) {
      for_each_tensor(call.lanes[0], [&](TensorImpl* t) {
        if (const Tensor argument = RealValues::of(t)) before_call.add(argument);
      });
    }
    const std::string what = k >= of_results   ? "the argument that it writes"
                             : of_results == 1 ? "its result"
                                               : fmt::format("its result {}", k);
    if (found.nan && !before_call.nan) {
      tell_special(call, true, real, what, before_call);
    } else if (found.inf && !before_call.inf && !before_call.nan) {
      tell_special(call, false, real, what, before_call);
    }
    return;  // one origin a node
  }
}

void PropagateHandler::tell_special(const NodeCall& call, bool nan, const Tensor& real, std::string_view what,
                                    const Special& given) {
  const SpecialValues found = special_values(real);
  const Special numbers = special_numbers(call.lanes[0]);
  const std::string_view kind = nan ? "NaN" : "Inf";
  const int64_t first = nan ? found.first_nan : found.first_inf;
  const std::string text =
      fmt::format("{} of {} elements of {} {} {}, the first at {}", nan ? found.nan : found.inf, found.elements, what,
                  (nan ? found.nan : found.inf) == 1 ? "is" : "are", kind, position_text(real.sizes(), first));
  if (nan ? numbers.nan : numbers.inf) {
    run_.remarks.push_back(fmt::format("{}: node {} ({}): {}: an argument of the call says so", nan ? "nan" : "inf",
                                       node_label(program_, call.id), call.op_name(), text));
    return;
  }
  PropagateFinding& f = add(nan ? PropagateField::Nan : PropagateField::Inf, call.id, text);
  f.message += given.inf ? "; its inputs hold Inf and no NaN" : "; its inputs are finite";
  std::vector<ValueId> operands = graph_values(program_, program_.view(call.node().args));
  std::sort(operands.begin(), operands.end());
  operands.erase(std::unique(operands.begin(), operands.end()), operands.end());
  for (const ValueId id : operands) {
    const Value& v = interpreter_->value(id);
    if (!v.is_tensor()) continue;
    f.more.push_back(fmt::format("takes %{}: {}", program_.name(program_.main().values[id].name),
                                 to_string(v.tensor_impl()->meta, MetaStyle::People)));
  }
}

void PropagateHandler::put_placeholders(const NodeCall& call, std::span<Values> results, const std::string& why) {
  results[0] = placeholders(call, &mode_, values_, options_.device, {}, UnknownSizes::AsRecorded);
  add(PropagateField::Lost, call.id, "its results have no value: what was recorded stands in").more.push_back(why);
}

void PropagateHandler::done(const NodeCall& call) {
  ++run_.nodes;
  progress_.at(run_.nodes, call.op_name());
  observe(call);
  check_sizes(call);
  stop_if_interrupted("while a program was run");
}

/// Learns symbols from the node's results, and counts those without a value.
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

/// Does a size that data decides fit the record?
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

/// Bounds of expressions, which belong to no node.
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
}

std::vector<Value> PropagateHandler::inputs() {
  if (set_.given) observe_inputs(program_, *set_.given, values_);
  std::vector<Value> real = make_inputs(program_, values_, set_.choice);
  if (options_.device && options_.device->is_cuda()) {
    real = TensorCopies(options_.device).of(real);
    program_.weights.unload();  // they live on the device now
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

/// The mode's events, told by nodes.
void PropagateHandler::take_report() {
  const RealReport report = mode_.real_report();
  const auto node_at = [&](const std::string& place) {
    const auto found = nodes_by_place_.find(place);
    return found == nodes_by_place_.end() ? kNone : found->second;
  };
  for (const DataUse& u : report.data_uses) run_.reads.push_back({node_at(u.source), u.op, u.value});
  std::stable_sort(run_.reads.begin(), run_.reads.end(), [](auto& a, auto& b) { return a.node < b.node; });
  for (const ValueLoss& l : report.losses) {
    const NodeId node = node_at(l.source);
    int64_t calls = 0;
    std::string ops;
    for (const ValueLoss::Affected& a : l.affected) {
      calls += a.count;
      if (&a - l.affected.data() < 8) ops += fmt::format("{}{} {}", ops.empty() ? "" : ", ", a.op, a.count);
    }
    if (l.affected.size() > 8) ops += ", ...";
    // A placeholder is told where it was put; what took its place is not lost once more.
    const bool told = std::any_of(run_.findings.begin(), run_.findings.end(), [&](const PropagateFinding& f) {
      return f.field == PropagateField::Lost && (f.node == node || l.op.empty());
    });
    if (!told) add(PropagateField::Lost, node, l.reason);
    if (!calls) continue;
    for (PropagateFinding& f : run_.findings) {
      if (f.field != PropagateField::Lost || (f.node != node && !l.op.empty())) continue;
      f.more.push_back(
          fmt::format("so {} later {} not run for real: {}", calls, calls == 1 ? "call was" : "calls were", ops));
      break;
    }
  }
  for (const RealMismatch& m : report.mismatches) add(PropagateField::Rule, node_at(m.source), m.message);
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
    PropagateFinding& f =
        add(PropagateField::Stopped, at < program_.main().nodes.size() ? at : kNone, "the run ended here");
    // The interpreter has put the node in front, which the finding says already.
    const std::string node = fmt::format("node {}{}: ", f.name, f.at.empty() ? "" : fmt::format(" ({})", f.at));
    f.more.push_back(e.message.starts_with(node) ? e.message.substr(node.size()) : e.message);
  } catch (const Interruption&) {  // what was seen so far stands
  }
  take_report();
  for (const RecordSymbol& s : record_.symbols()) {
    const auto found = values_.bound().find(s.name);
    run_.symbols.push_back(found == values_.bound().end() ? std::nullopt : std::optional(found->second));
  }
  // In the order of the program: what comes first may be why the rest happened.
  std::stable_sort(run_.findings.begin(), run_.findings.end(), [](const auto& a, const auto& b) {
    return (a.node == kNone ? -1 : int64_t(a.node)) < (b.node == kNone ? -1 : int64_t(b.node));
  });
}

}  // namespace

std::string range_text(int64_t min, int64_t max) {
  const std::string low = min == INT64_MIN ? "-inf" : std::to_string(min);
  return fmt::format("[{}, {}]", low, max == INT64_MAX ? "inf" : std::to_string(max));
}

PropagateRun run_propagate(const ProgramInput& program, const RecordSymbols& symbols, const InputSet& inputs,
                           const PropagateOptions& options) {
  PropagateRun run;
  run.note = inputs.note;
  PrepareOptions prepare;
  prepare.device = options.device;
  const PreparedProgram prepared(program.program, prepare);
  const ChecksAtOnce judged;
  PropagateHandler(program, symbols, inputs, options, run).run(prepared);
  return run;
}

}  // namespace ersatz::tools
