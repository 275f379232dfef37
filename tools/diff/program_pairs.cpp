#include "tools/diff/program_pairs.h"

#include <fmt/format.h>

#include "runtime/op/value.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::tools {
namespace {

/// What a node says without the names of values: its literals, and what is recorded of its results.
std::string content(const Program& p, const Node& n) {
  std::string text;
  for (const Arg& a : p.view(n.args)) {
    text += a.kind == Arg::Kind::Literal ? to_string(p.literal(a)) : std::to_string(static_cast<int>(a.kind));
    text += a.name ? fmt::format(" {}, ", p.name(a.name)) : ", ";
  }
  for (const ValueId id : result_values(p, n)) {
    if (id == kNone) continue;
    const TensorMeta* meta = p.meta(p.main().values[id]);
    text += meta ? to_string(*meta) + "; " : "; ";
  }
  return text;
}

std::vector<AlignmentKey> node_keys(const Program& p) {
  std::vector<AlignmentKey> keys;
  for (const Node& n : p.main().nodes) keys.push_back({op_name(p, n), content(p, n)});
  return keys;
}

}  // namespace

std::vector<std::string> input_keys(const Program& p) {
  std::vector<std::string> keys;
  int user = 0;
  for (const GraphInput& in : p.main().inputs) {
    keys.push_back(in.target ? fmt::format("{} {}", name(in.kind), p.name(in.target))
                             : fmt::format("{} {}", name(in.kind), user++));
  }
  return keys;
}

std::vector<AlignedPair> node_pairs(const Program& a, const Program& b) { return align(node_keys(a), node_keys(b)); }

std::string op_name(const Program& p, const Node& n) { return std::string(p.name(p.op(n).name)); }

std::string node_label(const Program& p, const Node& n) { return std::string(p.name(n.name ? n.name : p.op(n).name)); }

std::string value_name(const Program& p, ValueId id) {
  return id == kNone ? "None" : "%" + std::string(p.name(p.main().values[id].name));
}

}  // namespace ersatz::tools
