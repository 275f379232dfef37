#include "tracer/trace/tracer.h"

#include <algorithm>

#include "fake/mode/active_fake_mode.h"
#include "fake/object/module_call.h"
#include "fake/object/module_names.h"
#include "fake/object/parameter.h"
#include "runtime/op/composite_body.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/map_tensors.h"
#include "runtime/op/tagged_op.h"
#include "tracer/run/higher_order.h"
#include "tracer/run/nested_graph.h"
#include "tracer/run/tagged_call.h"
#include "tracer/trace/decomposition_table.h"
#include "tracer/trace/subgraphs.h"

namespace ersatz {

namespace {

/// A result that is computed from known values is itself known only if it has at most this number of elements.
constexpr int64_t kMostConstantElements = 1;

/// Returns the operator that copies a literal. The copy protects the literal that the program stores from writes.
const OpEntry& copying_lift() {
  static const OpEntry& op = [&]() -> const OpEntry& {
    for (const OpEntry* op : registry().all()) {
      if (op->tags.has(Tag::Lift) && !op->tags.has(Tag::View) && op->written.empty() && !op->functional) return *op;
    }
    raise_internal_error(__FILE__, __LINE__, "a lift", "no operator copies what it lifts");
  }();
  return op;
}

/// Restores a value at the end of the scope.
template <class T>
class Restored {
 public:
  explicit Restored(T& value) : value_(value), saved_(value) {}
  ~Restored() { value_ = saved_; }
  Restored(const Restored&) = delete;
  Restored& operator=(const Restored&) = delete;

