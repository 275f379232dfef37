#include "tracer/program/verify.h"

#include <unordered_map>

#include "runtime/base/error.h"

namespace ersatz {

namespace {

class Verifier {
 public:
  explicit Verifier(const Program& p) : p_(p) {}

  std::vector<std::string> faults;

  void program() {
    for (size_t i = 0; i < p_.modules.size(); ++i) {
      if (p_.modules[i].outer != kNone && p_.modules[i].outer >= i) complain("module {} stands in a later one", i);
    }
    for (const UserCall& c : p_.calls) {
      if (c.op >= p_.ops.size()) complain("a user's call names an operator that is not there");
    }
    for (const auto& g : p_.graphs) graph(*g);
  }

 private:
  template <class... A>
  void complain(fmt::format_string<A...> format, const A&... values) {
    faults.push_back(where_ + fmt::vformat(format, fmt::make_format_args(values...)));
  }

  void graph(const Graph& g) {
    graph_ = &g;
    defined_.assign(g.values.size(), false);
    names_.clear();
    const std::string graph_name = g.name ? fmt::format("graph @{}: ", p_.name(g.name)) : "";
    for (size_t i = 0; i < g.inputs.size(); ++i) {
      where_ = fmt::format("{}input {}: ", graph_name, i);
      define(g.inputs[i].value, kNone);
      if (g.inputs[i].stored != kNone && g.inputs[i].stored >= p_.weights.tensors().size()) {
        complain("names a stored tensor that is not there");
      }
    }
    for (size_t i = 0; i < g.nodes.size(); ++i) {
      const Node& n = g.nodes[i];
      where_.clear();  // the text is made only when there is a fault, because most nodes have none
      const size_t before = faults.size();
      node(n, static_cast<NodeId>(i));
      for (size_t f = before; f < faults.size(); ++f) {
        const std::string_view op = n.op < p_.ops.size() ? p_.name(p_.op(n).name) : "?";
        faults[f] = fmt::format("{}node {} ({}): {}", graph_name, i, op, faults[f]);
      }
    }
    for (size_t i = 0; i < g.outputs.size(); ++i) {
      where_ = fmt::format("{}output {}: ", graph_name, i);
      use(g.outputs[i].value, 0);
      target(g, g.outputs[i]);
    }
  }

  void target(const Graph& g, const GraphOutput& output) {
    if (!output.target) return;
    for (const GraphInput& input : g.inputs) {
      const bool by_name =
          output.kind == OutputKind::UserInputMutation || output.kind == OutputKind::GradientToUserInput;
      if (input.value < g.values.size() && (by_name ? g.values[input.value].name : input.target) == output.target) {
        return;
      }
    }
    complain("no input is called '{}'", p_.name(output.target));
  }

  void define(ValueId id, NodeId node) {
    if (id >= graph_->values.size()) return complain("defines a value that is not there");
    const GraphValue& v = graph_->values[id];
    if (defined_[id]) complain("%{} is defined twice", p_.name(v.name));
    defined_[id] = true;
    if (v.node != node) complain("%{} is said to come from another node", p_.name(v.name));
    if (!v.name) {
      complain("a value without a name");
    } else if (!names_.emplace(v.name, id).second) {
      complain("a second value is named %{}", p_.name(v.name));
    }
    const size_t records = v.kind == ValueKind::Tensor ? p_.metas.size() : p_.literals.size();
    if (v.record != kNone && v.record >= records) complain("the record of %{} is not there", p_.name(v.name));
  }

  void use(const Arg& a, int depth) {
    switch (a.kind) {
      case Arg::Kind::None:
        return;
      case Arg::Kind::Value:
        if (a.index >= graph_->values.size()) return complain("uses a value that is not there");
        if (!defined_[a.index]) complain("uses %{} before it is defined", p_.name(graph_->values[a.index].name));
        return;
      case Arg::Kind::Literal:
        if (a.index >= p_.literals.size()) complain("uses a literal that is not there");
        return;
      case Arg::Kind::Graph:
        if (a.index == 0 || a.index >= p_.graphs.size()) complain("uses a graph that is not there");
        return;
      case Arg::Kind::Operator:
        if (a.index >= p_.ops.size()) complain("uses an operator that is not there");
        return;
      case Arg::Kind::List:
      case Arg::Kind::Dict:
        if (a.index >= p_.lists.size() || depth > 64) return complain("uses a list that is not there");
        for (const Arg& item : p_.list(a)) use(item, depth + 1);
    }
  }

  void node(const Node& n, NodeId id) {
    if (n.op >= p_.ops.size()) return complain("names an operator that is not there");
    if (n.module != kNone && n.module >= p_.modules.size()) complain("stands in a module that is not there");
    if (n.original != kNone && n.original >= p_.ops.size()) complain("has an original operator that is not there");
    if (n.call != kNone && n.call >= p_.calls.size()) complain("is part of a call that is not there");
    for (const Arg& a : p_.view(n.args)) use(a, 0);
    for (const Arg& r : p_.view(n.results)) {
      if (r.kind == Arg::Kind::Value) {
        define(r.index, id);
      } else if (r.kind == Arg::Kind::List && r.index < p_.lists.size()) {
        for (const Arg& item : p_.list(r)) define(item.index, id);
      } else if (r.kind != Arg::Kind::None) {
        complain("a result is neither a value, a list of values nor None");
      }
    }
    if (const OpEntry* entry = p_.op(n).entry) call(n, entry->schema);
  }

  void call(const Node& n, const FunctionSchema& schema) {
    const auto args = p_.view(n.args);
    given_.assign(schema.arguments.size(), false);
    size_t position = 0;
    for (const Arg& a : args) {
      int at = static_cast<int>(position);
      if (a.name) {
        at = schema.find_argument(p_.name(a.name));
        if (at < 0) {
          complain("has no argument '{}'", p_.name(a.name));
          continue;
        }
      } else {
        ++position;
        if (position > schema.arguments.size() || schema.arguments[at].keyword_only) {
          return complain("{} positional arguments are too many", position);
        }
      }
      if (given_[at]) complain("argument '{}' stands there twice", schema.arguments[at].name);
      given_[at] = true;
    }
    for (size_t i = 0; i < given_.size(); ++i) {
      if (!given_[i] && !schema.arguments[i].default_value) {
        complain("argument '{}' is missing", schema.arguments[i].name);
      }
    }
    const auto results = p_.view(n.results);
    if (results.size() != schema.returns.size() && !results.empty()) {
      complain("{} results where the schema has {}", results.size(), schema.returns.size());
    }
  }

  const Program& p_;
  const Graph* graph_ = nullptr;
  std::string where_;
  std::vector<bool> defined_;
  std::vector<bool> given_;
  std::unordered_map<NameId, ValueId> names_;
};

}  // namespace

std::vector<std::string> find_faults(const Program& program) {
  Verifier verifier(program);
  verifier.program();
  return std::move(verifier.faults);
}

void verify_program(const Program& program, const std::string& name) {
  const auto faults = find_faults(program);
  if (faults.empty()) return;
  const std::string more = faults.size() == 1 ? "" : fmt::format(" (and {} more faults)", faults.size() - 1);
  fail_argument("{}: {}{}", name, faults[0], more);
}

}  // namespace ersatz
