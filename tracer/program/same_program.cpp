// Programs are equal if everything that the text form has is equal. The order of interned names, arenas, symbols,
// constraints, nested graphs, storages and dict keys does not count: these are compared by name or by their uses. A
// storage that no input uses is ignored.
#include <algorithm>
#include <map>
#include <set>

#include "runtime/tensor/meta_text.h"
#include "tracer/program/program.h"

namespace ersatz {

namespace {

class Comparer {
 public:
  Comparer(const Program& a, const Program& b) : a_(a), b_(b) {}

  std::string why;  ///< text of the first difference

  bool programs() {
    if (!same(a_.producer, b_.producer, "producer") || !same(a_.function, b_.function, "function") ||
        !same(a_.steals, b_.steals, "arguments that are given up") || !same(a_.plugins, b_.plugins, "plugins") ||
        !same(a_.untold, b_.untold, "what the records leave open") ||
        !same(a_.foreign_schemas, b_.foreign_schemas, "schemas") || !same(a_.weights.seed, b_.weights.seed, "seed") ||
        !symbols() || !constraints() || !same(a_.conditions.size(), b_.conditions.size(), "number of conditions") ||
        !same(a_.graphs.size(), b_.graphs.size(), "number of graphs")) {
      return false;
    }
    for (size_t i = 0; i < a_.conditions.size(); ++i) {
      const RecordedCondition &x = a_.conditions[i], &y = b_.conditions[i];
      if (!same(x.kind, y.kind, "kind of a condition") || !same(x.decision.text, y.decision.text, "condition") ||
          !same(x.decision.site, y.decision.site, "a condition's origin") ||
          !same(x.decision.count, y.decision.count, "a condition's count") ||
          !same(x.decision.message, y.decision.message, "a condition's message")) {
        return false;
      }
    }
    for (const auto& g : a_.graphs) {
      const Graph* const h = graph_of_b(a_.name(g->name));
      if (!h) return same(true, false, fmt::format("graph @{}", a_.name(g->name)));
      if (!graphs(*g, *h)) return false;
    }
    return true;
  }

 private:
  template <class T>
  bool same(const T& x, const T& y, std::string_view what) {
    if (x == y) return true;
    if (why.empty()) why = std::string(what);
    return false;
  }
  bool names(NameId x, NameId y, std::string_view what) {
    if (a_.name(x) == b_.name(y)) return true;
    if (why.empty()) why = fmt::format("{}: '{}' and '{}'", what, a_.name(x), b_.name(y));
    return false;
  }

  const Graph* graph_of_b(std::string_view name) const {
    for (const auto& g : b_.graphs) {
      if (b_.name(g->name) == name) return g.get();
    }
    return nullptr;
  }

  bool symbols() {
    auto x = a_.env->symbols(), y = b_.env->symbols();
    for (auto* list : {&x, &y}) std::ranges::sort(*list, {}, &SymbolInfo::name);
    if (!same(x.size(), y.size(), "number of symbols")) return false;
    for (size_t i = 0; i < x.size(); ++i) {
      if (!same(x[i].name, y[i].name, "symbols") || !same(x[i].hint, y[i].hint, "a symbol's hint") ||
          !same(x[i].min, y[i].min, "a symbol's range") || !same(x[i].max, y[i].max, "a symbol's range")) {
        return false;
      }
    }
    return true;
  }

  bool constraints() {
    using Row = std::tuple<std::string, std::optional<int64_t>, std::optional<int64_t>>;
    const auto rows = [](const Program& p) {
      std::vector<Row> rows;
      for (const RangeConstraint& c : p.constraints) rows.emplace_back(to_string(c.expression), c.min, c.max);
      std::ranges::sort(rows);
      return rows;
    };
    return same(rows(a_), rows(b_), "constraint");
  }

  /// Compares the storages of two tensors. Tensors that share a storage in one program must share one in the other.
  bool storages(uint32_t x, uint32_t y) {
    const auto [known, first] = storage_of_b_.try_emplace(x, y);
    if (!first) return same(known->second, y, "storage of an input");
    return same(storages_of_b_.insert(y).second, true, "storage of an input") &&
           same(Weights::same_bytes(a_.weights, x, b_.weights, y), true, "storages");
  }

  bool metas(const TensorMeta& x, const TensorMeta& y) {
    if (!x.is_symbolic() && !y.is_symbolic() && x == y) return true;
    return same(to_string(x), to_string(y), fmt::format("metadata: {} and {}", to_string(x), to_string(y)));
  }

  bool literals(const Value& x, const Value& y) {
    return same(x.kind(), y.kind(), "kind of a literal") && (x == y || same(to_string(x), to_string(y), "a literal"));
  }

  bool values(const Graph& g, const Graph& h, ValueId x, ValueId y) {
    if (x == kNone || y == kNone) return same(x, y, "a missing value");
    const GraphValue &v = g.values[x], &w = h.values[y];
    if (!names(v.name, w.name, "value") || !same(v.kind, w.kind, "kind of a value") ||
        !same(v.record == kNone, w.record == kNone, "a record")) {
      return false;
    }
    if ((v.alias == kNone) != (w.alias == kNone)) return same(0, 1, "an alias");
    if (v.alias != kNone && !names(g.values[v.alias].name, h.values[w.alias].name, "alias")) return false;
    if (v.record == kNone) return true;
    return v.kind == ValueKind::Tensor ? metas(a_.metas[v.record], b_.metas[w.record])
                                       : literals(a_.literals[v.record], b_.literals[w.record]);
  }

