#include "tools/program/fake_run.h"

#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "fake/mode/fake_mode_state.h"
#include "fake/observe/flop_counter.h"
#include "runtime/op/dispatch.h"
#include "runtime/sym/sym_expr.h"
#include "runtime/tensor/meta_text.h"
#include "tools/output/crash_note.h"
#include "tools/output/interrupt.h"
#include "tools/output/progress.h"
#include "tools/program/placeholder.h"
#include "tools/program/program_memory.h"
#include "tools/session/session.h"
#include "tracer/program/program_facts.h"
#include "tracer/run/run_inputs.h"

namespace ersatz::tools {

namespace {

/// Counts the FLOPs of a node. `add` counts a single call. For a composite op, the object is the active mode and counts
/// each call in the op's body.
class Work final : public CallObserver {
 public:
  explicit Work(ShapeEnv& env) : env_(env) {}
  std::string_view mode_name() const override { return "flop counter"; }

  void add(const OpEntry& op, std::span<const Value> args) {
    std::optional<SymInt> flops;
    try {
      // The formula runs the rule again, but must not repeat the guards that the call has made.
      const ShapeEnv::Silence decided(env_);
      flops = flops_of(op, args);
    } catch (const Error& e) {  // the sizes are unknown
      if (e.kind == ErrorKind::InternalError) throw;
    }
    calls_.emplace_back(&op, flops);
  }
  std::span<const std::pair<const OpEntry*, std::optional<SymInt>>> calls() const { return calls_; }

 private:
  void answered(const OpEntry& op, std::span<const Value> args, std::span<const Value>) override { add(op, args); }

  ShapeEnv& env_;
  std::vector<std::pair<const OpEntry*, std::optional<SymInt>>> calls_;
};

class FakeHandler final : public NodeHandler {
 public:
  FakeHandler(const Program& program, const FakeRunOptions& options, FakeSummary& summary)
      : program_(program),
        options_(options),
        summary_(summary),
        mode_(mode_options(program, options)),
        symbols_(program),
        placed_(program.main().values.size(), false),
        progress_("fake", static_cast<int64_t>(program.main().nodes.size())),
        symbolic_(options.symbolic && !program.env->symbols().empty()) {
    if (symbolic_) memory_.watch_symbols(*program.env);
  }

  std::vector<Value> inputs();
  void run(const PreparedProgram& prepared);

  void call(const NodeCall& call, std::span<Values> results) override {
    const OpEntry& op = *call.step.entry;
    if (options_.keep_going && takes_unknown(call, *interpreter_, placed_)) return put_placeholders(call, results);
    try {
      std::optional<CrashNote> note;
      // Kernels and custom rules may fail; noting each call of ersatz's own rules would cost too much.
      if (!op.rule || op.tags.has(Tag::Foreign)) {
        note.emplace(std::initializer_list<std::string_view>{"node ", call.name(), " (", op.name, ")"});
      }
      Answer answer;
      Work work(*program_.env);
      if (op.composite && !op.rule) {  // the FLOPs of a composite op are the sum over its parts
        const ModeGuard watching(work);
        mode_.state().answer(op, call.lanes[0], answer);
      } else {
        mode_.state().answer(op, call.lanes[0], answer);
        work.add(op, call.lanes[0]);
      }
      results[0] = std::move(answer.results);
      by_backend_ = answer.unknown_layouts() > 0;
      count_source(answer.source);
      count(work);
    } catch (const Error& e) {
      if (!options_.keep_going || e.kind == ErrorKind::InternalError) throw;
      refuse(call, e);
      results[0].clear();
      return put_placeholders(call, results);
    }
  }

  void uncallable(const NodeCall& call, std::span<Values> results) override { put_placeholders(call, results); }

  void faulty(const NodeCall& call, const Error& error, std::span<Values> results) override {
    if (!options_.keep_going) throw error;
    if (!takes_unknown(call, *interpreter_, placed_)) refuse(call, error);
    put_placeholders(call, results);
  }

  void done(const NodeCall& call) override {
    // The node computes a number from numbers.
    if (call.step.kind == Step::Kind::Number) count_source(Source::Constant);
    ++summary_.nodes;
    progress_.at(summary_.nodes, call.op_name());
    for (ValueId id : result_values(program_, call.node())) {
      if (id != kNone) report(call, id);
    }
    by_backend_ = false;
    memory_.about_to_free(*interpreter_, call);
    stop_if_interrupted("while a program was run");
  }

 private:
  static FakeOptions mode_options(const Program& program, const FakeRunOptions& options) {
    FakeOptions o;
    if (options.symbolic || options.data_symbols) o.shape_env = program.env;
    o.static_shapes = true;  // the program's records say which sizes are symbols, so the mode makes none
    o.fallback = options.fallback;
    o.inferred = options.inferred;
    o.count_sources = true;
    return o;
  }
  void count_source(Source s) { ++summary_.sources[std::string(name(s))]; }

  void count(const Work& work) {
    for (const auto& [op, flops] : work.calls()) {
      const std::optional<int64_t> at_hints = flops ? value_at_hints(*flops) : std::nullopt;
      if (!flops) {
        ++summary_.flops_unknown[op->name];
      } else if (!at_hints) {
        ++summary_.flops_unsized;
      } else {
        summary_.flops += static_cast<double>(*at_hints);
      }
      if (flops) add_expression(*flops);
    }
  }

