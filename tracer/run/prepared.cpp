#include "tracer/run/prepared.h"

#include <algorithm>

#include <map>

#include "tracer/program/example_number.h"
#include "tracer/run/higher_order.h"

namespace ersatz {

/// Binds the arguments of all nodes, in order.
class Binder {
 public:
  Binder(PreparedProgram& out, const PrepareOptions& options)
      : out_(out), p_(out.program()), g_(out.graph()), options_(options) {
    // Replaces every tensor while arguments are checked, because only the kind of a value matters then.
    tensor_ = Tensor(TensorMeta(DType::F32, {}, kMeta), Storage::make_fake(4, kMeta));
    kinds_.reserve(g_.values.size());
    for (const GraphValue& v : g_.values) kinds_.push_back(v.kind);
  }

  void node(NodeId id) {
    const Node& n = g_.nodes[id];
    const ProgramOp& op = p_.op(n);
    Step step;
    step.entry = op.entry;
    std::span<const Arg> args = p_.view(n.args);
    try {
      if (op.kind == ProgramOp::Kind::HigherOrder) {
        if (const HigherOrderOp* own = higher_order(id)) {
          step.entry = own;
          args = own->operands;
        }
      }
      if (step.entry) {
        step.kind = Step::Kind::Call;
        bind(step, args);
      }
    } catch (const Error& e) {
      if (e.kind == ErrorKind::InternalError) throw;
      step.kind = Step::Kind::Faulty;
      out_.faults.emplace_back(id, e);
    }
    if (step.entry) {
      infer_kinds(n, step.entry->schema);
    } else if (op.kind == ProgramOp::Kind::SymFunction) {
      step.kind = Step::Kind::Number;
    }
    out_.steps.push_back(step);
  }

 private:
  /// Returns the operator made for a higher-order node; null if the node cannot be called.
  const HigherOrderOp* higher_order(NodeId id) {
    std::unique_ptr<HigherOrderOp> op = higher_order_op(p_, g_.nodes[id], options_);
    if (!op) return nullptr;
    const HigherOrderOp* made = out_.higher_order.emplace_back(std::move(op)).get();
    if (made->missing.empty()) return made;
    out_.incomplete.emplace_back(id, made);
    return nullptr;
  }

  /// Returns an example of the kind that the value has; nullopt if the kind is unknown.
  std::optional<Value> example_value(ValueId id) const {
    if (kinds_[id] == ValueKind::Tensor) return Value::borrow(tensor_);
    return example_number(kinds_[id]);
  }

  /// Returns the argument with example values, so that it can be bound and checked. nullopt if only a run can decide
  /// whether it fits.
  std::optional<Value> example_argument(const Arg& a) {
    switch (a.kind) {
      case Arg::Kind::None:
        return Value();
      case Arg::Kind::Literal: {
        const Value& v = p_.literal(a);
        if (v.kind() == Value::Kind::Device && options_.device) return Value(*options_.device);
        return v;
      }
      case Arg::Kind::Value:
        return example_value(a.index);
      case Arg::Kind::List: {
        std::vector<Value> items;
        for (const Arg& item : p_.list(a)) {
          if (item.kind == Arg::Kind::List) return std::nullopt;
          auto v = example_argument(item);
          if (!v) return std::nullopt;
          items.push_back(std::move(*v));
        }
        return Value::packed(items);
      }
      default:
        fail(ErrorKind::NotSupported, ErrorFamily::NotImplemented, "an operator takes no graphs, operators or maps");
    }
  }