 private:
  T& value_;
  const T saved_;
};

bool holds_symbol(const Value& v) { return v.kind() == Value::Kind::IntList ? !all_int(v.as_ints()) : v.is_symbolic(); }

}  // namespace

bool asks_only(const OpEntry& op) {
  const auto is_tensor = [](const Argument& r) { return r.type.base == BaseType::Tensor; };
  const std::vector<Argument>& returns = op.schema.returns;
  return !returns.empty() && std::none_of(returns.begin(), returns.end(), is_tensor) && !op.tags.has(Tag::ScalarRead) &&
         !op.tags.has(Tag::DataDependent) && !op.tags.has(Tag::HigherOrder);
}

Tracer::Tracer(Program& program, Graph& graph, const TraceOptions& options, const RegionState& outside)
    : options_(options), writer_(program, graph), symbols_(writer_, options.count_elements), outside_(outside) {
  writer_.capture_stacks = options.capture_stacks;
  if (options.functional) functional_ = std::make_unique<FunctionalState>(*this, options.copied_views);
}
Tracer::~Tracer() = default;

Tracer* current_tracer() {
  Mode* mode = active_mode(ModeOrder::PreDispatchTracer);
  if (!mode) mode = active_mode(ModeOrder::Tracer);
  return static_cast<Tracer*>(mode);
}

void Tracer::pass_on(const OpEntry& op, std::span<const Value> args, Values& results) {
  const NoTracing outer;  // only the innermost tracer records a call
  dispatch(op, args, results);
}

void Tracer::call(const OpEntry& op, std::span<const Value> args, Values& results) {
  count("calls.tracer");
  if (asks_only(op)) return count("traced.asked"), pass_on(op, args, results);
  writer_.origin.module = module_number(current_module());
  if (options_.record_calls && writer_.origin.call == kNone) {
    const Restored<uint32_t> call(writer_.origin.call);
    writer_.origin.call = begin_call(op);
    return write_down(op, args, results);
  }
  write_down(op, args, results);
}

void Tracer::write_down(const OpEntry& op, std::span<const Value> args, Values& results) {
  // An op with the tag HigherOrder was made for a node of a PreparedProgram, so it is a HigherOrderOp.
  if (op.tags.has(Tag::HigherOrder)) {
    write_down_higher_order(static_cast<const HigherOrderOp&>(op), args, results);
  } else if (expand(op, args, results)) {
    return;
  } else if (op.tags.has(Tag::ScalarRead)) {
    functional_ ? read_value(op, functional_->current(args), results) : read_value(op, args, results);
  } else if (functional_) {
    functional_->call(op, args, results);
  } else {
    record(op, args, results);
  }
  if (options_.pre_dispatch) states_.resize(writer_.graph().nodes.size(), RegionState::now());
}

void Tracer::write_down_higher_order(const HigherOrderOp& op, std::span<const Value> args, Values& results) {
  if (!functional_) return record_higher_order(op, args, results);
  if (!op.is_region) return record_higher_order(op, functional_->current(args), results);
  const ModeGuard again(*this);  // the calls of the region are recorded in this program
  const NestedGraphScope as_it_is(nullptr);
  run_composite(op, args, results);
}

uint32_t Tracer::module_number(const ModulePlace* place) {
  if (!place) return kNone;
  if (place->id == last_place_) return last_module_;
  const uint32_t outer = module_number(place->outer);
  NamePool& names = writer_.program().names;
  last_module_ = writer_.program().add_module({names.intern(place->path), names.intern(place->type), outer});
  last_place_ = place->id;
  return last_module_;
}

uint32_t Tracer::begin_call(const OpEntry& op) {
  Program& program = writer_.program();
  const uint32_t number = program.add_op(op.name);
  program.calls.push_back({number, ++call_count_[number]});
  return static_cast<uint32_t>(program.calls.size() - 1);
}

void Tracer::stand_for(const Program& from, const Node& node) {
  Program& program = writer_.program();
  const auto op = [&](uint32_t number) { return program.add_op(from.name(from.ops[number].name)); };
  writer_.origin.original = node.original == kNone ? kNone : op(node.original);
  writer_.origin.call = kNone;
  if (node.call == kNone) return;
  const UserCall call{op(from.calls[node.call].op), from.calls[node.call].number};
  const bool again = !program.calls.empty() && program.calls.back().op == call.op &&
                     program.calls.back().number == call.number;  // the nodes of one call follow each other
  if (!again) program.calls.push_back(call);
  writer_.origin.call = static_cast<uint32_t>(program.calls.size() - 1);
}

bool Tracer::expand(const OpEntry& op, std::span<const Value> args, Values& results) {
  const DecompositionTable* table = options_.decompositions;
  if (table && table->keeps_whole(op)) return false;
  const bool becomes_values =
      functional_ && !op.written.empty() && !op.implicit;  // then the functional form of the op is recorded
  CompositeBody body = table && !becomes_values ? table->find(op) : nullptr;
  const bool by_table = body != nullptr;
  if (!body && op.implicit && !options_.keep_composites && !options_.pre_dispatch) body = op.parts();
  if (!body || expanding_ == &op) return false;  // if the body of an op calls the op itself, that call is recorded
  count("traced.expanded");
  const Restored<const OpEntry*> outer(expanding_);
  expanding_ = &op;
  const Restored<uint32_t> original(writer_.origin.original);
  if (by_table && writer_.origin.original == kNone) writer_.origin.original = writer_.program().add_op(op.name);
  const size_t nodes = writer_.graph().nodes.size(), before = results.size();
  std::vector<Value> held;
  if (!op.written.empty() && !functional_) {
    held = written_as_fakes(op, args);
    args = held;
  }
  {
    const ModeGuard again(*this);  // the calls of the body are recorded
    CompositeCall call(op, args, results);
    call.device = device_of_call(args, call.context.default_device);
    body(call);
  }
  // A body that made no calls (`set_data`) changed its arguments itself, so the op's own call is recorded.
  if (!op.written.empty() && writer_.graph().nodes.size() == nodes)
    write_node(op, args, std::span<const Value>(results).subspan(before));
  return true;
}

template <class Function>
void Tracer::write_node(const Function& function, std::span<const Value> args, std::span<const Value> results) {
  std::vector<Arg> formal;
  for (const Value& v : args) formal.push_back(argument(v));
  track(results, writer_.add(writer_.open(function, formal), results));
}

template <class Function>
void Tracer::write_numbers(const Function& function, std::span<const Value> args, std::span<const Value> results) {
  if (std::none_of(results.begin(), results.end(), holds_symbol)) return;
  writer_.origin.module = module_number(current_module());
  functional_ ? write_node(function, functional_->current(args), results) : write_node(function, args, results);
  if (options_.pre_dispatch) states_.resize(writer_.graph().nodes.size(), RegionState::now());
}

void Tracer::keep_numbers(const OpEntry& query, std::span<const Value> args, std::span<const Value> results) {
  write_numbers(query, args, results);
}

void Tracer::keep_numbers(std::string_view function, std::span<const Value> args, std::span<const Value> results) {
  write_numbers(function, args, results);
}

/// Replaces real tensors that the op writes by fakes. Otherwise the calls in its body would return fakes and leave the
/// real tensors unchanged.
std::vector<Value> Tracer::written_as_fakes(const OpEntry& op, std::span<const Value> args) {
  std::vector<Value> given(args.begin(), args.end());
  FakeModeState* mode = options_.mode == TraceMode::Real ? nullptr : active_fake_mode();
  for (const uint16_t i : op.written) {
    if (!mode || !given[i].is_tensor() || given[i].tensor_impl()->fake_mode) continue;
    const Tensor real = given[i].tensor(), fake = FakeMode(Ref<FakeModeState>(mode)).from_tensor(real);
    value_of(real.impl());
    track_as(fake, real);
    given[i] = Value(fake);
  }
  return given;
}

/// Handles an op that reads a number. If the number does not depend on the inputs, it is read and no node is recorded.
void Tracer::read_value(const OpEntry& op, std::span<const Value> args, Values& results) {
  if (options_.mode != TraceMode::Real) return record(op, args, results);
  if (is_constant(args)) return pass_on(op, args, results);
  if (options_.refuse_data_dependent) {
    fail(
        ErrorKind::TraceError, ErrorFamily::Runtime,
        "It appears that you're trying to get value out of a tracing tensor with {} - erroring out! Where the value "
        "decides what is called, no program can say so; where it is a number among others, it may be possible to trace "
        "with tracing_mode='symbolic'",
        op.name);
  }
  record(op, args, results);
}

void Tracer::record(const OpEntry& op, std::span<const Value> args, Values& results) {
  // A tensor that the trace made, or got as argument, is no literal, so lifting it returns the tensor itself.
  const auto is_traced = [&](const Value& v) {
    const ValueId known = v.is_tensor() ? find(v.tensor_impl()) : kNone;
    const auto is_it = [known](const GraphInput& in) { return in.value == known; };
    return known != kNone && std::none_of(captured_.begin(), captured_.end(), is_it);
  };
  const bool lifts = op.tags.has(Tag::Lift) && std::none_of(args.begin(), args.end(), is_traced);
  std::vector<Arg> formal;
  for (const Value& v : args) formal.push_back(argument(v));
  const bool were_constant = options_.mode == TraceMode::Real && is_constant(args);
  const size_t before = results.size();
  pass_on(op, args, results);
  const auto fresh = std::span<const Value>(results).subspan(before);
  if (op.tags.has(Tag::ScalarRead) && options_.mode != TraceMode::Real &&
      std::none_of(fresh.begin(), fresh.end(), [](const Value& v) { return v.is_symbolic(); }))
    return;
  const std::vector<ValueId> values = writer_.add(writer_.open(lifts ? copying_lift() : op, formal), fresh);
  track(fresh, values);
  if (options_.mode == TraceMode::Real) note_constants(op, args, fresh, were_constant || lifts);
}

/// Records a higher-order call and its nested graphs. The operator's other calls, like a scan's slices, are left out.
void Tracer::record_higher_order(const HigherOrderOp& op, std::span<const Value> args, Values& results) {
  Program& program = writer_.program();
  std::vector<Arg> given;
  for (const Value& v : args) given.push_back(argument(v));
  Subgraphs graphs(program, options_, /*before_dispatch=*/op.is_region && options_.keep_composites);
  const size_t before = results.size();
  {
    const NestedGraphScope recorded(&graphs);
    pass_on(op, args, results);
  }
  std::vector<Arg> formal;
  size_t at = 0;
  for (const Arg& a : op.program.view(op.node.args)) {
    Arg made;
    if (a.kind == Arg::Kind::Graph) {
      made = {0, Arg::Kind::Graph, graphs.number_of(op.program, a)};
    } else if (a.kind == Arg::Kind::Operator) {
      made = {0, Arg::Kind::Operator, program.add_op(op.program.name(op.program.ops[a.index].name))};
    } else if (at < op.operands.size() && op.operands[at].kind == a.kind && op.operands[at].index == a.index) {
      made = given[at++];
    } else if (a.kind == Arg::Kind::Literal) {
      made = program.add_literal(op.program.literal(a));
    }
    made.name = program.names.intern(op.program.name(a.name));
    formal.push_back(made);
  }
  const auto fresh = std::span<const Value>(results).subspan(before);
  Node node = writer_.open(op.name, formal);
  node.one_tuple = op.node.one_tuple;
  track(fresh, writer_.add(node, fresh));
}

void Tracer::record_on_copies(const OpEntry& op, std::span<const Value> args, Values& results) {
  Program& program = writer_.program();
  const auto named = [&](Arg a, std::string_view name) {
    a.name = program.names.intern(name);
    return a;
  };
  std::vector<Arg> formal{{0, Arg::Kind::Operator, program.add_op(op.name)}}, indices, bases;
  std::vector<Value> given(args.begin(), args.end()), copies;
  for (size_t i = 0; i < args.size(); ++i) {
    const Argument& a = op.schema.arguments[i];
    if (!a.is_write()) {
      formal.push_back(named(argument(args[i]), a.name));
      continue;
    }
    const std::string index = fmt::format("_{}_base_index", a.name);
    if (args[i].is_none()) {
      indices.push_back(named({}, index));
      continue;
    }
    indices.push_back(named(program.add_literal(Value(static_cast<int64_t>(bases.size()))), index));
    bases.push_back(argument(args[i]));
    const NoTracing outer;
    given[i] = clone_of(args[i]);
    copies.push_back(given[i]);
  }
  formal.insert(formal.end(), indices.begin(), indices.end());
  formal.push_back(named(program.add_list(bases), "_all_bases"));
  const size_t before = results.size();
  pass_on(op, given, results);
  if (results.size() == before) results.push_back(Value());
  for (Value& copy : copies) results.push_back(std::move(copy));
  const auto fresh = std::span<const Value>(results).subspan(before);
  track(fresh, writer_.add(writer_.open("higher_order.auto_functionalized_v2", formal), fresh));
}

void Tracer::track(std::span<const Value> results, std::span<const ValueId> values) {
  std::vector<Value> flat;
  flatten(results, flat);
  for (size_t i = 0; i < flat.size() && i < values.size(); ++i) {
    if (values[i] != kNone) track(flat[i], values[i]);
  }
}

bool Tracer::is_constant(std::span<const Value> args) const {
  bool any = false, all = true;
  for_each_tensor(args, [&](const TensorImpl* t) {
    any = true;
    all &= constant_storages_.count(t->storage->id()) != 0;
  });
  return any && all;
}

/// Marks results of known values as known, unless random or large. A write of unknown values makes a storage unknown.
void Tracer::note_constants(const OpEntry& op, std::span<const Value> args, std::span<const Value> results,
                            bool were_constant) {
  bool known = were_constant && !op.tags.has(Tag::Random);
  for_each_tensor(results, [&](const TensorImpl* t) { known &= t->meta.numel().as_int() <= kMostConstantElements; });
  const auto note = [&](const TensorImpl* t) {
    if (known) {
      constant_storages_.insert(t->storage->id());
    } else {
      constant_storages_.erase(t->storage->id());
    }
  };
  for (const uint16_t i : op.written) for_each_tensor(args.subspan(i, 1), note);
  if (!op.tags.has(Tag::View) || known) for_each_tensor(results, note);
}

Arg Tracer::argument(const Value& v) {
  switch (v.kind()) {
    case Value::Kind::None:
    case Value::Kind::Generator:
      return {};
    case Value::Kind::Tensor:
      return {0, Arg::Kind::Value, value_of(v.tensor_impl())};
    case Value::Kind::List: {
      std::vector<Arg> items;
      for (const Value& item : v.as_list()) items.push_back(argument(item));
      return writer_.program().add_list(items);
    }
    case Value::Kind::IntList: {
      if (all_int(v.as_ints())) return writer_.program().add_literal(v);
      std::vector<Arg> items;
      for (const SymInt item : v.as_ints()) items.push_back(symbols_.argument(Value(item)));
      return writer_.program().add_list(items);
    }
    default:
      return v.is_number() ? symbols_.argument(v) : writer_.program().add_literal(v);
  }
}

ValueId Tracer::find(const TensorImpl* t) const {
  const ValueId* known = tracked_.find(t->identity());
  return known ? *known : kNone;
}

ValueId Tracer::value_of(const TensorImpl* t) {
  const ValueId known = find(t);
  if (known != kNone) return known;
  const Tensor tensor(Ref<TensorImpl>(const_cast<TensorImpl*>(t)));
  const ModuleNames* names = tensor.is_fake() ? names_at_hand() : nullptr;
  if (tensor.is_fake() && !options_.allow_stray_fakes && !(names && names->find(tensor))) {
    fail(ErrorKind::TraceError, ErrorFamily::Runtime,
         "{} is not tracked with proxy for this trace: neither an input nor a call of it has made the tensor", t->meta);
  }
  return capture(tensor);
}

const ModuleNames* Tracer::names_at_hand() {
  const ModulePlace* place = current_module();
  while (place && place->outer) place = place->outer;
  if (!place || !place->module) return nullptr;
  if (names_of_ != place->module) {
    names_ = std::make_unique<ModuleNames>(*place->module);
    names_of_ = place->module;
  }
  return names_.get();
}

ValueId Tracer::capture(const Tensor& t) {
  Program& program = writer_.program();
  const ModuleNames* names = names_at_hand();
  const ModuleNames::Name* registered = names ? names->find(t) : nullptr;
  const bool parameter = registered ? registered->parameter : is_parameter(t);
  std::string target = options_.captured_name ? options_.captured_name(t) : "";
  if (target.empty() && registered) target = registered->path;
  if (target.empty())
    target =
        parameter ? fmt::format("_param_constant{}", parameters_++) : fmt::format("_tensor_constant{}", constants_++);
  GraphInput input;
  input.value = writer_.add_input(target, Value(t));
  input.kind = parameter ? InputKind::Parameter : registered ? InputKind::Buffer : InputKind::TensorConstant;
  input.target = program.names.intern(target);
  const auto [payload, fresh] = payloads_.try_emplace(t.storage()->id(), 0);
  if (fresh) payload->second = program.weights.add_payload(Payload::of(t.storage()));
  input.stored = program.weights.add_tensor({target, payload->second, t.meta()});
  captured_.push_back(input);
  if (functional_) inputs_.push_back(t);
  track(Value(t), input.value);
  return input.value;
}

void Tracer::track_as(const Tensor& other, const Tensor& t) {
  if (const ValueId known = find(t.impl()); known != kNone) tracked_.set(other.impl()->identity(), known);
}

void Tracer::track(const Value& result, ValueId value) {
  if (!result.is_tensor()) return symbols_.note_number(result, value);
  const TensorImpl* t = result.tensor_impl();
  tracked_.set(t->identity(), value);
  symbols_.note_tensor(t->meta, value);
  if (const ValueId* first = by_storage_.find(t->storage->id())) {
    writer_.graph().values[value].alias = *first;
  } else {
    by_storage_.set(t->storage->id(), value);
  }
}

void Tracer::add_input(std::string_view name, const Value& actual) {
  GraphInput input;
  input.value = writer_.add_input(name, actual);
  const bool literal = !actual.is_tensor() && !(actual.is_number() && actual.is_symbolic());
  if (literal) input.kind = InputKind::ConstantInput;
  given_.push_back(input);
  if (functional_ && actual.is_tensor()) inputs_.push_back(actual.tensor());
  track(actual, input.value);
}

void Tracer::add_mutations() {
  outputs_hold_writes_ = true;
  for (const Tensor& t : inputs_) {
    const Tensor now = functional_->written(t);
    if (!now) continue;
    const ValueId input = find(t.impl());
    GraphOutput output;
    output.kind = OutputKind::UserInputMutation;
    output.target = writer_.graph().values[input].name;
    for (GraphInput& found : captured_) {  // a captured tensor that the function writes becomes a buffer
      if (found.value != input) continue;
      output.kind = found.kind == InputKind::Parameter ? OutputKind::ParameterMutation : OutputKind::BufferMutation;
      output.target = found.target;
      if (found.kind == InputKind::TensorConstant) found.kind = InputKind::Buffer;
    }
    output.value = argument(Value(now));
    writer_.graph().outputs.push_back(output);
  }
}

void Tracer::add_output(const Value& result) {
  if (result.kind() == Value::Kind::List) {
    for (const Value& item : result.as_list()) add_output(item);
    return;
  }
  writer_.origin = {};
  GraphOutput output;
  output.value = argument(functional_ ? functional_->current(result) : result);
  writer_.graph().outputs.push_back(output);
}

void Tracer::finish() {
  Graph& graph = writer_.graph();
  for (const Tensor& t : inputs_) {
    if (outputs_hold_writes_ || !functional_->written(t)) continue;
    fail(ErrorKind::TraceError, ErrorFamily::Runtime,
         "graph @{} writes its input {}: a nested graph without writes cannot say so",
         writer_.program().name(graph.name), t.meta());
  }
  graph.inputs = captured_;
  graph.inputs.insert(graph.inputs.end(), given_.begin(), given_.end());
  if (!options_.pre_dispatch) return;
  states_.resize(graph.nodes.size(), outside_);
  fold_regions(writer_.program(), graph, states_, outside_);
}

}  // namespace ersatz