  void add_expression(SymInt flops) {
    if (!symbolic_ || !flops_) return;
    try {
      *flops_ += flops;
    } catch (const Error& e) {  // the sum overflows int64
      if (e.kind == ErrorKind::InternalError) throw;
      flops_.reset();
    }
  }

  void put_placeholders(const NodeCall& call, std::span<Values> results) {
    results[0] = placeholders(call, &mode_, symbols_, options_.device, {}, UnknownSizes::AsRecorded);
    count_source(Source::None);  // the recorded metadata are used as the result
    for (const ValueId id : result_values(program_, call.node())) {
      if (id != kNone) placed_[id] = true;
    }
  }

  void refuse(const NodeCall& call, const Error& e) { count_refusal(call, e, summary_.refused, summary_.refusals); }

  void report(const NodeCall& call, ValueId id) {
    const Value& v = interpreter_->value(id);
    memory_.see(v);
    FakeRow row;
    row.name = program_.name(call.prepared.graph().values[id].name);
    row.op = call.op_name();
    row.source = call.source();
    row.by_backend = by_backend_ && v.is_tensor();
    if (v.is_tensor()) {
      const TensorMeta& meta = v.tensor_impl()->meta;
      row.meta = to_string(meta);
      if (meta.is_symbolic()) {
        if (const auto numbers = symbols_.concrete(meta)) row.at_hints = to_string(*numbers);
      }
      summary_.unsized += !value_at_hints(v.tensor_impl()->storage->nbytes());
      row.alias = first_on(*v.tensor_impl()->storage, row.name);
    } else {
      row.meta = to_string(v);
      if (v.is_symbolic_int()) {
        if (const auto number = value_at_hints(v.as_int())) row.at_hints = std::to_string(*number);
      }
    }
    summary_.rows.push_back(std::move(row));
  }

  /// Returns the name of the first value on the storage; empty if that is `name`.
  std::string first_on(const Storage& storage, const std::string& name) {
    auto [at, fresh] = first_names_.try_emplace(storage.id(), name);
    return fresh ? "" : at->second;
  }

  const Program& program_;
  const FakeRunOptions& options_;
  FakeSummary& summary_;
  FakeMode mode_;
  SymbolValues symbols_;
  Interpreter* interpreter_ = nullptr;
  std::vector<bool> placed_;  ///< for each value: true if it is a placeholder or missing
  ProgramMemory memory_;
  Progress progress_;
  const bool symbolic_;
  std::optional<SymInt> flops_ = SymInt(0);
  /// A GPU and its libraries decide strides of the last node's results.
  bool by_backend_ = false;
  // Storage id -> name of its first value; ids are never reused.
  std::unordered_map<uint64_t, std::string> first_names_;
};

std::vector<Value> FakeHandler::inputs() {
  InputChoice choice;
  choice.device = options_.device;
  choice.symbolic = options_.symbolic;
  std::vector<Value> values = make_fake_inputs(program_, mode_, symbols_, choice);
  std::unordered_set<uint64_t> weights;
  for (size_t i = 0; i < values.size(); ++i) {
    memory_.see(values[i]);
    if (!values[i].is_tensor()) continue;
    const GraphInput& in = program_.main().inputs[i];
    const Storage& storage = *values[i].tensor_impl()->storage;
    first_on(storage, std::string(program_.name(program_.main().values[in.value].name)));
    if (in.kind != InputKind::UserInput && weights.insert(storage.id()).second) {
      summary_.param_bytes += storage.nbytes().guard_int();
    }
  }
  return values;
}

void FakeHandler::run(const PreparedProgram& prepared) {
  Interpreter interpreter(prepared, this);
  interpreter_ = &interpreter;
  const std::vector<Value> values = inputs();
  try {
    interpreter.run(values);
  } catch (const Error& e) {
    if (e.kind == ErrorKind::InternalError) throw;
    summary_.stopped = e;
  } catch (const Interruption&) {  // the results so far are reported
  }
  summary_.peak_bytes = memory_.peak_bytes();
  if (symbolic_) {
    if (const auto peak = memory_.peak_expression()) summary_.peak_expression = to_string(program_.env->reduced(*peak));
    if (flops_) summary_.flops_expression = to_string(program_.env->reduced(*flops_));
  }
  summary_.fallbacks = mode_.fallbacks();
  summary_.coverage = mode_.coverage();
  if (Session* session = Session::current()) session->add_cache_misses(mode_.cache_info());
}

}  // namespace

FakeSummary run_fake(const Program& program, const FakeRunOptions& options) {
  const TimedCall timed("ersatz::tools::run_fake", "run");
  FakeSummary summary;
  summary.all_nodes = static_cast<int64_t>(program.main().nodes.size());
  PrepareOptions prepare;
  prepare.device = options.device;
  PreparedProgram prepared(program, prepare);
  for (const auto& [op, nodes] : prepared.missing_ops()) summary.missing[op] = nodes;
  if (!summary.missing.empty()) summary.plugins = program.plugins;
  if (!summary.missing.empty() && !options.keep_going) return summary;
  if (options.symbolic) add_constraints(program);
  const ContextGuard guard([&](RuleContext& c) {
    c.backend = options.backend;
    c.torch = torch_of(options.torch, program.producer);
  });
  FakeHandler(program, options, summary).run(prepared);
  return summary;
}

}  // namespace ersatz::tools