  static std::vector<Arg> by_key(const Program& p, const Arg& dict) {
    std::vector<Arg> items(p.list(dict).begin(), p.list(dict).end());
    std::ranges::stable_sort(items, {}, [&](const Arg& a) { return p.name(a.name); });
    return items;
  }

  bool ranges(const Graph& g, const Graph& h, std::span<const Arg> x, std::span<const Arg> y, std::string_view what) {
    if (!same(x.size(), y.size(), what)) return false;
    for (size_t i = 0; i < x.size(); ++i) {
      if (!arguments(g, h, x[i], y[i])) return false;
    }
    return true;
  }

  bool arguments(const Graph& g, const Graph& h, const Arg& x, const Arg& y) {
    if (!same(x.kind, y.kind, "kind of an argument") || !names(x.name, y.name, "keyword")) return false;
    switch (x.kind) {
      case Arg::Kind::None:
        return true;
      case Arg::Kind::Value:
        return values(g, h, x.index, y.index);
      case Arg::Kind::Literal:
        return literals(a_.literal(x), b_.literal(y));
      case Arg::Kind::List:
        return ranges(g, h, a_.list(x), b_.list(y), "length of a list");
      case Arg::Kind::Dict:
        return ranges(g, h, by_key(a_, x), by_key(b_, y), "length of a dict");
      case Arg::Kind::Graph:
        return names(a_.graphs[x.index]->name, b_.graphs[y.index]->name, "graph");
      case Arg::Kind::Operator:
        return names(a_.ops[x.index].name, b_.ops[y.index].name, "operator");
    }
    return false;
  }

  bool inputs(const Graph& g, const Graph& h, const GraphInput& x, const GraphInput& y) {
    if (!values(g, h, x.value, y.value) || !same(x.kind, y.kind, "kind of an input") ||
        !names(x.target, y.target, "target of an input") ||
        !same(x.stored == kNone, y.stored == kNone, "stored value of an input")) {
      return false;
    }
    if (x.stored == kNone) return true;
    const StoredTensor &s = a_.weights.tensors()[x.stored], &t = b_.weights.tensors()[y.stored];
    return storages(s.payload, t.payload) && metas(s.meta, t.meta);
  }

  bool modules(uint32_t x, uint32_t y) {
    for (; x != kNone && y != kNone; x = a_.modules[x].outer, y = b_.modules[y].outer) {
      if (!names(a_.modules[x].path, b_.modules[y].path, "path of a module") ||
          !names(a_.modules[x].type, b_.modules[y].type, "type of a module"))
        return false;
    }
    return same(x, y, "depth of modules");
  }

  bool provenance(const Node& x, const Node& y) {
    if (!modules(x.module, y.module) || !same(x.original == kNone, y.original == kNone, "an original operator") ||
        !same(user_call(a_, x), user_call(b_, y), "the user's call"))
      return false;
    return x.original == kNone || names(a_.ops[x.original].name, b_.ops[y.original].name, "the original operator");
  }

  bool graphs(const Graph& g, const Graph& h) {
    if (!names(g.name, h.name, "graph") || !same(g.single_result, h.single_result, "single result") ||
        !same(g.inputs.size(), h.inputs.size(), "number of inputs") ||
        !same(g.nodes.size(), h.nodes.size(), "number of nodes") ||
        !same(g.outputs.size(), h.outputs.size(), "number of outputs")) {
      return false;
    }
    for (size_t i = 0; i < g.inputs.size(); ++i) {
      if (!inputs(g, h, g.inputs[i], h.inputs[i])) return at("input", i);
    }
    for (size_t i = 0; i < g.nodes.size(); ++i) {
      const Node &x = g.nodes[i], &y = h.nodes[i];
      if (!names(a_.op(x).name, b_.op(y).name, "operator") || !names(x.name, y.name, "node name") ||
          !names(x.source, y.source, "source line") || !same(x.one_tuple, y.one_tuple, "tuple of one") ||
          !provenance(x, y) || !ranges(g, h, a_.view(x.args), b_.view(y.args), "number of arguments") ||
          !ranges(g, h, a_.view(x.results), b_.view(y.results), "number of results")) {
        return at("node", i);
      }
    }
    for (size_t i = 0; i < g.outputs.size(); ++i) {
      const GraphOutput &x = g.outputs[i], &y = h.outputs[i];
      if (!arguments(g, h, x.value, y.value) || !same(x.kind, y.kind, "kind of an output") ||
          !names(x.target, y.target, "target of an output")) {
        return at("output", i);
      }
    }
    return true;
  }

  bool at(std::string_view what, size_t index) {
    why = fmt::format("{} {}: {}", what, index, why);
    return false;
  }

  const Program &a_, &b_;
  std::map<uint32_t, uint32_t> storage_of_b_;
  std::set<uint32_t> storages_of_b_;
};

}  // namespace

bool same_program(const Program& a, const Program& b, std::string* why) {
  Comparer comparer(a, b);
  const bool same = comparer.programs();
  if (why) *why = comparer.why;
  return same;
}

}  // namespace ersatz