  void bind(Step& step, std::span<const Arg> args) {
    const FunctionSchema& schema = step.entry->schema;
    positional_.clear();
    keywords_.clear();
    for (const Arg& a : args) {
      auto v = example_argument(a);
      if (!v) {
        step.kind = Step::Kind::Rebind;
        return;
      }
      if (a.name) {
        keywords_.emplace_back(p_.name(a.name), std::move(*v));
      } else {
        positional_.push_back(std::move(*v));
      }
    }
    std::vector<Value> bound = bind_arguments(schema, positional_, keywords_);
    const uint32_t first_arg = static_cast<uint32_t>(out_.args.size());
    const uint32_t first_patch = static_cast<uint32_t>(out_.patches.size());
    const size_t first_list = out_.list_slots.size();
    uint32_t position = 0;
    for (const Arg& a : args) {
      const int at = a.name ? schema.find_argument(p_.name(a.name)) : static_cast<int>(position++);
      if (!patch(a, static_cast<uint16_t>(at), first_arg + static_cast<uint32_t>(at), bound[at])) {
        out_.patches.resize(first_patch);
        out_.list_slots.resize(first_list);
        step.kind = Step::Kind::Rebind;
        return;
      }
    }
    step.args = {first_arg, static_cast<uint32_t>(bound.size())};
    step.patches = {first_patch, static_cast<uint32_t>(out_.patches.size()) - first_patch};
    for (Value& v : bound) out_.args.push_back(std::move(v));
  }

  /// Records the slots that the values of one argument are copied to. Returns false if binding changed the length of a
  /// list.
  bool patch(const Arg& a, uint16_t position, uint32_t slot, Value& bound) {
    if (a.kind == Arg::Kind::Value) {
      if (bound.kind() == Value::Kind::List || bound.kind() == Value::Kind::IntList)
        return false;  // binding repeated the value for a type like int[2]
      out_.patches.push_back({Patch::Into::Argument, position, slot, a.index});
      bound = Value();
      return true;
    }
    if (a.kind != Arg::Kind::List) return true;
    const auto items = p_.list(a);
    ListSlot list{slot, bound.kind() == Value::Kind::IntList, {}};
    if (list.integers) {
      if (bound.as_ints().size() != items.size()) return false;
      list.items = {static_cast<uint32_t>(out_.integers.size()), static_cast<uint32_t>(items.size())};
      for (SymInt i : bound.as_ints()) out_.integers.push_back(i);
    } else {
      if (bound.kind() != Value::Kind::List || bound.as_list().size() != items.size()) return false;
      for (const Value& v : bound.as_list()) {
        if (!v.is_tensor() && !v.is_none()) return false;
      }
      list.items = {static_cast<uint32_t>(out_.items.size()), static_cast<uint32_t>(items.size())};
      for (const Arg& item : items) out_.items.push_back(item.kind == Arg::Kind::Literal ? p_.literal(item) : Value());
    }
    for (uint32_t i = 0; i < items.size(); ++i) {
      if (items[i].kind != Arg::Kind::Value) continue;
      const auto into = list.integers ? Patch::Into::Integer : Patch::Into::Item;
      out_.patches.push_back({into, position, list.items.first + i, items[i].index});
    }
    out_.list_slots.push_back(list);
    bound = Value();
    return true;
  }

  /// Sets the kinds of results without a record to those in the schema.
  void infer_kinds(const Node& n, const FunctionSchema& schema) {
    const auto results = p_.view(n.results);
    for (size_t i = 0; i < results.size() && i < schema.returns.size(); ++i) {
      const SchemaType& type = schema.returns[i].type;
      const ValueKind kind = type.base == BaseType::Tensor                                 ? ValueKind::Tensor
                             : type.base == BaseType::Int || type.base == BaseType::SymInt ? ValueKind::Int
                             : type.base == BaseType::Float                                ? ValueKind::Float
                             : type.base == BaseType::Bool                                 ? ValueKind::Bool
                                                                                           : ValueKind::Unknown;
      auto set = [&](const Arg& a) {
        if (a.kind == Arg::Kind::Value && kinds_[a.index] == ValueKind::Unknown) kinds_[a.index] = kind;
      };
      if (results[i].kind == Arg::Kind::List) {
        for (const Arg& item : p_.list(results[i])) set(item);
      } else {
        set(results[i]);
      }
    }
  }

