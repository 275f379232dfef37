#include "tools/program/smallest_repro.h"

#include <algorithm>
#include <set>

#include "runtime/base/error.h"
#include "runtime/base/smallest_part.h"
#include "tools/program/repro_check.h"
#include "tracer/program/symbol_values.h"
#include "tracer/text/text_form.h"

namespace ersatz::tools {

namespace {

// Synthetic contents (`made`) replace the stored ones only if that makes the text shorter by this many characters.
constexpr size_t kShort = 58;

class Smallest {
 public:
  Smallest(std::string text, const Finding& finding, const RunOptions& like)
      : best_(std::move(text)), finding_(finding), like_(like) {}

  std::string text() {
    const bool of_layout = finding_.field == FindingField::Stride || finding_.field == FindingField::DType;
    const bool small = of_layout && take_small_sizes();
    if (!small && !shows_again(best_, finding_, like_)) return "";
    make_storages();
    leave_out_arguments();
    return best_;
  }

 private:
  bool take(std::string candidate) {
    if (candidate.empty() || candidate == best_ || ++trials_ > kMostTrials) return false;
    if (!shows_again(candidate, finding_, like_)) return false;
    best_ = std::move(candidate);
    return true;
  }

  Program program() const { return parse_program_text(best_, "repro"); }

  bool take_small_sizes() {
    try {
      Program smaller = program();
      return make_sizes_small(smaller) && take(print_program(smaller));
    } catch (const Error& e) {
      if (e.kind == ErrorKind::InternalError) throw;
      return false;  // a tensor does not fit its storage
    }
  }

  void make_storages() {
    const size_t storages = program().weights.payloads().size();
    for (uint32_t i = 0; i < storages; ++i) {
      Program smaller = program();
      make_up(smaller, i);
      std::string text = print_program(smaller);
      if (text.size() + kShort <= best_.size()) take(std::move(text));
    }
  }

  /// Tries to leave out each argument, from the last to the first. An argument stays left out if the finding still
  /// occurs.
  void leave_out_arguments() {
    const Program program = this->program();
    if (program.main().nodes.size() != 1 || !program.op(program.main().nodes[0]).entry) return;
    const auto& schema = program.op(program.main().nodes[0]).entry->schema.arguments;
    for (size_t i = program.main().nodes[0].args.count; i-- > 0;) {
      Program smaller = this->program();
      Node& node = smaller.main().nodes[0];
      Arg& arg = smaller.args[node.args.first + i];
      if (arg.name == 0 && i + 1 == node.args.count && i < schema.size() && schema[i].default_value) {
        --node.args.count;
      } else if (arg.name == 0 && i < schema.size() && schema[i].type.is_optional() && arg.kind != Arg::Kind::None) {
        arg = Arg();
      } else {
        continue;
      }
      drop_unused_inputs(smaller);
      take(print_program(smaller));
    }
  }

  static void drop_unused_inputs(Program& program) {
    std::set<ValueId> used;
    auto walk = [&](auto& self, std::span<const Arg> args) -> void {
      for (const Arg& a : args) {
        if (a.kind == Arg::Kind::Value) used.insert(a.index);
        if (a.kind == Arg::Kind::List || a.kind == Arg::Kind::Dict) self(self, program.list(a));
      }
    };
    for (const Node& n : program.main().nodes) walk(walk, program.view(n.args));
    for (const GraphValue& v : program.main().values) {
      if (v.alias != kNone) used.insert(v.alias);
    }
    std::erase_if(program.main().inputs, [&](const GraphInput& in) { return !used.contains(in.value); });
  }

  std::string best_;
  const Finding& finding_;
  const RunOptions& like_;
  int trials_ = 0;
};

/// Makes a program from some nodes of a program.
class Slice {
 public:
  Slice(const Program& program, const std::vector<NodeId>& nodes) : program_(program), graph_(program.main()) {
    for (NodeId id : nodes) {
      for (ValueId v : result_values(program, graph_.nodes[id])) defined_.insert(v);
    }
    for (NodeId id : nodes) {
      arguments(program.view(graph_.nodes[id].args));
      for (ValueId v : result_values(program, graph_.nodes[id])) {
        if (v != kNone && graph_.values[v].alias != kNone) input(graph_.values[v].alias);
      }
    }
    for (NodeId id : nodes) body_ += "  " + print_node(program, graph_, id) + "\n";
    for (ValueId v : result_values(program, graph_.nodes[nodes.back()])) {
      if (v != kNone) returns_ += fmt::format("{}%{}", returns_.empty() ? "" : ", ", plain(v));
    }
  }

  /// Returns the text of the program. Empty if a value from a node that is left out has no recorded metadata, or has
  /// symbols in them.
  std::string text() const {
    if (!possible_) return "";
    return fmt::format("ersatz program {}\n\ngraph({}):\n{}  return {}\n", kTextFormVersion, inputs_, body_, returns_);
  }

