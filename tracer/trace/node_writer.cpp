#include "tracer/trace/node_writer.h"

#include "runtime/base/call_stack.h"
#include "runtime/base/source_line.h"
#include "tracer/program/value_record.h"

namespace ersatz {

namespace {
/// The active calls, innermost first, as one line.
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

std::string NodeWriter::unique_name(std::string_view wanted) {
  const auto [at, free] = taken_.try_emplace(std::string(wanted), 0);
  if (free) return at->first;
  int& number = at->second;  // stays where it is when the table grows
  for (;;) {
    std::string name = fmt::format("{}_{}", wanted, ++number);
    if (taken_.try_emplace(name, 0).second) return name;
  }
}

GraphValue NodeWriter::seen(NameId name, const Value& v) {
  GraphValue value;
  value.name = name;
  record_value(program_, value, v);
  return value;
}

ValueId NodeWriter::add_input(std::string_view name, const Value& v) {
  return program_.add_value(graph_, seen(program_.names.intern(unique_name(name)), v));
}

NodeWriter::Open NodeWriter::open(const OpEntry& op, std::span<const Arg> args) {
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

NodeWriter::Open NodeWriter::open(std::string_view op, std::span<const Arg> args) {
  const size_t dot = op.rfind('.');
  return open(program_.add_op(op), op.substr(dot + 1), {args.begin(), args.end()});
}

NodeWriter::Open NodeWriter::open(uint32_t op, std::string_view base, std::vector<Arg> args) {
  Open open;
  open.name = unique_name(base);
  open.node.op = op;
  open.node.name = program_.names.intern(open.name);
  open.node.source = program_.names.intern(current_source_line());
  if (!open.node.source && capture_stacks) open.node.source = program_.names.intern(stack_line());
  open.node.module = origin.module;
  open.node.original = origin.original;
  open.node.call = origin.call;
  open.node.args = program_.add_args(args);
  return open;
}

std::vector<ValueId> NodeWriter::add(Open open, std::span<const Value> results) {
  const NodeId id = static_cast<NodeId>(graph_.nodes.size());
  std::vector<ValueId> flat;
  const auto define = [&](const Value& v, std::string_view name) {
    GraphValue value = seen(program_.names.intern(name), v);
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
      formal.push_back(define(r, single ? open.name : unique_name("getitem")));
    }
  }
  open.node.results = program_.add_args(formal);
  graph_.nodes.push_back(open.node);
  return flat;
}

}  // namespace ersatz
