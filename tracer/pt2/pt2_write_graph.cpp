#include "tracer/pt2/pt2_write_graph.h"

#include <algorithm>

#include "runtime/base/error.h"
#include "tracer/archive/json_text.h"
#include "tracer/pt2/pt2_json_graph.h"
#include "tracer/pt2/pt2_json_values.h"

namespace ersatz::pt2_text {

using namespace json_text;
using pt2_json::dtype_number;
using pt2_json::kStridedNumber;
using pt2_json::memory_format_number;
using pt2_json::source_line;

namespace {

/// The most graphs that may be written repeatedly. A graph that several nodes have is written at each node, so the text
/// could grow exponentially.
constexpr int kMostRepeats = 1000;

std::string tagged(std::string_view tag, std::string value) { return object({{tag, std::move(value)}}); }

std::string named(std::string_view name) { return object({{"name", text(name)}}); }

std::string target(std::string_view op, ProgramOp::Kind kind) {
  const bool in_namespace = kind == ProgramOp::Kind::Operator || kind == ProgramOp::Kind::HigherOrder;
  return text(in_namespace ? fmt::format("torch.ops.{}", op) : std::string(op));
}

/// The tags for numbers of one kind: a single number, a number in a list, a literal.
struct NumberTags {
  std::string_view one, list, literal;
};
NumberTags tags_of(ValueKind kind) {
  if (kind == ValueKind::Int) return {"as_sym_int", "as_sym_ints", "as_int"};
  if (kind == ValueKind::Float) return {"as_sym_float", "as_sym_floats", "as_float"};
  return {"as_sym_bool", "as_sym_bools", "as_bool"};
}

/// Returns the text with which PyTorch records the modules whose calls enclose the node, outermost first:
/// `key,path,type`, separated by `;`.
std::string module_stack_text(const Program& p, const Node& n) {
  std::string text;
  for (const uint32_t at : module_stack(p, n)) {
    const ModuleFrame& m = p.modules[at];
    text += fmt::format("{}L__self__{},{},{}", text.empty() ? "" : ";", p.name(m.path), p.name(m.path), p.name(m.type));
  }
  return text;
}

std::string stack_trace(std::string_view source) {
  for (size_t colon = source.find(':'); colon != source.npos; colon = source.find(':', colon + 1)) {
    const size_t end = std::min(source.find_first_not_of("0123456789", colon + 1), source.size());
    std::string_view rest = source.substr(end);
    std::string trace =
        fmt::format("  File \"{}\", line {}", source.substr(0, colon), source.substr(colon + 1, end - colon - 1));
    if (rest.starts_with(" in ")) {
      const size_t code = std::min(rest.find(": "), rest.size());
      trace += fmt::format(", in {}", rest.substr(4, code - 4));
      rest.remove_prefix(code);
    }
    trace += "\n";
    if (rest.starts_with(": ")) trace += fmt::format("    {}\n", rest.substr(2));
    if (source_line(trace) == source) return trace;
  }
  return {};
}

std::string_view empty_list_tag(const Argument* formal) {
  switch (formal ? formal->type.base : BaseType::Tensor) {
    case BaseType::Int:
    case BaseType::SymInt:
      return "as_ints";
    case BaseType::Float:
      return "as_floats";
    case BaseType::Bool:
      return "as_bools";
    case BaseType::String:
      return "as_strings";
    default:
      return "as_tensors";
  }
}

bool all_of(std::span<const Value> items, Value::Kind kind) {
  return std::all_of(items.begin(), items.end(), [&](const Value& v) { return v.kind() == kind && !v.is_symbolic(); });
}

}  // namespace

GraphWriter::GraphWriter(const Program& program)
    : p_(program), values_(*program.env), written_(program.graphs.size(), Written::No) {
  for (const std::string& schema : program.foreign_schemas) {
    try {
      foreign_.push_back(parse_schema(schema));
    } catch (const Error&) {  // the schema cannot be parsed
    }
  }
}

std::string GraphWriter::main() { return graph(p_.main()); }

uint32_t GraphWriter::unused_graph() const {
  for (uint32_t i = 1; i < written_.size(); ++i) {
    if (written_[i] == Written::No) return i;
  }
  return 0;
}

// The next functions write literals.

std::string GraphWriter::literal(const Value& v, const Argument* formal) {
  if (v.is_symbolic())
    fail_unwritable("the expression {} stands where the format takes a number or a value", to_string(v));
  switch (v.kind()) {
    case Value::Kind::None:
      return tagged("as_none", "true");
    case Value::Kind::Bool:
      return tagged("as_bool", boolean(v.as_bool()));
    case Value::Kind::Int:
      return tagged("as_int", std::to_string(v.as_int64()));
    case Value::Kind::Float:
      return tagged("as_float", number(v.as_double()));
    case Value::Kind::Complex:
      return tagged("as_complex",
                    object({{"real", number(v.as_complex().real())}, {"imag", number(v.as_complex().imag())}}));
    case Value::Kind::String:
      return tagged("as_string", text(v.as_string()));
    case Value::Kind::DType:
      return tagged("as_scalar_type", std::to_string(dtype_number(v.as_dtype())));
    case Value::Kind::Device:
      return tagged("as_device", device_text(v.as_device()));
    case Value::Kind::Layout:
      return tagged("as_layout", std::to_string(kStridedNumber));
    case Value::Kind::MemoryFormat:
      return tagged("as_memory_format", std::to_string(memory_format_number(v.as_memory_format())));
    case Value::Kind::IntList:
    case Value::Kind::List:
      break;
    default:
      fail_unwritable("the format has no place for a {}", name(v.kind()));
  }
  std::vector<Value> items;
  if (v.kind() == Value::Kind::IntList) {
    for (const SymInt i : v.as_ints()) items.emplace_back(i);
  } else {
    items.assign(v.as_list().begin(), v.as_list().end());
  }
  return items.empty() ? tagged(empty_list_tag(formal), "[]") : literal_list(items);
}

std::string GraphWriter::literal_list(std::span<const Value> items) {
  const auto spelled = [&](std::string_view tag, auto&& item) {
    std::vector<std::string> texts;
    for (const Value& v : items) texts.push_back(item(v));
    return tagged(tag, list(texts));
  };
  const auto integers = [](const Value& v) {
    std::vector<std::string> texts;
    for (const SymInt i : v.as_ints()) texts.push_back(std::to_string(i.as_int()));
    return list(texts);
  };
  const auto floats = [](const Value& v) {
    std::vector<std::string> texts;
    for (const Value& item : v.as_list()) texts.push_back(number(item.as_double()));
    return list(texts);
  };
  if (all_of(items, Value::Kind::Int)) {
    return spelled("as_ints", [](const Value& v) { return std::to_string(v.as_int64()); });
  }
  if (all_of(items, Value::Kind::Float))
    return spelled("as_floats", [](const Value& v) { return number(v.as_double()); });
  if (all_of(items, Value::Kind::Bool)) return spelled("as_bools", [](const Value& v) { return boolean(v.as_bool()); });
  if (all_of(items, Value::Kind::String))
    return spelled("as_strings", [](const Value& v) { return text(v.as_string()); });
  if (all_of(items, Value::Kind::None)) {
    return spelled("as_optional_tensors", [](const Value&) { return tagged("as_none", "true"); });
  }
  const bool of_integers = std::all_of(items.begin(), items.end(), [](const Value& v) {
    return v.kind() == Value::Kind::IntList && all_int(v.as_ints());
  });
  if (of_integers) return spelled("as_int_lists", integers);
  const bool of_floats = std::all_of(items.begin(), items.end(), [](const Value& v) {
    return v.kind() == Value::Kind::List && all_of(v.as_list(), Value::Kind::Float);
  });
  if (of_floats) return spelled("as_float_lists", floats);
  fail_unwritable("the format has no place for the list {}", to_string(Value::list(items)));
}

// The next functions write arguments and results.

std::string GraphWriter::value(const Graph& g, ValueId id) {
  const GraphValue& v = g.values[id];
  const std::string_view name = p_.name(v.name);
  switch (v.kind) {
    case ValueKind::Tensor:
      return tagged("as_tensor", named(name));
    case ValueKind::Int:
    case ValueKind::Float:
    case ValueKind::Bool:
      return tagged(tags_of(v.kind).one, tagged("as_name", text(name)));
    case ValueKind::Object:
      return tagged("as_custom_obj", record(g, v));
    case ValueKind::Unknown:
      break;
  }
  fail_unwritable("of %{} nothing is recorded, not even whether it is a tensor", name);
}

std::string GraphWriter::value_list(const Graph& g, std::span<const Arg> items) {
  const auto is_value = [&](const Arg& a, ValueKind kind) {
    return a.kind == Arg::Kind::Value && g.values[a.index].kind == kind;
  };
  const auto is_tensor = [&](const Arg& a) { return is_value(a, ValueKind::Tensor); };
  const auto all = [&](std::span<const Arg> of, auto&& holds) { return std::all_of(of.begin(), of.end(), holds); };
  const auto tensors = [&](std::span<const Arg> of) {
    std::vector<std::string> texts;
    for (const Arg& a : of) texts.push_back(named(p_.name(g.values[a.index].name)));
    return list(texts);
  };
  std::vector<std::string> texts;
  if (all(items, is_tensor)) return tagged("as_tensors", tensors(items));
  if (all(items, [&](const Arg& a) { return a.kind == Arg::Kind::None || is_tensor(a); })) {
    for (const Arg& a : items) texts.push_back(argument(g, a));
    return tagged("as_optional_tensors", list(texts));
  }
  for (const auto& [kind, literal] :
       {std::pair(ValueKind::Int, Value::Kind::Int), std::pair(ValueKind::Float, Value::Kind::Float),
        std::pair(ValueKind::Bool, Value::Kind::Bool)}) {
    const auto fits = [&, kind = kind, literal = literal](const Arg& a) {
      if (a.kind != Arg::Kind::Literal) return is_value(a, kind);
      return p_.literal(a).kind() == literal && !p_.literal(a).is_symbolic();
    };
    if (!all(items, fits)) continue;
    for (const Arg& a : items) {
      const bool is_literal = a.kind == Arg::Kind::Literal;
      texts.push_back(is_literal ? argument(g, a) : tagged("as_name", text(p_.name(g.values[a.index].name))));
    }
    return tagged(tags_of(kind).list, list(texts));
  }
  const auto holds_tensors = [&](const Arg& a) { return a.kind == Arg::Kind::List && all(p_.list(a), is_tensor); };
  if (all(items, holds_tensors)) {
    for (const Arg& a : items) texts.push_back(tensors(p_.list(a)));
    return tagged("as_nested_tensors", list(texts));
  }
  fail_unwritable("the format has no place for a list of such different items");
}

std::string GraphWriter::argument(const Graph& g, const Arg& a, const Argument* formal) {
  switch (a.kind) {
    case Arg::Kind::None:
      return tagged("as_none", "true");
    case Arg::Kind::Value:
      return value(g, a.index);
    case Arg::Kind::Literal:
      return literal(p_.literal(a), formal);
    case Arg::Kind::List:
      return value_list(g, p_.list(a));
    case Arg::Kind::Dict: {
      Members members;
      for (const Arg& item : p_.list(a)) {
        const std::string_view key = p_.name(item.name);
        for (const auto& [other, _] : members) {
          if (other == key) fail_unwritable("the key '{}' stands twice in a dict", key);
        }
        members.emplace_back(key, argument(g, item));
      }
      return tagged("as_string_to_argument", object(members));
    }
    case Arg::Kind::Graph:
      return tagged("as_graph", nested(a.index));
    case Arg::Kind::Operator:
      return tagged("as_operator", target(p_.name(p_.ops[a.index].name), p_.ops[a.index].kind));
  }
  return {};
}

std::string GraphWriter::results(const Graph& g, const Node& n) {
  std::vector<std::string> texts;
  for (const Arg& r : p_.view(n.results)) {
    if (r.kind == Arg::Kind::List) {
      std::vector<std::string> items;
      for (const Arg& item : p_.list(r)) {
        const GraphValue& v = g.values[item.index];
        if (v.kind != ValueKind::Tensor) fail_unwritable("%{}, in a list of results, is no tensor", p_.name(v.name));
        items.push_back(named(p_.name(v.name)));
      }
      texts.push_back(tagged("as_tensors", list(items)));
    } else {
      texts.push_back(argument(g, r));
    }
  }
  return list(texts);
}

// The next functions write nodes.

std::string GraphWriter::formal_name(const ProgramOp& op, size_t place) const {
  if (op.entry) return place < op.entry->schema.arguments.size() ? op.entry->schema.arguments[place].name : "";
  if (place < op.formals.size()) return std::string(p_.name(op.formals[place]));
  for (const FunctionSchema& s : foreign_) {
    if (s.qualified_name() == p_.name(op.name) && place < s.arguments.size()) return s.arguments[place].name;
  }
  return "";
}

std::string GraphWriter::node_inputs(const Graph& g, const Node& n) {
  const ProgramOp& op = p_.op(n);
  const bool symbolic = op.kind == ProgramOp::Kind::SymFunction;
  std::vector<std::string> texts;
  for (const Arg& a : p_.view(n.args)) {
    std::string name = a.name ? std::string(p_.name(a.name)) : formal_name(op, texts.size());
    if (symbolic && a.name) fail_unwritable("a function on numbers takes no keyword argument '{}'", name);
    if (symbolic && texts.size() < 2) name = texts.empty() ? "a" : "b";
    const int at = op.entry ? op.entry->schema.find_argument(name) : -1;
    const Argument* const formal = at < 0 ? nullptr : &op.entry->schema.arguments[static_cast<size_t>(at)];
    texts.push_back(object({{"name", text(name)}, {"arg", argument(g, a, formal)}, {"kind", a.name ? "2" : "1"}}));
  }
  return list(texts);
}

std::string GraphWriter::metadata(const Node& n, bool renamed) {
  Members members;
  if (n.source) {
    const std::string_view source = p_.name(n.source);
    const std::string trace = stack_trace(source);
    members.emplace_back(trace.empty() ? "ersatz_source" : "stack_trace", text(trace.empty() ? source : trace));
  }
  if (renamed) members.emplace_back("ersatz_name", text(p_.name(n.name)));
  if (n.module != kNone) {
    members.emplace_back("nn_module_stack", text(module_stack_text(p_, n)));
    members.emplace_back("ersatz_module", text(std::to_string(n.module)));
  }
  if (n.original != kNone) members.emplace_back("ersatz_original", text(p_.name(p_.ops[n.original].name)));
  if (n.call != kNone) {
    const UserCall& call = p_.calls[n.call];
    members.emplace_back("ersatz_call", text(p_.name(p_.ops[call.op].name)));
    members.emplace_back("ersatz_call_number", text(std::to_string(call.number)));
  }
  return object(members);
}

std::string GraphWriter::node(const Graph& g, const Node& n, Names& taken) {
  const ProgramOp& op = p_.op(n);
  try {
    const auto results_of_node = p_.view(n.results);
    const bool one = results_of_node.size() == 1 && results_of_node[0].kind == Arg::Kind::Value;
    const bool plain = one && op.kind == ProgramOp::Kind::HigherOrder;
    if (n.one_tuple && !one) fail_unwritable("a tuple of one result that is no single value");
    // In PyTorch a node with one result has the name of the result. Any other node needs a name that no value has.
    const std::string_view called = p_.name(n.name);
    std::string name(called);
    for (int i = 1; (!one || n.one_tuple) && !name.empty() && !taken.insert(name).second; ++i) {
      name = fmt::format("{}_call_{}", called, i);
    }
    return object({{"target", target(p_.name(op.name), op.kind)},
                   {"inputs", node_inputs(g, n)},
                   {"outputs", results(g, n)},
                   {"metadata", metadata(n, name != called)},
                   {"is_hop_single_tensor_return", n.one_tuple ? "false"
                                                   : plain     ? "true"
                                                               : "null"},
                   {"name", text(name)}});
  } catch (Error& e) {
    if (e.kind == ErrorKind::NotSupported && e.node.empty()) {
      e.name_node(fmt::format("'{}'", p_.name(n.name)), p_.name(op.name));
    }
    throw;
  }
}

// The next functions write graphs.

/// Returns the row of a value in the tables of its graph.
std::string GraphWriter::record(const Graph& g, const GraphValue& v) {
  const std::string_view name = p_.name(v.name);
  if (v.kind == ValueKind::Object) {
    const bool has_class = v.record != kNone;
    if (has_class && p_.literals[v.record].kind() != Value::Kind::String) {
      fail_unwritable("%{}: an object is recorded by its class, not by {}", name, to_string(p_.literals[v.record]));
    }
    const std::string_view type = has_class ? p_.literals[v.record].as_string() : "";
    if (has_class && type.empty()) fail_unwritable("%{}: an object's class has a name", name);
    return object({{"name", text(name)}, {"class_fqn", text(type)}});
  }
  if (v.record == kNone) fail_unwritable("of %{} no metadata is recorded", name);
  if (v.kind == ValueKind::Tensor) {
    return values_.tensor_meta(p_.metas[v.record], v.alias == kNone ? "" : p_.name(g.values[v.alias].name));
  }
  try {
    return values_.sym_record(p_.literals[v.record], v.kind);
  } catch (const Error& e) {
    if (e.kind != ErrorKind::NotSupported) throw;
    fail_unwritable("%{}: {}", name, e.message);
  }
}

std::string GraphWriter::constant(const GraphValue& v) {
  const Value record = v.record == kNone ? Value() : p_.literals[v.record];
  const bool object = v.kind == ValueKind::Object && (record.is_none() || record.kind() == Value::Kind::String);
  const bool number = (v.kind == ValueKind::Int && record.kind() == Value::Kind::Int) ||
                      (v.kind == ValueKind::Float && record.kind() == Value::Kind::Float) ||
                      (v.kind == ValueKind::Bool && record.kind() == Value::Kind::Bool);
  if (!object && !number) fail_unwritable("input %{} is a constant whose value is not recorded", p_.name(v.name));
  return literal(record, nullptr);
}

std::string GraphWriter::input(const Graph& g, const GraphInput& in) {
  return in.kind == InputKind::ConstantInput ? constant(g.values[in.value]) : value(g, in.value);
}

std::string GraphWriter::graph(const Graph& g) {
  std::vector<std::string> inputs, outputs, nodes;
  std::set<ValueId> constants;  // values of constants are in the graph's inputs
  for (const GraphInput& in : g.inputs) {
    inputs.push_back(input(g, in));
    if (in.kind == InputKind::ConstantInput) constants.insert(in.value);
  }
  for (const GraphOutput& o : g.outputs) outputs.push_back(argument(g, o.value));
  Names taken;
  for (const GraphValue& v : g.values) taken.emplace(p_.name(v.name));
  for (const Node& n : g.nodes) nodes.push_back(node(g, n, taken));
  Members tables[5];  // one table for each ValueKind, from Tensor on
  for (ValueId id = 0; id < g.values.size(); ++id) {
    const GraphValue& v = g.values[id];
    if (constants.count(id) || v.kind == ValueKind::Unknown) continue;
    tables[static_cast<size_t>(v.kind) - 1].emplace_back(p_.name(v.name), record(g, v));
  }
  const auto table = [&](ValueKind kind) { return object(tables[static_cast<size_t>(kind) - 1]); };
  return object({{"inputs", list(inputs)},
                 {"outputs", list(outputs)},
                 {"nodes", list(nodes)},
                 {"tensor_values", table(ValueKind::Tensor)},
                 {"sym_int_values", table(ValueKind::Int)},
                 {"sym_bool_values", table(ValueKind::Bool)},
                 {"is_single_tensor_return", boolean(g.single_result)},
                 {"custom_obj_values", table(ValueKind::Object)},
                 {"sym_float_values", table(ValueKind::Float)}});
}

std::string GraphWriter::nested(uint32_t index) {
  const Graph& g = *p_.graphs[index];
  const std::string_view name = p_.name(g.name);
  const bool again = written_[index] == Written::Done;
  if (written_[index] == Written::Open) fail_unwritable("graph @{} holds itself", name);
  if (again && ++repeats_ > kMostRepeats) fail_unwritable("graph @{} is used by too many nodes", name);
  for (size_t i = 0; i < g.inputs.size(); ++i) {
    const GraphInput& in = g.inputs[i];
    const bool constant = in.kind == InputKind::ConstantInput;
    if ((in.kind != InputKind::UserInput && !constant) || in.target || in.stored != kNone) {
      fail_unwritable("graph @{}: %{} is no plain input", name, p_.name(g.values[in.value].name));
    }
    if (constant && p_.name(g.values[in.value].name) != fmt::format("constant_{}", i)) {
      fail_unwritable("graph @{}: a constant input has no name of its own there, and %{} has", name,
                      p_.name(g.values[in.value].name));
    }
  }
  for (const GraphOutput& o : g.outputs) {
    if (o.kind != OutputKind::UserOutput || o.target) fail_unwritable("graph @{}: an output is no plain one", name);
  }
  written_[index] = Written::Open;
  Members members{{"name", text(name)}, {"graph", graph(g)}};
  written_[index] = Written::Done;
  if (again) members.emplace_back("ersatz_again", "true");
  return object(members);
}

}  // namespace ersatz::pt2_text
