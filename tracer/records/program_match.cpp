#include "tracer/records/program_match.h"

#include <algorithm>

#include "runtime/tensor/meta_diff.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {

namespace {

constexpr std::string_view kPlaceholder = "placeholder";

std::string listed(const std::vector<std::string_view>& names) {
  constexpr size_t most = 8;
  if (names.empty()) return "none";
  std::string out;
  for (size_t i = 0; i < std::min(names.size(), most); ++i) out += (i ? ", " : "") + std::string(names[i]);
  return names.size() > most ? out + ", ..." : out;
}

std::string_view value_name(const Program& p, ValueId id) { return p.name(p.main().values[id].name); }

const GraphInput* find_input(const Program& p, std::string_view name) {
  for (const GraphInput& in : p.main().inputs) {
    if (value_name(p, in.value) == name) return &in;
  }
  return nullptr;
}

std::vector<std::string_view> input_names(const Program& p) {
  std::vector<std::string_view> names;
  for (const GraphInput& in : p.main().inputs) names.push_back(value_name(p, in.value));
  return names;
}

/// Returns the operator's name in the program's spelling: `aten.relu.default` for `torch.ops.aten.relu.default`.
std::string operator_name(const ProgramOp& op, std::string_view target) {
  constexpr std::string_view ops = "torch.ops.";
  if (target.starts_with(ops)) target.remove_prefix(ops.size());
  return op.kind == ProgramOp::Kind::Operator ? canonical_op_name(target) : std::string(target);
}

std::string node_mismatch(const Program& p, const Node& node, const NodeFacts& row) {
  const ProgramOp& op = p.op(node);
  const std::string_view name = p.name(node.name), op_name = p.name(op.name);
  if (!name.empty() && row.node != name) {
    return fmt::format("node '{}' ({}) of the program is '{}' ({}) there", name, op_name, row.node, row.target);
  }
  if (!row.target.empty() && operator_name(op, row.target) != op_name) {
    return fmt::format("node '{}' is {} in the program and {} there", row.node, op_name, row.target);
  }
  std::vector<std::string_view> here, there;
  for (ValueId id : result_values(p, node)) {
    if (id != kNone) here.push_back(value_name(p, id));
  }
  for (const ResultFact& r : row.results) there.push_back(r.value);
  if (here == there) return "";
  return fmt::format("node '{}' has the results {} in the program and {} there", row.node, listed(here), listed(there));
}

std::string input_mismatch(const Program& p, const NodeFacts& row, const SymbolValues& symbols,
                           const InputChoice& choice) {
  const GraphInput* in = find_input(p, row.node);
  if (!in) {
    return fmt::format("input '{}' is there, the program has {}", row.node, listed(input_names(p)));
  }
  const ResultFact* fact = row.results.empty() ? nullptr : &row.results[0];
  if (!fact || !fact->real) return "";
  if (!is_tensor_input(p, *in)) return fmt::format("input '{}' is {} there and no tensor here", row.node, *fact->real);
  TensorMeta here = input_meta(p, *in, symbols, choice);
  here.device = fact->real->device;  // the program may run on another device than the recorded run
  here.requires_grad = fact->real->requires_grad;
  if (!diff(here, *fact->real).is_significant()) return "";
  return fmt::format("input '{}' is {} there and {} in this run", row.node, *fact->real, here);
}

std::string name_mismatch(const std::vector<StoredValue>& rows, std::string_view what,
                          const std::vector<std::string_view>& names) {
  for (const StoredValue& r : rows) {
    if (std::find(names.begin(), names.end(), r.name) != names.end()) continue;
    return fmt::format("{} '{}' is there, the program has {}", what, r.name, listed(names));
  }
  return "";
}

}  // namespace

std::string mismatch(const Facts& facts, const Program& program, const SymbolValues& symbols,
                     const InputChoice& choice) {
  const std::vector<Node>& nodes = program.main().nodes;
  size_t next = 0;
  for (const NodeFacts& row : facts.nodes) {
    std::string why;
    if (row.target == kPlaceholder) {
      why = input_mismatch(program, row, symbols, choice);
    } else if (next == nodes.size()) {
      why = fmt::format("node '{}' is there, the program ends after {} nodes", row.node, nodes.size());
    } else {
      why = node_mismatch(program, nodes[next++], row);
    }
    if (!why.empty()) return why;
  }
  if (next == nodes.size() || facts.stopped) return "";
  const Node& first = nodes[next];
  return fmt::format("node '{}' ({}) is not there ({} nodes, the program has {})", program.name(first.name),
                     program.name(program.op(first).name), next, nodes.size());
}

std::string mismatch(const InputsOutputs& stored, const Program& program) {
  std::vector<std::string_view> given, outputs, buffers;
  for (const GraphInput& in : program.main().inputs) {
    const bool buffer = in.kind == InputKind::Buffer || in.kind == InputKind::LooseBuffer;
    if (buffer) buffers.push_back(program.name(in.target));
    if (in.stored == kNone) given.push_back(value_name(program, in.value));
  }
  for (const GraphOutput& out : program.main().outputs) {
    if (out.value.kind == Arg::Kind::Value) outputs.push_back(value_name(program, out.value.index));
  }
  std::string why = name_mismatch(stored.inputs, "input", given);
  if (why.empty()) why = name_mismatch(stored.outputs, "output", outputs);
  if (why.empty()) why = name_mismatch(stored.buffers_after, "buffer", buffers);
  if (why.empty()) why = name_mismatch(stored.inputs_after, "input", given);
  if (!why.empty()) return why;
  for (const GraphInput& in : program.main().inputs) {
    if (in.kind != InputKind::UserInput || in.stored != kNone || !is_tensor_input(program, in)) continue;
    const std::string_view name = value_name(program, in.value);
    if (!InputsOutputs::find(stored.inputs, name)) return fmt::format("input '{}' of the program is not there", name);
  }
  return "";
}

}  // namespace ersatz
