#include "tracer/program/program.h"

#include <algorithm>
#include <unordered_map>

#include "runtime/op/registry.h"

namespace ersatz {

struct Program::Index {
  std::unordered_map<NameId, uint32_t> ops;
  std::unordered_multimap<uint64_t, uint32_t> metas;
};

namespace {

uint64_t hash_meta(const TensorMeta& m) {
  uint64_t h = static_cast<uint64_t>(m.dtype) * 31 + static_cast<uint64_t>(m.device.type) * 7 + m.sizes.size();
  auto mix = [&h](uint64_t v) { h = (h ^ v) * 0x9E3779B97F4A7C15ull, h ^= h >> 29; };
  for (SymInt s : m.sizes) mix(static_cast<uint64_t>(s.word()));
  for (SymInt s : m.strides) mix(static_cast<uint64_t>(s.word()));
  mix(static_cast<uint64_t>(m.offset.word()));
  return h;
}

constexpr std::string_view kHigherOrder = "higher_order.";

bool starts_with(std::string_view text, std::string_view prefix) { return text.substr(0, prefix.size()) == prefix; }

/// Returns the operator's kind. `canonical` gets its name in the spelling of the text form.
ProgramOp::Kind classify(std::string_view spelling, std::string& canonical) {
  constexpr std::string_view ops = "torch.ops.";
  if (starts_with(spelling, ops)) spelling.remove_prefix(ops.size());
  canonical = spelling;
  if (starts_with(spelling, kHigherOrder)) return ProgramOp::Kind::HigherOrder;
  if (starts_with(spelling, "_operator.") || starts_with(spelling, "torch.sym_") ||
      starts_with(spelling, "torch._sym_") || starts_with(spelling, "math.")) {
    return ProgramOp::Kind::SymFunction;
  }
  const bool plain = !spelling.empty() && std::all_of(spelling.begin(), spelling.end(), [](char c) {
    return c == '.' || c == ':' || c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z');
  });
  if (!plain) return ProgramOp::Kind::Other;
  canonical = canonical_op_name(spelling);
  return ProgramOp::Kind::Operator;
}

}  // namespace

Program::Program() : env(std::make_shared<ShapeEnv>()), index_(std::make_unique<Index>()) {
  graphs.push_back(std::make_unique<Graph>());
}
Program::Program(Program&&) noexcept = default;
Program& Program::operator=(Program&&) noexcept = default;
Program::~Program() = default;

uint32_t Program::add_op(std::string_view spelling) {
  const NameId as_written = names.intern(spelling);
  if (auto found = index_->ops.find(as_written); found != index_->ops.end()) return found->second;
  ProgramOp op;
  std::string canonical;
  op.kind = classify(spelling, canonical);
  if (op.kind == ProgramOp::Kind::Operator) {
    op.entry = registry().find(canonical);
    if (op.entry) canonical = op.entry->name;
  }
  op.name = names.intern(canonical);
  uint32_t index = static_cast<uint32_t>(ops.size());
  if (auto found = index_->ops.find(op.name); found != index_->ops.end()) {
    index = found->second;
  } else {
    ops.push_back(op);
    index_->ops.emplace(op.name, index);
  }
  index_->ops.emplace(as_written, index);
  return index;
}

uint32_t Program::add_meta(const TensorMeta& meta) {
  const uint64_t hash = hash_meta(meta);
  auto [first, last] = index_->metas.equal_range(hash);
  for (auto it = first; it != last; ++it) {
    if (metas[it->second] == meta) return it->second;
  }
  metas.push_back(meta);
  const uint32_t id = static_cast<uint32_t>(metas.size() - 1);
  index_->metas.emplace(hash, id);
  return id;
}

uint32_t Program::add_module(const ModuleFrame& frame) {
  const size_t at = static_cast<size_t>(std::find(modules.begin(), modules.end(), frame) - modules.begin());
  if (at == modules.size()) modules.push_back(frame);
  return static_cast<uint32_t>(at);
}

Arg Program::add_literal(Value value) {
  if (value.is_none()) return {};
  literals.push_back(std::move(value));
  return {0, Arg::Kind::Literal, static_cast<uint32_t>(literals.size() - 1)};
}

ArgRange Program::add_args(std::span<const Arg> items) {
  const ArgRange range{static_cast<uint32_t>(args.size()), static_cast<uint32_t>(items.size())};
  args.insert(args.end(), items.begin(), items.end());
  return range;
}

Arg Program::add_list(std::span<const Arg> items) {
  for (const Arg& a : items) {
    if (a.kind != Arg::Kind::Literal && a.kind != Arg::Kind::None) {
      lists.push_back(add_args(items));
      return {0, Arg::Kind::List, static_cast<uint32_t>(lists.size() - 1)};
    }
  }
  std::vector<Value> values;
  for (const Arg& a : items) values.push_back(a.kind == Arg::Kind::None ? Value() : literal(a));
  return add_literal(Value::packed(values));
}

Arg Program::add_dict(std::span<const Arg> items) {
  lists.push_back(add_args(items));
  return {0, Arg::Kind::Dict, static_cast<uint32_t>(lists.size() - 1)};
}

Arg Program::add_result_list(std::span<const Arg> values) {
  lists.push_back(add_args(values));
  return {0, Arg::Kind::List, static_cast<uint32_t>(lists.size() - 1)};
}

ValueId Program::add_value(Graph& graph, GraphValue value) {
  graph.values.push_back(value);
  return static_cast<ValueId>(graph.values.size() - 1);
}

std::vector<uint32_t> module_stack(const Program& program, const Node& node) {
  std::vector<uint32_t> stack;
  for (uint32_t at = node.module; at != kNone; at = program.modules[at].outer) stack.push_back(at);
  std::reverse(stack.begin(), stack.end());
  return stack;
}

std::pair<std::string, std::string> user_call(const Program& program, const Node& node) {
  if (node.call == kNone) return {};
  const UserCall& call = program.calls[node.call];
  const std::string_view op = program.name(program.ops[call.op].name);
  const std::string_view type = op.substr(0, op.rfind('.'));
  return {fmt::format("{}_{}", type.substr(type.rfind('.') + 1), call.number), std::string(type)};
}

std::vector<ValueId> result_values(const Program& program, const Node& node) {
  std::vector<ValueId> flat;
  for (const Arg& a : program.view(node.results)) {
    if (a.kind == Arg::Kind::List) {
      for (const Arg& item : program.list(a)) flat.push_back(item.index);
    } else {
      flat.push_back(a.kind == Arg::Kind::Value ? a.index : kNone);
    }
  }
  return flat;
}

namespace {

void add_values(const Program& program, std::span<const Arg> args, std::vector<ValueId>& found) {
  for (const Arg& a : args) {
    if (a.kind == Arg::Kind::Value) found.push_back(a.index);
    if (a.kind == Arg::Kind::List || a.kind == Arg::Kind::Dict) add_values(program, program.list(a), found);
  }
}

}  // namespace

std::vector<ValueId> argument_values(const Program& program, const Node& node) {
  std::vector<ValueId> found;
  add_values(program, program.view(node.args), found);
  return found;
}

namespace {
constexpr std::string_view kInputNames[] = {"input",    "parameter", "buffer", "loose_buffer",
                                            "constant", "object",    "token",  "constant_input"};
constexpr std::string_view kOutputNames[] = {"output",
                                             "loss",
                                             "buffer_mutation",
                                             "parameter_mutation",
                                             "input_mutation",
                                             "gradient_to_parameter",
                                             "gradient_to_input",
                                             "token"};
constexpr std::string_view kValueNames[] = {"unknown", "tensor", "int", "float", "bool", "object"};

template <class T, size_t N>
std::optional<T> find_name(const std::string_view (&names)[N], std::string_view text) {
  for (size_t i = 0; i < N; ++i) {
    if (names[i] == text) return static_cast<T>(i);
  }
  return std::nullopt;
}
}  // namespace

std::string_view name(RecordedCondition::Kind k) {
  constexpr std::string_view names[] = {"guard", "assert", "assumption"};
  return names[static_cast<int>(k)];
}
std::string_view name(InputKind k) { return kInputNames[static_cast<int>(k)]; }
std::string_view name(OutputKind k) { return kOutputNames[static_cast<int>(k)]; }
std::string_view name(ValueKind k) { return kValueNames[static_cast<int>(k)]; }
std::optional<InputKind> parse_input_kind(std::string_view text) { return find_name<InputKind>(kInputNames, text); }

}  // namespace ersatz
