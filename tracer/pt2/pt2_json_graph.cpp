#include "tracer/pt2/pt2_json_graph.h"

#include <charconv>

#include "runtime/base/error.h"

namespace ersatz::pt2_json {

namespace {

Value complex_value(const JsonView& v) { return std::complex<double>(v.at("real").number(), v.at("imag").number()); }

}  // namespace

template <class F>
Arg GraphReader::list_of(const JsonView& v, F&& item) {
  std::vector<Arg> items;
  for (size_t i = 0, n = v.size(); i < n; ++i) items.push_back(item(v.item(i)));
  return program_.add_list(items);
}

/// Returns a value if the tag is `as_name`; else a literal.
Arg GraphReader::symbolic(const JsonView& v, std::string_view literal_tag) {
  const auto [tag, payload] = v.tagged();
  if (tag == "as_name") return builder_.named_value(payload.string());
  if (tag != literal_tag) v.refuse("unknown kind of symbolic argument '{}'", tag);
  if (tag == "as_int") return program_.add_literal(payload.integer());
  if (tag == "as_bool") return program_.add_literal(payload.boolean());
  return program_.add_literal(payload.number());
}

Arg GraphReader::argument(const JsonView& v) {
  const auto [tag, p] = v.tagged();
  auto tensor = [this](const JsonView& x) { return builder_.named_value(x.at("name").string()); };
  auto optional_tensor = [&](const JsonView& x) {
    const auto [kind, payload] = x.tagged();
    if (kind == "as_none") return Arg();
    if (kind != "as_tensor") x.refuse("unknown kind of optional tensor '{}'", kind);
    return tensor(payload);
  };
  auto integer = [this](const JsonView& x) { return program_.add_literal(x.integer()); };
  auto number = [this](const JsonView& x) { return program_.add_literal(x.number()); };
  auto boolean = [this](const JsonView& x) { return program_.add_literal(x.boolean()); };
  auto text = [this](const JsonView& x) { return program_.add_literal(Value(x.string())); };

  if (tag == "as_tensor" || tag == "as_custom_obj") return tensor(p);
  if (tag == "as_none") return {};
  if (tag == "as_int") return integer(p);
  if (tag == "as_ints") return list_of(p, integer);
  if (tag == "as_float") return number(p);
  if (tag == "as_bool") return boolean(p);
  if (tag == "as_tensors") return list_of(p, tensor);
  if (tag == "as_sym_int") return symbolic(p, "as_int");
  if (tag == "as_sym_ints") return list_of(p, [this](const JsonView& x) { return symbolic(x, "as_int"); });
  if (tag == "as_optional_tensor") return optional_tensor(p);
  if (tag == "as_optional_tensors") return list_of(p, optional_tensor);
  if (tag == "as_string") return text(p);
  if (tag == "as_scalar_type") return program_.add_literal(dtype(p));
  if (tag == "as_memory_format") return program_.add_literal(memory_format(p));
  if (tag == "as_layout") return program_.add_literal(layout(p));
  if (tag == "as_device") return program_.add_literal(device(p));
  if (tag == "as_floats") return list_of(p, number);
  if (tag == "as_bools") return list_of(p, boolean);
  if (tag == "as_strings") return list_of(p, text);
  if (tag == "as_sym_bool") return symbolic(p, "as_bool");
  if (tag == "as_sym_bools") return list_of(p, [this](const JsonView& x) { return symbolic(x, "as_bool"); });
  if (tag == "as_sym_float") return symbolic(p, "as_float");
  if (tag == "as_sym_floats") return list_of(p, [this](const JsonView& x) { return symbolic(x, "as_float"); });
  if (tag == "as_complex") return program_.add_literal(complex_value(p));
  if (tag == "as_operator") return {0, Arg::Kind::Operator, program_.add_op(p.string())};
  if (tag == "as_graph") return nested_graph(p);
  if (tag == "as_nested_tensors") return list_of(p, [&](const JsonView& x) { return list_of(x, tensor); });
  if (tag == "as_int_lists") return list_of(p, [&](const JsonView& x) { return list_of(x, integer); });
  if (tag == "as_float_lists") return list_of(p, [&](const JsonView& x) { return list_of(x, number); });
  if (tag == "as_string_to_argument") {
    std::vector<Arg> items;
    p.each_member([&](const std::string& key, const JsonView& x) {
      items.push_back(argument(x));
      items.back().name = program_.names.intern(key);
    });
    return program_.add_dict(items);
  }
  v.refuse("unknown kind of argument '{}'", tag);
}

/// Returns a nested graph that an earlier node has too. The JSON has the whole graph only at the earlier node.
Arg GraphReader::graph_again(const JsonView& v) {
  const std::string_view name = v.at("name").string();
  for (uint32_t i = 1; i < program_.graphs.size(); ++i) {
    const Graph* const graph = program_.graphs[i].get();
    if (program_.name(graph->name) != name) continue;
    for (const GraphReader* reader = this; reader; reader = reader->outer_) {
      if (&const_cast<GraphReader*>(reader)->builder_.graph() == graph) v.refuse("graph '{}' holds itself", name);
    }
    return {0, Arg::Kind::Graph, i};
  }
  v.refuse("no graph before this is named '{}'", name);
}

Arg GraphReader::nested_graph(const JsonView& v) {
  // Nested graphs of different nodes may have equal names in the JSON. The text form needs different names.
  const std::string_view written = v.at("name").string();
  if (written.empty()) v.refuse("a nested graph without a name");
  if (const auto again = v.find("ersatz_again"); again && again->boolean()) return graph_again(v);
  std::string name(written);
  auto taken = [&] {
    for (const auto& g : program_.graphs) {
      if (program_.name(g->name) == name) return true;
    }
    return false;
  };
  for (int i = 1; taken(); ++i) name = std::string(written) + "_" + std::to_string(i);

  const uint32_t index = static_cast<uint32_t>(program_.graphs.size());
  program_.graphs.push_back(std::make_unique<Graph>());
  Graph& graph = *program_.graphs.back();
  graph.name = program_.names.intern(name);
  GraphReader(program_, graph, v.at("graph").where(), this).whole(v.at("graph"));
  return {0, Arg::Kind::Graph, index};
}

Arg GraphReader::result(const JsonView& v) {
  const auto [tag, p] = v.tagged();
  auto tensor = [this](const JsonView& x) { return builder_.define(x.at("name").string(), ValueKind::Tensor); };
  auto number = [&, &p = p](ValueKind kind) {  // `p = p` is needed because clang 14 cannot capture a structured binding
    const auto [how, payload] = p.tagged();
    if (how != "as_name") p.refuse("a result needs a name, not '{}'", how);
    return builder_.define(payload.string(), kind);
  };
  if (tag == "as_tensor") return tensor(p);
  if (tag == "as_tensors") {
    std::vector<Arg> items;
    for (size_t i = 0; i < p.size(); ++i) items.push_back(tensor(p.item(i)));
    return program_.add_result_list(items);
  }
  if (tag == "as_none") return {};
  if (tag == "as_sym_int") return number(ValueKind::Int);
  if (tag == "as_sym_float") return number(ValueKind::Float);
  if (tag == "as_sym_bool") return number(ValueKind::Bool);
  if (tag == "as_custom_obj") return builder_.define(p.at("name").string(), ValueKind::Object);
  v.refuse("unknown kind of result '{}'", tag);
}

void GraphReader::node_arguments(const JsonView& inputs, Node& node) {
  const ProgramOp op = program_.ops[node.op];
  std::vector<Arg> args;
  bool positional = true;
  for (size_t i = 0, n = inputs.size(); i < n; ++i) {
    const JsonView input = inputs.item(i);
    Arg arg = argument(input.at("arg"));
    const std::string_view name = input.at("name").string();
    const auto kind = input.find("kind");
    const int64_t how = kind ? kind->integer() : 0;
    if (how < 0 || how > 2) kind->refuse("{} is no kind of argument", how);
    if (op.kind == ProgramOp::Kind::SymFunction) {
      positional = true;  // these functions name their arguments a and b, and the arguments are always positional
    } else if (op.entry) {
      const auto& formal = op.entry->schema.arguments;
      positional = positional && how != 2 && (name.empty() || (i < formal.size() && formal[i].name == name));
    } else {
      positional = positional && (how == 1 || name.empty());
    }
    if (positional && !op.entry && op.kind == ProgramOp::Kind::Operator) {
      std::vector<NameId>& formals = program_.ops[node.op].formals;
      if (formals.size() <= i) formals.resize(i + 1);
      formals[i] = program_.names.intern(name);
    }
    if (!positional) {
      if (name.empty()) input.refuse("a positional argument after keyword arguments");
      for (const Arg& a : args) {
        if (a.name && program_.name(a.name) == name) input.refuse("argument '{}' stands there twice", name);
      }
      arg.name = program_.names.intern(name);
    }
    args.push_back(arg);
  }
  node.args = program_.add_args(args);
}

void GraphReader::node(const JsonView& v) {
  Node node;
  const JsonView target = v.at("target");
  if (target.string().empty()) target.refuse("a node without an operator");
  try {
    node.op = program_.add_op(target.string());
  } catch (const Error& e) {
    target.refuse("{}", e.message);
  }
  node_arguments(v.at("inputs"), node);
  const JsonView outputs = v.at("outputs");
  std::vector<Arg> results;
  for (size_t i = 0, n = outputs.size(); i < n; ++i) results.push_back(result(outputs.item(i)));
  node.results = program_.add_args(results);

  const auto single = v.find("is_hop_single_tensor_return");
  const bool one_value = results.size() == 1 && results[0].kind == Arg::Kind::Value;
  node.one_tuple = one_value && single && !single->boolean();
  const auto name = v.find("name");
  if (name) {
    node.name = program_.names.intern(name->string());
  } else if (one_value) {
    node.name = builder_.graph().values[results[0].index].name;
  }
  if (const auto metadata = v.find("metadata")) {
    if (const auto called = metadata->find("ersatz_name")) node.name = program_.names.intern(called->string());
    if (const auto source = metadata->find("ersatz_source")) {
      node.source = program_.names.intern(source->string());
    } else if (const auto trace = metadata->find("stack_trace")) {
      node.source = program_.names.intern(source_line(trace->string()));
    }
    provenance(*metadata, node);
  }
  builder_.add_node(node);
}

/// Reads the origin of a traced node, except its modules, which `read_statements` reads.
void GraphReader::provenance(const JsonView& metadata, Node& node) {
  const auto number = [](const JsonView& v) {
    const std::string_view text = v.string();
    uint32_t n = kNone;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (error != std::errc() || end != text.data() + text.size()) v.refuse("'{}' is no number", text);
    return n;
  };
  if (const auto module = metadata.find("ersatz_module")) node.module = number(*module);
  if (const auto original = metadata.find("ersatz_original")) node.original = program_.add_op(original->string());
  const auto op = metadata.find("ersatz_call");
  if (!op) return;
  const UserCall call{program_.add_op(op->string()), number(metadata.at("ersatz_call_number"))};
  std::vector<UserCall>& calls = program_.calls;
  const bool again = !calls.empty() && calls.back().op == call.op && calls.back().number == call.number;
  if (!again) calls.push_back(call);  // nodes of one call follow each other, so only the last call is compared
  node.call = static_cast<uint32_t>(calls.size() - 1);
}

void GraphReader::tensor_value(std::string_view name, const JsonView& v) {
  const uint32_t meta = program_.add_meta(tensor_meta(v, program_.env.get()));
  const NameId id = program_.names.intern(name);
  if (!metas_.emplace(id, meta).second) v.refuse("metadata of '{}' stands there twice", name);
  if (const auto alias = v.find("ersatz_alias")) aliases_.emplace(id, alias->string());
}

void GraphReader::sym_values(const JsonView& graph, std::string_view key, ValueKind kind) {
  const auto values = graph.find(key);
  if (!values) return;
  values->each_member([&](const std::string& name, const JsonView& v) {
    const Arg record = program_.add_literal(sym_record(v, kind, *program_.env));
    numbers_.emplace(program_.names.intern(name), record.index);
  });
}

void GraphReader::graph_input(const JsonView& v, std::string name_of_constant) {
  const auto [tag, p] = v.tagged();
  GraphInput input;
  if (tag == "as_tensor") {
    input.value = builder_.define(p.at("name").string(), ValueKind::Tensor).index;
  } else if (tag == "as_custom_obj") {
    const std::string_view type = p.at("class_fqn").string();
    const uint32_t record = type.empty() ? kNone : program_.add_literal(Value(type)).index;
    input.value = builder_.define(p.at("name").string(), ValueKind::Object, record).index;
  } else if (tag == "as_sym_int" || tag == "as_sym_float" || tag == "as_sym_bool") {
    const ValueKind kind = tag == "as_sym_int"     ? ValueKind::Int
                           : tag == "as_sym_float" ? ValueKind::Float
                                                   : ValueKind::Bool;
    input.value = builder_.define(p.at("as_name").string(), kind).index;
  } else if (tag == "as_int" || tag == "as_float" || tag == "as_bool" || tag == "as_string" || tag == "as_none") {
    // An argument that the export made constant. Its name is in the signature.
    const Arg literal = argument(v);
    const ValueKind kind = tag == "as_int"     ? ValueKind::Int
                           : tag == "as_float" ? ValueKind::Float
                           : tag == "as_bool"  ? ValueKind::Bool
                                               : ValueKind::Object;
    input.kind = InputKind::ConstantInput;
    input.value =
        builder_.define(name_of_constant, kind, literal.kind == Arg::Kind::Literal ? literal.index : kNone).index;
  } else {
    v.refuse("unknown kind of graph input '{}'", tag);
  }
  builder_.graph().inputs.push_back(input);
}

void GraphReader::attach_records() {
  for (ValueId id = 0; id < builder_.graph().values.size(); ++id) {
    GraphValue& v = builder_.graph().values[id];
    if (v.kind == ValueKind::Tensor) {
      if (const auto alias = aliases_.find(v.name); alias != aliases_.end()) builder_.set_alias(id, alias->second);
    }
    const auto& records = v.kind == ValueKind::Tensor ? metas_ : numbers_;
    if (auto found = records.find(v.name); found != records.end()) {
      v.record = found->second;
    } else if (v.kind == ValueKind::Tensor) {
      fail_argument("{}: tensor_values has no metadata of '{}'", place_, program_.name(v.name));
    }
  }
}

void GraphReader::finish(const JsonView& graph, const std::vector<std::string>& constants) {
  const JsonView inputs = graph.at("inputs");
  for (size_t i = 0; i < inputs.size(); ++i) {
    const bool named = i < constants.size() && !constants[i].empty();
    graph_input(inputs.item(i), named ? constants[i] : "constant_" + std::to_string(i));
  }
  const JsonView outputs = graph.at("outputs");
  for (size_t i = 0; i < outputs.size(); ++i) {
    GraphOutput output;
    output.value = argument(outputs.item(i));
    const Arg::Kind kind = output.value.kind;
    if (kind != Arg::Kind::Value && kind != Arg::Kind::Literal && kind != Arg::Kind::None) {
      outputs.item(i).refuse("a graph cannot answer that");
    }
    builder_.graph().outputs.push_back(output);
  }
  sym_values(graph, "sym_int_values", ValueKind::Int);
  sym_values(graph, "sym_bool_values", ValueKind::Bool);
  sym_values(graph, "sym_float_values", ValueKind::Float);
  if (const auto single = graph.find("is_single_tensor_return")) builder_.graph().single_result = single->boolean();
  attach_records();
  builder_.resolve([this](char what, size_t index, const std::string& message) {
    const std::string_view part = what == 'i' ? "inputs" : what == 'n' ? "nodes" : "outputs";
    fail_argument("{}.{}[{}]: {}", place_, part, index, message);
  });
}

void GraphReader::whole(const JsonView& graph) {
  const JsonView nodes = graph.at("nodes");
  for (size_t i = 0; i < nodes.size(); ++i) node(nodes.item(i));
  graph.at("tensor_values").each_member([this](const std::string& name, const JsonView& v) { tensor_value(name, v); });
  finish(graph);
}

std::string source_line(std::string_view trace) {
  // The trace has the outermost frame first: `File "f.py", line 17, in forward`, then the indented source line if it is
  // known.
  struct Frame {
    std::string_view file, line, function, code;
  };
  Frame user, innermost;
  while (!trace.empty()) {
    const size_t end = std::min(trace.find('\n'), trace.size());
    std::string_view row = trace.substr(0, end);
    trace.remove_prefix(std::min(end + 1, trace.size()));
    while (!row.empty() && row[0] == ' ') row.remove_prefix(1);
    if (row.substr(0, 6) == "File \"") {
      row.remove_prefix(6);
      innermost = {};
      const size_t quote = row.find("\", line ");
      if (quote == row.npos) continue;
      innermost.file = row.substr(0, quote);
      row.remove_prefix(quote + 8);
      const size_t comma = std::min(row.find(", in "), row.size());
      innermost.line = row.substr(0, comma);
      if (comma < row.size()) innermost.function = row.substr(comma + 5);
    } else if (innermost.code.empty()) {
      innermost.code = row;
    }
    const std::string_view f = innermost.file;
    const bool library = f.substr(0, 6) == "torch/" || f.find("/torch/") != f.npos || f.substr(0, 1) == "<";
    if (!f.empty() && (!library || user.file.empty())) user = innermost;
  }
  if (user.file.empty()) return {};
  std::string text = fmt::format("{}:{}", user.file, user.line);
  if (!user.function.empty()) text += fmt::format(" in {}", user.function);
  if (!user.code.empty()) text += fmt::format(": {}", user.code);
  return text;
}

}  // namespace ersatz::pt2_json
