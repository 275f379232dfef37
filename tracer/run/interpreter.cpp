#include "tracer/run/interpreter.h"

#include <algorithm>
#include <chrono>
#include <unordered_map>
#include <unordered_set>

#include "fake/mode/active_fake_mode.h"
#include "runtime/base/source_line.h"
#include "runtime/op/copy.h"
#include "runtime/op/dispatch.h"
#include "runtime/sym/sym_expr.h"
#include "runtime/sym/sym_value.h"
#include "runtime/tensor/layout.h"
#include "tracer/program/sym_functions.h"
#include "tracer/run/higher_order.h"
#include "tracer/run/run_watch.h"

namespace ersatz {

void NodeHandler::call(const NodeCall& call, std::span<Values> results) {
  for (size_t i = 0; i < results.size(); ++i) dispatch(*call.step.entry, call.lanes[i], results[i]);
}

void NodeHandler::uncallable(const NodeCall& call, std::span<Values>) {
  fail(ErrorKind::NotSupported, ErrorFamily::NotImplemented, "no operator {} is known", call.op_name());
}

void NodeHandler::faulty(const NodeCall&, const Error& error, std::span<Values>) { throw error; }

namespace {
/// Begins a new epoch in each fake mode of the inputs, so that data-dependent values of this run get new symbols.
/// Returns false if no mode makes symbols.
bool advance_epochs(std::span<const std::vector<Value>> inputs) {
  InlineVec<FakeModeState*, 2> modes;
  const auto add = [&](FakeModeState* mode) {
    if (mode && std::find(modes.begin(), modes.end(), mode) == modes.end()) modes.push_back(mode);
  };
  add(active_fake_mode());
  // The mode of the previous tensor. Most tensors have the mode of their predecessor, which need not be added again.
  const void* last = nullptr;
  for (const std::vector<Value>& lane : inputs) {
    for_each_tensor(lane, [&](const TensorImpl* t) {
      if (t->fake_mode.get() == last) return;
      last = t->fake_mode.get();
      add(dynamic_cast<FakeModeState*>(t->fake_mode.get()));
    });
  }
  bool any = modes.empty();  // if no input has a mode, a handler may still have one that makes symbols
  for (FakeModeState* mode : modes) {
    mode->advance_epoch();
    any |= mode->options.shape_env != nullptr;
  }
  return any;
}
}  // namespace

struct Interpreter::Impl {
  Impl(const PreparedProgram& prepared, NodeHandler* handler, int lanes);

  struct Lane {
    std::vector<Value> values;       ///< values by ValueId; this vector owns them
    std::vector<Value> args, items;  ///< elements that `patch` fills are borrowed from `values`
    std::vector<SymInt> integers;
    std::vector<Value> kept;  ///< converted arguments of the node that is running; elements of `args` borrow them
  };
  std::vector<std::vector<Value>> run_lanes(std::vector<std::vector<Value>> inputs, bool given_up = false);
  void start(Lane& lane, std::vector<Value> inputs);
  void run_step(NodeId id);
  /// Calls the handler for a node. If there is a RunWatch, reports the time and the error to it.
  void handle(const NodeCall& call, const std::optional<Error>& misfit);
  void handle_watched(const NodeCall& call, const std::optional<Error>& misfit);
  /// Returns the data-dependent symbols in the node's recorded results that no earlier node of this run has made.
  std::vector<SymInt> symbols_to_make(const Node& node);
  /// Fills in the arguments in every lane. For a function on numbers, also computes the result. Returns the error if
  /// the arguments do not fit.
  std::optional<Error> bind(const Step& step, const Node& node);
  void patch(Lane& lane, const Step& step);
  void patch_slowly(Lane& lane, const Step& step, const Patch& p, const Value& v);
  void rebind(Lane& lane, const Node& node, const OpEntry& op);
  Value resolve(const Lane& lane, const Arg& a) const;
  void store(Lane& lane, const Node& node, Values& results);
  void keep_bindings(NodeId id, std::span<const SymInt> made);
  std::vector<Value> finish(Lane& lane);
  void write_back(const Lane& lane, const GraphOutput& output);