 private:
  void arguments(std::span<const Arg> args) {
    for (const Arg& a : args) {
      if (a.kind == Arg::Kind::Graph) possible_ = false;
      if (a.kind == Arg::Kind::Value) input(a.index);
      if (a.kind == Arg::Kind::List || a.kind == Arg::Kind::Dict) arguments(program_.list(a));
    }
  }
  void input(ValueId v) {
    if (!defined_.insert(v).second) return;
    const TensorMeta* meta = program_.meta(graph_.values[v]);
    if (!meta || meta->is_symbolic()) {
      possible_ = false;
      return;
    }
    inputs_ += fmt::format("{}%{}: {}", inputs_.empty() ? "" : ", ", plain(v), to_string(*meta));
  }
  std::string plain(ValueId v) {
    std::string name(program_.name(graph_.values[v].name));
    possible_ &= std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
    return name;
  }

  const Program& program_;
  const Graph& graph_;
  std::set<ValueId> defined_;
  std::string inputs_, body_, returns_;
  bool possible_ = true;
};

/// Returns the node `last` and the nodes that it depends on, in the order of the program.
std::vector<NodeId> ancestors(const Program& program, NodeId last) {
  const Graph& graph = program.main();
  std::set<NodeId> found = {last};
  std::vector<NodeId> open = {last};
  auto walk = [&](auto& self, std::span<const Arg> args) -> void {
    for (const Arg& a : args) {
      if (a.kind == Arg::Kind::List || a.kind == Arg::Kind::Dict) self(self, program.list(a));
      if (a.kind != Arg::Kind::Value || graph.values[a.index].node == kNone) continue;
      if (found.insert(graph.values[a.index].node).second) open.push_back(graph.values[a.index].node);
    }
  };
  while (!open.empty()) {
    const NodeId id = open.back();
    open.pop_back();
    walk(walk, program.view(graph.nodes[id].args));
  }
  return {found.begin(), found.end()};
}

}  // namespace

std::string smallest_repro(const std::string& repro, const Finding& finding, const RunOptions& like) {
  return Smallest(repro, finding, like).text();
}

namespace {

/// Replaces the program's symbols by their example values, and numbers among the arguments by literals.
void use_examples(Program& program, ArgRange arguments) {
  const SymbolValues symbols(program);
  for (TensorMeta& meta : program.metas) {
    if (std::optional<TensorMeta> concrete = symbols.concrete(meta)) meta = std::move(*concrete);
  }
  for (Value& literal : program.literals) {
    if (!literal.is_symbolic_int()) continue;
    if (const std::optional<int64_t> n = symbols.evaluate(literal.as_int())) literal = Value(*n);
  }
  const auto use = [&](auto& self, ArgRange range) -> void {
    for (uint32_t i = range.first; i < range.first + range.count; ++i) {
      Arg& a = program.args[i];
      if (a.kind == Arg::Kind::List || a.kind == Arg::Kind::Dict) self(self, program.lists[a.index]);
      if (a.kind != Arg::Kind::Value) continue;
      const GraphValue& value = program.main().values[a.index];
      const bool number =
          value.kind == ValueKind::Int || value.kind == ValueKind::Float || value.kind == ValueKind::Bool;
      if (number && value.record != kNone && !program.literals[value.record].is_symbolic())
        a = {a.name, Arg::Kind::Literal, value.record};
    }
  };
  use(use, arguments);
}

}  // namespace

std::string program_of_node(Program& program, std::string_view name) {
  const Graph& graph = program.main();
  for (NodeId id = 0; id < graph.nodes.size(); ++id) {
    const std::vector<ValueId> results = result_values(program, graph.nodes[id]);
    const bool makes = std::any_of(results.begin(), results.end(),
                                   [&](ValueId v) { return v != kNone && program.name(graph.values[v].name) == name; });
    if (!makes && program.name(graph.nodes[id].name) != name) continue;
    use_examples(program, graph.nodes[id].args);
    const std::string text = Slice(program, {id}).text();
    if (text.empty()) fail_argument("{}: an argument's metadata are not recorded, or it is a graph", name);
    return text;
  }
  fail_argument("no call makes {}", name);
}

std::string smallest_slice(const Program& program, const Finding& finding, const RunOptions& like) {
  constexpr size_t kMostNodes = 200;
  const Graph& graph = program.main();
  NodeId last = kNone;
  for (NodeId id = 0; id < graph.nodes.size(); ++id) {
    if (program.name(graph.nodes[id].name) == finding.node) last = id;
  }
  if (last == kNone) return "";
  std::vector<NodeId> kept = ancestors(program, last);
  if (kept.size() < 2 || kept.size() > kMostNodes) return "";
  int trials = 0;
  std::string best;
  const auto take = [&](const std::vector<NodeId>& nodes) {
    if (++trials > kMostTrials) return false;
    std::string text = Slice(program, nodes).text();
    if (text.empty() || !shows_again(text, finding, like)) return false;
    best = std::move(text);
    return true;
  };
  if (!take(kept)) return "";
  take_smallest_part(kept, take);
  return best;
}

}  // namespace ersatz::tools
