#include "tracer/trace/node_writer.h"

#include "runtime/base/call_stack.h"
#include "runtime/base/source_line.h"
#include "tracer/program/value_record.h"

namespace ersatz {

namespace {
/// Returns the active calls of C++ functions, innermost first, in one line.
std::string stack_line() {
  std::string line;
  const auto stack = CallStack::capture();
  for (const char c : stack->text()) {
    if (c != '\n') {
      line += c;
    } else if (!line.empty()) {
      line += " <";
    }
  }
  const size_t first = line.find_first_not_of(' ');
  return first == line.npos ? "" : line.substr(first);
}
}  // namespace

NameId NodeWriter::unique_name(std::string_view wanted) {
  const auto take_free = [this](NameId name) {
    if (taken_.find(name)) return false;
    taken_.set(name, 0);
    return true;
  };
  NamePool& names = program_.names;
  const NameId base = names.intern(wanted);
  if (take_free(base)) return base;
  for (uint32_t number = *taken_.find(base) + 1;; ++number) {
    const NameId name = names.intern(fmt::format("{}_{}", names[base], number));
    if (!take_free(name)) continue;
    taken_.set(base, number);
    return name;
  }
}

GraphValue NodeWriter::seen(NameId name, const Value& v) {
  GraphValue value;
  value.name = name;
  record_value(program_, value, v);
  return value;
}

ValueId NodeWriter::add_input(std::string_view name, const Value& v) {
  return program_.add_value(graph_, seen(unique_name(name), v));
}

Node NodeWriter::open(const OpEntry& op, std::span<const Arg> args) {
  const FunctionSchema& schema = op.schema;
  const auto is_default = [&](size_t i) {
    const Argument& formal = schema.arguments[i];
    if (!formal.default_value) return false;
    if (args[i].kind == Arg::Kind::None) return formal.default_value->is_none();
    return args[i].kind == Arg::Kind::Literal && program_.literal(args[i]) == *formal.default_value;
  };
  size_t positional = 0;
  for (size_t i = 0; i < args.size(); ++i) {
    if (!schema.arguments[i].keyword_only && !is_default(i)) positional = i + 1;
  }
  std::vector<Arg> kept(args.begin(), args.begin() + static_cast<ptrdiff_t>(positional));
  for (size_t i = 0; i < args.size(); ++i) {
    if (!schema.arguments[i].keyword_only || is_default(i)) continue;
    kept.push_back(args[i]);
    kept.back().name = program_.names.intern(schema.arguments[i].name);
  }
  return open(program_.add_op(op.name), schema.base, std::move(kept));
}

Node NodeWriter::open(std::string_view op, std::span<const Arg> args) {
  const size_t dot = op.rfind('.');
  return open(program_.add_op(op), op.substr(dot + 1), {args.begin(), args.end()});
}

Node NodeWriter::open(uint32_t op, std::string_view base, std::vector<Arg> args) {
  Node node;
  node.op = op;
  node.name = unique_name(base);
  node.source = program_.names.intern(current_source_line());
  if (!node.source && capture_stacks) node.source = program_.names.intern(stack_line());
  node.module = origin.module;
  node.original = origin.original;
  node.call = origin.call;
  node.args = program_.add_args(args);
  return node;
}

std::vector<ValueId> NodeWriter::add(Node node, std::span<const Value> results) {
  const NodeId id = static_cast<NodeId>(graph_.nodes.size());
  std::vector<ValueId> flat;
  const auto define = [&](const Value& v, NameId name) {
    GraphValue value = seen(name, v);
    value.node = id;
    flat.push_back(program_.add_value(graph_, value));
    return Arg{0, Arg::Kind::Value, flat.back()};
  };
  const bool single =
      results.size() == 1 && results[0].kind() != Value::Kind::List && results[0].kind() != Value::Kind::IntList;
  std::vector<Arg> formal;
  for (const Value& r : results) {
    if (r.kind() == Value::Kind::List || r.kind() == Value::Kind::IntList) {
      std::vector<Arg> items;
      const auto add_item = [&](const Value& item) { items.push_back(define(item, unique_name("getitem"))); };
      if (r.kind() == Value::Kind::List) {
        for (const Value& item : r.as_list()) add_item(item);
      } else {
        for (const SymInt item : r.as_ints()) add_item(Value(item));
      }
      formal.push_back(program_.add_result_list(items));
    } else if (r.is_none()) {
      flat.push_back(kNone);
      formal.push_back({});
    } else {
      formal.push_back(define(r, single ? node.name : unique_name("getitem")));
    }
  }
  node.results = program_.add_args(formal);
  graph_.nodes.push_back(node);
  return flat;
}

}  // namespace ersatz