  const PreparedProgram& prepared_;
  NodeHandler* handler_;
  NodeHandler default_handler_;
  std::vector<Lane> lanes_;
  std::vector<Values> results_;
  std::vector<std::span<const Value>> arg_spans_;
  bool writes_back_ = true;
  bool has_unbacked_ = false;   ///< the program's records have data-dependent symbols
  RunWatch* watch_ = nullptr;   ///< the watch of this run
  bool makes_symbols_ = false;  ///< a fake mode of this run has a ShapeEnv
  /// SymInt::word() of each data-dependent symbol that occurred in this run.
  std::unordered_set<int64_t> data_symbols_;
  std::unordered_map<NodeId, std::vector<SymbolBinding>> bindings_;
};

Interpreter::Interpreter(const PreparedProgram& prepared, NodeHandler* handler, int lanes)
    : impl_(std::make_unique<Impl>(prepared, handler, lanes)) {}
Interpreter::~Interpreter() = default;

void Interpreter::leave_inputs() { impl_->writes_back_ = false; }

const Value& Interpreter::value(ValueId id, int lane) const { return impl_->lanes_[lane].values[id]; }

std::span<const SymbolBinding> Interpreter::symbol_bindings(NodeId id) const {
  const auto at = impl_->bindings_.find(id);
  return at == impl_->bindings_.end() ? std::span<const SymbolBinding>() : at->second;
}

Interpreter::Impl::Impl(const PreparedProgram& prepared, NodeHandler* handler, int lanes)
    : prepared_(prepared),
      handler_(handler ? handler : &default_handler_),
      lanes_(lanes),
      results_(lanes),
      arg_spans_(lanes) {
  for (Lane& lane : lanes_) {
    lane.args = prepared.args;
    lane.items = prepared.items;
    lane.integers = prepared.integers;
    // A list argument borrows its items from this lane's arena, whose memory does not move.
    for (const ListSlot& list : prepared.list_slots) {
      const ArgRange r = list.items;
      lane.args[list.slot] = list.integers
                                 ? Value::borrow(std::span<const SymInt>(lane.integers.data() + r.first, r.count))
                                 : Value::borrow(std::span<const Value>(lane.items.data() + r.first, r.count));
    }
    lane.values.resize(prepared.graph().values.size());
  }
  for (const SymbolInfo& s : prepared.program().env->symbols()) has_unbacked_ |= depends_on_data(s);
}

std::vector<Value> Interpreter::run(std::span<const Value> inputs) {
  std::vector<std::vector<Value>> lanes{{inputs.begin(), inputs.end()}};
  return std::move(impl_->run_lanes(std::move(lanes))[0]);
}

std::vector<Value> Interpreter::run(std::vector<Value>&& inputs) {
  std::vector<std::vector<Value>> lanes;
  lanes.push_back(std::move(inputs));
  return std::move(impl_->run_lanes(std::move(lanes), /*given_up=*/true)[0]);
}

std::vector<std::vector<Value>> Interpreter::run(std::span<const std::vector<Value>> inputs) {
  return impl_->run_lanes({inputs.begin(), inputs.end()});
}

std::vector<std::vector<Value>> Interpreter::Impl::run_lanes(std::vector<std::vector<Value>> inputs, bool given_up) {
  if (inputs.size() != lanes_.size()) {
    fail_argument("a run of {} lanes needs inputs for each, {} given", lanes_.size(), inputs.size());
  }
  data_symbols_.clear();
  const size_t formal = prepared_.graph().inputs.size();
  for (const std::vector<Value>& lane : inputs) {
    if (lane.size() != formal) fail_argument("the graph has {} inputs, {} given", formal, lane.size());
  }
  makes_symbols_ = advance_epochs(inputs);
  watch_ = run_watch();
  if (watch_) watch_->begins(prepared_);
  for (size_t i = 0; i < lanes_.size(); ++i) start(lanes_[i], std::move(inputs[i]));
  auto next_free = prepared_.input_frees.begin();
  for (NodeId id = 0; id < prepared_.steps.size(); ++id) {
    try {
      run_step(id);
    } catch (Error& e) {
      const NodeCall call{prepared_, id, prepared_.steps[id], {}};
      e.name_node(call.name().empty() ? call.op_name() : call.name(), call.source());
      throw;
    }
    for (; given_up && next_free != prepared_.input_frees.end() && next_free->first == id; ++next_free) {
      for (Lane& lane : lanes_) lane.values[next_free->second] = Value();
    }
  }
  std::vector<std::vector<Value>> outputs;
  for (Lane& lane : lanes_) outputs.push_back(finish(lane));
  if (watch_) watch_->ends(prepared_);
  return outputs;
}

void Interpreter::Impl::start(Lane& lane, std::vector<Value> inputs) {
  const auto& formal = prepared_.graph().inputs;
  for (Value& v : lane.values) v = Value();  // an error may have left values from an earlier run
  if (has_unbacked_) {
    for (const Value& v : inputs) {  // symbols of inputs are known, so no node makes them
      if (!v.is_tensor()) continue;
      for (const SymInt size : v.tensor_impl()->meta.sizes) data_symbols_.insert(size.word());
    }
  }
  for (size_t i = 0; i < formal.size(); ++i) lane.values[formal[i].value] = std::move(inputs[i]);
}

std::optional<Error> Interpreter::Impl::bind(const Step& step, const Node& node) {
  try {
    for (size_t i = 0; i < lanes_.size(); ++i) {
      Lane& lane = lanes_[i];
      if (step.kind == Step::Kind::Call) {
        patch(lane, step);
        arg_spans_[i] = {lane.args.data() + step.args.first, step.args.count};
      } else if (step.kind == Step::Kind::Rebind) {
        rebind(lane, node, *step.entry);
        arg_spans_[i] = lane.kept;
      } else if (step.kind == Step::Kind::Number) {
        lane.kept.clear();
        for (const Arg& a : prepared_.program().view(node.args)) lane.kept.push_back(resolve(lane, a));
        arg_spans_[i] = lane.kept;
        const std::string_view function = prepared_.program().name(prepared_.program().op(node).name);
        results_[i].push_back(call_sym_function(function, lane.kept));
      }
    }
  } catch (const Error& e) {
    return e;  // for example, an earlier node did not return the value
  }
  return std::nullopt;
}

void Interpreter::Impl::run_step(NodeId id) {
  const Step& step = prepared_.steps[id];
  const Node& node = prepared_.graph().nodes[id];
  for (Values& results : results_) results.clear();
  const Program& program = prepared_.program();
  const SourceLine line(program.name(node.source));
  const SymSiteScope site(program.name(program.op(node).name), program.name(node.name));
  std::vector<SymInt> symbols;
  std::optional<RecordedSymbols> recorded;
  std::optional<FreshSymbols> fresh;
  if (makes_symbols_) {
    if (has_unbacked_) symbols = symbols_to_make(node);
    recorded.emplace(symbols);
    fresh.emplace();
  }
  const std::optional<Error> misfit = bind(step, node);
  const bool callable = !misfit && (step.kind == Step::Kind::Call || step.kind == Step::Kind::Rebind);
  const bool bound = callable || (!misfit && step.kind == Step::Kind::Number);
  const NodeCall call{prepared_, id, step, bound ? arg_spans_ : std::span<const std::span<const Value>>()};
  watch_ ? handle_watched(call, misfit) : handle(call, misfit);
  if (callable && fresh && !fresh->made().empty()) keep_bindings(id, fresh->made());
  for (size_t i = 0; i < lanes_.size(); ++i) store(lanes_[i], node, results_[i]);
  handler_->done(call);
  for (Lane& lane : lanes_) {
    for (uint32_t i = 0; i < step.frees.count; ++i) lane.values[prepared_.frees[step.frees.first + i]] = Value();
  }
}

void Interpreter::Impl::handle(const NodeCall& call, const std::optional<Error>& misfit) {
  if (misfit) {
    for (Values& results : results_) results.clear();
    return handler_->faulty(call, *misfit, results_);
  }
  switch (call.step.kind) {
    case Step::Kind::Call:
    case Step::Kind::Rebind:
      return handler_->call(call, results_);
    case Step::Kind::Number:
      return handler_->number(call, results_);
    case Step::Kind::Uncallable:
      return handler_->uncallable(call, results_);
    case Step::Kind::Faulty:
      for (const auto& [faulty, error] : prepared_.faults) {
        if (faulty == call.id) handler_->faulty(call, error, results_);
      }
  }
}

void Interpreter::Impl::handle_watched(const NodeCall& call, const std::optional<Error>& misfit) {
  const auto start = std::chrono::steady_clock::now();
  try {
    handle(call, misfit);
  } catch (const Error& e) {
    watch_->failed(call, e);
    throw;
  }
  watch_->ran(call, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
}

void Interpreter::Impl::keep_bindings(NodeId id, std::span<const SymInt> made) {
  std::vector<SymbolBinding>& kept = bindings_[id];
  std::vector<SymbolBinding> now;
  for (size_t i = 0; i < lanes_.size() && now.empty(); ++i) now = bind_symbols(made, results_[i]);
  const std::string_view node = prepared_.program().name(prepared_.graph().nodes[id].name);
  for (const SymbolBinding& b : now) {
    for (const SymbolBinding& before : kept) {
      if (b.same_place(before) && !b.symbol.is_identical(before.symbol))
        set_equal(b.symbol, before.symbol, fmt::format("node {}, which was run again", node));
    }
  }
  kept = std::move(now);
}

std::vector<SymInt> Interpreter::Impl::symbols_to_make(const Node& node) {
  const Program& program = prepared_.program();
  std::vector<SymInt> found;
  const auto see = [&](SymInt v) {
    if (is_bare_symbol(v) && depends_on_data(*program.env->find_symbol(to_string(v))) &&
        data_symbols_.insert(v.word()).second)
      found.push_back(v);
  };
  for (const ValueId id : result_values(program, node)) {
    if (id == kNone) continue;
    const GraphValue& v = prepared_.graph().values[id];
    if (const TensorMeta* meta = program.meta(v)) {
      for (const SymInt size : meta->sizes) see(size);
    } else if (v.kind == ValueKind::Int && v.record != kNone) {
      see(program.literals[v.record].as_int());
    }
  }
  return found;
}

void Interpreter::Impl::patch(Lane& lane, const Step& step) {
  if (!lane.kept.empty()) lane.kept.clear();
  for (uint32_t i = 0; i < step.patches.count; ++i) {
    const Patch& p = prepared_.patches[step.patches.first + i];
    const Value& v = lane.values[p.value];
    if (v.is_tensor() && p.into == Patch::Into::Argument) [[likely]] {
      const bool fits = step.entry->schema.arguments[p.position].is_ready(Value::Kind::Tensor);
      if (fits) [[likely]] {
        lane.args[p.slot] = v.borrowed();
        continue;
      }
    }
    patch_slowly(lane, step, p, v);
  }
}

/// Fills in a value that is a number, an element of a list, or has to be converted to the schema's type.
void Interpreter::Impl::patch_slowly(Lane& lane, const Step& step, const Patch& p, const Value& v) {
  const FunctionSchema& schema = step.entry->schema;
  const Argument& formal = schema.arguments[p.position];
  if (p.into == Patch::Into::Integer) {
    if (v.kind() != Value::Kind::Int) {
      fail_argument("{}: argument '{}': an element is {}, not an int", schema.base, formal.name, name(v.kind()));
    }
    lane.integers[p.slot] = v.as_int();
  } else if (p.into == Patch::Into::Item) {
    if (!v.is_tensor() && !(v.is_none() && formal.type.element_optional())) {
      fail_argument("{}: argument '{}': an element is {}, not a Tensor", schema.base, formal.name, name(v.kind()));
    }
    lane.items[p.slot] = v.borrowed();
  } else {
    lane.kept.reserve(step.args.count);  // reserved, because slots borrow elements of it
    Value& copy = lane.kept.emplace_back(v);
    check_argument(schema, p.position, copy);
    lane.args[p.slot] = copy.borrowed();
  }
}

void Interpreter::Impl::rebind(Lane& lane, const Node& node, const OpEntry& op) {
  std::vector<Value> positional;
  std::vector<std::pair<std::string, Value>> keywords;
  const bool higher = op.tags.has(Tag::HigherOrder);
  const std::span<const Arg> args = prepared_.program().view(node.args);
  for (const Arg& a : higher ? std::span<const Arg>(static_cast<const HigherOrderOp&>(op).operands) : args) {
    Value v = resolve(lane, a);
    if (a.name) {
      keywords.emplace_back(prepared_.program().name(a.name), std::move(v));
    } else {
      positional.push_back(std::move(v));
    }
  }
  lane.kept = bind_arguments(op.schema, positional, keywords);
}

Value Interpreter::Impl::resolve(const Lane& lane, const Arg& a) const {
  const Program& p = prepared_.program();
  switch (a.kind) {
    case Arg::Kind::None:
      return Value();
    case Arg::Kind::Value:
      return lane.values[a.index];
    case Arg::Kind::Literal:
      return p.literal(a);
    case Arg::Kind::List: {
      std::vector<Value> items;
      for (const Arg& item : p.list(a)) items.push_back(resolve(lane, item));
      return Value::packed(items);
    }
    default:
      fail(ErrorKind::NotSupported, ErrorFamily::NotImplemented, "an operator takes no graphs, operators or maps");
  }
}

void Interpreter::Impl::store(Lane& lane, const Node& node, Values& results) {
  const Program& p = prepared_.program();
  const auto formal = p.view(node.results);
  if (formal.empty()) return;
  // A printed graph names only results that later lines use, so a list may have more.
  const bool rest_unknown = p.untold.list_ends && results.size() > formal.size();
  if (results.size() != formal.size() && !rest_unknown) {
    fail_argument("{} results where the node names {}", results.size(), formal.size());
  }
  for (size_t i = 0; i < formal.size(); ++i) {
    const Arg& a = formal[i];
    if (a.kind == Arg::Kind::Value) {
      lane.values[a.index] = std::move(results[i]);
    } else if (a.kind == Arg::Kind::List) {
      const auto names = p.list(a);
      const bool list = results[i].kind() == Value::Kind::List || results[i].kind() == Value::Kind::IntList;
      const bool fits = list && (results[i].as_list().size() == names.size() ||
                                 (p.untold.list_ends && results[i].as_list().size() > names.size()));
      if (!fits) {
        fail_argument("result {} is no list of the {} values that the node names", i, names.size());
      }
      for (size_t j = 0; j < names.size(); ++j) lane.values[names[j].index] = results[i].as_list()[j];
    }
  }
}

std::vector<Value> Interpreter::Impl::finish(Lane& lane) {
  std::vector<Value> outputs;
  for (const GraphOutput& o : prepared_.graph().outputs) {
    if (writes_back_) write_back(lane, o);
    outputs.push_back(resolve(lane, o.value));
  }
  for (Value& v : lane.values) v = Value();
  return outputs;
}

void Interpreter::Impl::write_back(const Lane& lane, const GraphOutput& output) {
  const bool by_name = output.kind == OutputKind::UserInputMutation;
  if (!by_name && output.kind != OutputKind::BufferMutation && output.kind != OutputKind::ParameterMutation) return;
  if (output.value.kind != Arg::Kind::Value) return;
  const Value& from = lane.values[output.value.index];
  for (const GraphInput& in : prepared_.graph().inputs) {
    const NameId target = by_name ? prepared_.graph().values[in.value].name : in.target;
    if (target != output.target) continue;
    const Value& to = lane.values[in.value];
    if (!from.is_tensor() || !to.is_tensor()) return;
    const Tensor source = from.tensor(), buffer = to.tensor();
    if (source.is(buffer)) return;
    if (!sym_eq(source.sizes(), buffer.sizes())) {
      fail_argument("the new value of '{}' is {}, the buffer {}", prepared_.program().name(output.target),
                    source.meta(), buffer.meta());
    }
    if (!source.is_fake() && !buffer.is_fake() && !buffer.device().is_meta()) copy_elements(buffer, source);
    buffer.storage()->bump_version();
    return;
  }
}

}  // namespace ersatz