  PreparedProgram& out_;
  const Program& p_;
  const Graph& g_;
  const PrepareOptions& options_;
  Tensor tensor_;
  std::vector<ValueKind> kinds_;
  std::vector<Value> positional_;
  std::vector<std::pair<std::string, Value>> keywords_;
};

namespace {

/// Fills `frees` and `input_frees`: after which node each value can be freed.
void find_last_uses(PreparedProgram& out) {
  const Program& program = out.program();
  const Graph& graph = out.graph();
  constexpr NodeId kNever = kNone;
  std::vector<NodeId> last(graph.values.size(), kNever);
  for (NodeId i = 0; i < graph.nodes.size(); ++i) {
    for (const ValueId v : argument_values(program, graph.nodes[i])) last[v] = i;
    for (const ValueId v : result_values(program, graph.nodes[i])) {
      if (v != kNone) last[v] = i;
    }
  }
  // Outputs are kept until the run ends. Inputs are owned by the caller.
  std::vector<bool> kept(graph.values.size(), false);
  for (const GraphInput& in : graph.inputs) kept[in.value] = true;
  for (const GraphOutput& o : graph.outputs) {
    if (o.value.kind == Arg::Kind::Value) kept[o.value.index] = true;
  }
  // An input that a mutation output names is written after the run (Interpreter::write_back), so it is kept.
  const auto written_back = [&](const GraphInput& in) {
    return std::any_of(graph.outputs.begin(), graph.outputs.end(), [&](const GraphOutput& o) {
      return o.target && (o.target == in.target || o.target == graph.values[in.value].name);
    });
  };
  std::vector<bool> returned(graph.values.size(), false);
  for (const GraphOutput& o : graph.outputs) {
    if (o.value.kind == Arg::Kind::Value) returned[o.value.index] = true;
  }
  for (const GraphInput& in : graph.inputs) {
    if (last[in.value] != kNever && !returned[in.value] && !written_back(in))
      out.input_frees.emplace_back(last[in.value], in.value);
  }
  std::sort(out.input_frees.begin(), out.input_frees.end());
  std::vector<uint32_t> counts(graph.nodes.size(), 0);
  for (ValueId v = 0; v < last.size(); ++v) {
    if (last[v] != kNever && !kept[v]) ++counts[last[v]];
  }
  uint32_t total = 0;
  for (NodeId i = 0; i < counts.size(); ++i) {
    out.steps[i].frees = {total, 0};
    total += counts[i];
  }
  out.frees.resize(total);
  for (ValueId v = 0; v < last.size(); ++v) {
    if (last[v] == kNever || kept[v]) continue;
    ArgRange& range = out.steps[last[v]].frees;
    out.frees[range.first + range.count++] = v;
  }
}

}  // namespace

PreparedProgram::PreparedProgram(const Program& program, const Graph& graph, const PrepareOptions& options)
    : program_(program), graph_(graph) {
  steps.reserve(graph.nodes.size());
  Binder binder(*this, options);
  for (NodeId i = 0; i < graph.nodes.size(); ++i) binder.node(i);
  find_last_uses(*this);
}

PreparedProgram::~PreparedProgram() = default;

std::vector<std::string> PreparedProgram::missing_ops(NodeId node) const {
  const auto part = std::lower_bound(incomplete.begin(), incomplete.end(), node,
                                     [](const auto& known, NodeId id) { return known.first < id; });
  if (part != incomplete.end() && part->first == node) return part->second->missing;
  if (steps[node].kind != Step::Kind::Uncallable) return {};
  return {std::string(program_.name(program_.op(graph_.nodes[node]).name))};
}

std::vector<std::pair<std::string, int64_t>> PreparedProgram::missing_ops() const {
  std::map<std::string, int64_t> counts;
  for (NodeId i = 0; i < steps.size(); ++i) {
    for (const std::string& op : missing_ops(i)) ++counts[op];
  }
  return {counts.begin(), counts.end()};
}

}  // namespace ersatz
