#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include "runtime/op/copy.h"
#include "runtime/sym/sym_expr.h"
#include "runtime/tensor/meta_text.h"
#include "tools/diff/difference.h"
#include "tools/diff/placed_arguments.h"
#include "tools/diff/program_pairs.h"
#include "tools/diff/same_value.h"
#include "tools/output/interrupt.h"

namespace ersatz::tools {

void add_meta_differences(const TensorMeta& a, const TensorMeta& b, const std::string& what,
                          std::vector<FieldDifference>& fields) {
  const auto list = [](std::span<const SymInt> values) {
    std::string text;
    for (const SymInt v : values) text += (text.empty() ? "" : ",") + to_string(v);
    return text;
  };
  const auto spelled = [&](const TensorMeta& m, MetaField field) {
    if (field == MetaField::Size) return "[" + list(m.sizes) + "]";
    if (field == MetaField::Stride) return "{" + list(m.strides) + "}";
    return field_text(m, field);
  };
  const MetaFields differing = differing_fields(a, b);
  for (const MetaField f : differing& kStridedFields) {
    fields.push_back({std::string(name(f)), what, spelled(a, f), spelled(b, f)});
  }
  // If only conj, neg or requires_grad differ, the printed metadata show them as suffixes.
  if (fields.empty() && !differing.empty()) fields.push_back({"flags", what, to_string(a), to_string(b)});
}

namespace {

class ProgramDiff {
 public:
  ProgramDiff(const Program& a, const Program& b) : a_(a), b_(b) {}

  DiffSummary run() {
    sum_.unit = "node";
    for (const auto& g : a_.graphs) sum_.a += static_cast<int64_t>(g->nodes.size());
    for (const auto& g : b_.graphs) sum_.b += static_cast<int64_t>(g->nodes.size());
    symbols();
    const size_t n = a_.graphs.size(), m = b_.graphs.size();
    for (number_ = 0; number_ < std::max(n, m); ++number_) {
      if (number_ >= n || number_ >= m) {
        const Program& of = number_ < n ? a_ : b_;
        add(number_ < n ? Difference::Kind::Removed : Difference::Kind::Added, "graph",
            std::string(of.name(graph(of).name)), "", "");
        continue;
      }
      pair_.clear();
      inputs();
      nodes();
      if (sum_.left > 0) break;
      outputs();
    }
    return std::move(sum_);
  }

 private:
  /// Returns the graph of `p` that is being compared now. It is compared with the graph of the same number in the other
  /// program.
  const Graph& graph(const Program& p) const { return *p.graphs[number_]; }
  std::string value_name(const Program& p, ValueId id) const { return tools::value_name(p, graph(p), id); }
  /// Returns a prefix that names the graph; empty for the main graph.
  std::string within(const Program& p) const { return number_ == 0 ? "" : fmt::format("@{} ", p.name(graph(p).name)); }
  void add(Difference::Kind kind, std::string unit, std::string name, std::string op, std::string at) {
    sum_.differences.push_back({kind, std::move(unit), std::move(name), "", std::move(op), std::move(at), {}});
  }
  void add_changed(std::string unit, std::string name, std::string other, std::string op, std::string at,
                   std::vector<FieldDifference> fields) {
    if (fields.empty()) return;
    if (other == name) other.clear();
    sum_.differences.push_back({Difference::Kind::Changed, std::move(unit), std::move(name), std::move(other),
                                std::move(op), std::move(at), std::move(fields)});
  }

  void symbols() {
    const std::vector<SymbolInfo> x = a_.env->symbols(), y = b_.env->symbols();
    const auto find = [](const std::vector<SymbolInfo>& all, const std::string& name) {
      const auto at = std::find_if(all.begin(), all.end(), [&](const SymbolInfo& s) { return s.name == name; });
      return at == all.end() ? nullptr : &*at;
    };
    for (const SymbolInfo& s : x) {
      const SymbolInfo* t = find(y, s.name);
      if (!t) {
        add(Difference::Kind::Removed, "symbol", s.name, "", "");
      } else if (s.min != t->min || s.max != t->max) {
        add_changed("symbol", s.name, s.name, "", "",
                    {{"range", "", fmt::format("[{}, {}]", s.min, s.max), fmt::format("[{}, {}]", t->min, t->max)}});
      }
    }
    for (const SymbolInfo& t : y) {
      if (!find(x, t.name)) add(Difference::Kind::Added, "symbol", t.name, "", "");
    }
  }

  void inputs() {
    const std::vector<std::string> x = input_keys(a_, number_), y = input_keys(b_, number_);
    std::map<std::string, size_t> places;
    for (size_t j = 0; j < y.size(); ++j) places.emplace(y[j], j);
    std::vector<bool> taken(y.size(), false);
    for (size_t i = 0; i < x.size(); ++i) {
      const GraphInput& in = graph(a_).inputs[i];
      const auto place = places.find(x[i]);
      if (place == places.end()) {
        add(Difference::Kind::Removed, "input", within(a_) + value_name(a_, in.value), x[i], "");
        continue;
      }
      taken[place->second] = true;
      const GraphInput& other = graph(b_).inputs[place->second];
      pair_[in.value] = other.value;
      std::vector<FieldDifference> fields;
      records(in.value, other.value, "", fields);
      stored_bytes(in, other, fields);
      add_changed("input", within(a_) + value_name(a_, in.value), within(b_) + value_name(b_, other.value), x[i], "",
                  std::move(fields));
    }
    for (size_t j = 0; j < y.size(); ++j) {
      if (!taken[j])
        add(Difference::Kind::Added, "input", within(b_) + value_name(b_, graph(b_).inputs[j].value), y[j], "");
    }
  }

  void stored_bytes(const GraphInput& x, const GraphInput& y, std::vector<FieldDifference>& fields) const {
    if (x.stored == kNone || y.stored == kNone) return;
    const uint32_t p = a_.weights.tensors()[x.stored].payload, q = b_.weights.tensors()[y.stored].payload;
    const Payload &left = a_.weights.payloads()[p], &right = b_.weights.payloads()[q];
    const bool made = left.kind == Payload::Kind::Made, made_too = right.kind == Payload::Kind::Made;
    if (made || made_too) {
      if (made != made_too)
        fields.push_back({"value", "", made ? "made up" : "stored", made_too ? "made up" : "stored"});
      return;
    }
    const Tensor s = a_.weights.tensor(x.stored), t = b_.weights.tensor(y.stored);
    // The difference in metadata has been reported already.
    if (s.dtype() != t.dtype() || !sym_eq(s.sizes(), t.sizes())) return;
    const Tensor rows = in_rows(s), other_rows = in_rows(t);
    const int64_t item = item_size(s.dtype()), n = s.numel().as_int() * item;
    if (n == 0 || std::memcmp(rows.raw_data(), other_rows.raw_data(), static_cast<size_t>(n)) == 0) return;
    int64_t differ = 0, first = -1;
    for (int64_t i = 0; i < n; i += item) {
      if (std::memcmp(rows.raw_data() + i, other_rows.raw_data() + i, static_cast<size_t>(item)) == 0) continue;
      if (differ++ == 0) first = i / item;
    }
    fields.push_back({"value", "", fmt::format("{} elements", n / item),
                      fmt::format("{} of them others, the first of these number {}", differ, first)});
  }

  /// Returns the tensor, or if it is not contiguous, a contiguous copy.
  static Tensor in_rows(const Tensor& t) {
    if (t.is_contiguous()) return t;
    Tensor rows = make_real_tensor(TensorMeta(t.dtype(), t.sizes()));
    copy_elements(rows, t);
    return rows;
  }

  /// Returns `meta` with expressions simplified by the ranges of their symbols.
  static TensorMeta reduced(const Program& p, TensorMeta meta) {
    if (!meta.is_symbolic()) return meta;
    const auto reduce = [&](SymInt& v) {
      if (v.is_symbolic()) v = p.env->reduced(v);
    };
    for (SymInt& v : meta.sizes) reduce(v);
    for (SymInt& v : meta.strides) reduce(v);
    reduce(meta.offset);
    return meta;
  }

  /// Compares the recorded metadata or number of two paired values.
  void records(ValueId x, ValueId y, const std::string& what, std::vector<FieldDifference>& fields) const {
    const GraphValue &v = graph(a_).values[x], &w = graph(b_).values[y];
    const TensorMeta *s = a_.meta(v), *t = b_.meta(w);
    const auto number = [](const Program& p, const GraphValue& of, const TensorMeta* meta) {
      return meta || of.record == kNone ? nullptr : &p.literals[of.record];
    };
    const Value *n = number(a_, v, s), *m = number(b_, w, t);
    const auto words = [](const TensorMeta* meta, const Value* number) {
      return meta ? to_string(*meta) : number ? to_string(*number) : std::string("not recorded");
    };
    if (s && t) {
      std::vector<FieldDifference> found;
      if (!differing_fields(reduced(a_, *s), reduced(b_, *t)).empty()) add_meta_differences(*s, *t, what, found);
      fields.insert(fields.end(), found.begin(), found.end());
    } else if (s || t || !n != !m || (n && !same_value(*n, *m))) {
      fields.push_back({s || t ? "kind" : "number", what, words(s, n), words(t, m)});
    }
    if (v.alias == kNone ? w.alias == kNone : w.alias != kNone && stands_for(v.alias, w.alias)) return;
    const auto memory = [&](const Program& p, const GraphValue& of) {
      return of.alias == kNone ? "its own" : value_name(p, of.alias);
    };
    fields.push_back({"alias", what, memory(a_, v), memory(b_, w)});
  }

  bool stands_for(ValueId x, ValueId y) const {
    const auto found = pair_.find(x);
    return found != pair_.end() && found->second == y;
  }

  std::string spelled(const Program& p, const Arg& a) const {
    switch (a.kind) {
      case Arg::Kind::None:
        return "None";
      case Arg::Kind::Value:
        return value_name(p, a.index);
      case Arg::Kind::Literal:
        return to_string(p.literal(a));
      case Arg::Kind::List:
      case Arg::Kind::Dict: {
        std::string items;
        for (const Arg& item : p.list(a)) items += (items.empty() ? "" : ", ") + spelled(p, item);
        return "[" + items + "]";
      }
      case Arg::Kind::Graph:
        return "graph " + std::string(p.name(p.graphs[a.index]->name));
      case Arg::Kind::Operator:
        return std::string(p.name(p.ops[a.index].name));
    }
    return "?";
  }

  bool same_argument(const Arg& x, const Arg& y) const {
    if (x.kind == Arg::Kind::Value && y.kind == Arg::Kind::Value) return stands_for(x.index, y.index);
    if (x.kind != y.kind) return false;
    if (x.kind == Arg::Kind::Literal) return same_value(a_.literal(x), b_.literal(y));
    if (x.kind != Arg::Kind::List && x.kind != Arg::Kind::Dict)
      return spelled(a_, x) == spelled(b_, y);  // the printed text includes the names of values
    const auto left = a_.list(x), right = b_.list(y);
    return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                      [&](const Arg& p, const Arg& q) { return same_argument(p, q); });
  }

  bool same_argument(const PlacedArgument& x, const PlacedArgument& y) const {
    if (x.literal && y.literal) return same_value(*x.literal, *y.literal);
    return same_argument(*x.arg, *y.arg);
  }

  void arguments(const Node& x, const Node& y, std::vector<FieldDifference>& fields) const {
    const std::map<ArgumentPlace, PlacedArgument> left = placed_arguments(a_, x), right = placed_arguments(b_, y);
    std::set<ArgumentPlace> places;
    for (const auto* side : {&left, &right}) {
      for (const auto& [place, argument] : *side) places.insert(place);
    }
    for (const ArgumentPlace& place : places) {
      const auto p = left.find(place), q = right.find(place);
      if (p != left.end() && q != right.end() && same_argument(p->second, q->second)) continue;
      const auto text = [&](const Program& of, const auto& side, const auto& at) {
        if (at == side.end()) return std::string("absent");
        const Arg& a = *at->second.arg;
        return (a.name ? std::string(of.name(a.name)) + "=" : "") + spelled(of, a);
      };
      fields.push_back({"argument", to_string(place), text(a_, left, p), text(b_, right, q)});
    }
  }

  void node(NodeId i, NodeId j) {
    const Node &x = graph(a_).nodes[i], &y = graph(b_).nodes[j];
    std::vector<FieldDifference> fields;
    const std::string op = op_name(a_, x), other = op_name(b_, y);
    if (op != other) fields.push_back({"op", "", op, other});
    arguments(x, y, fields);
    const std::vector<ValueId> left = result_values(a_, x), right = result_values(b_, y);
    if (left.size() != right.size()) {
      fields.push_back({"results", "", std::to_string(left.size()), std::to_string(right.size())});
    }
    for (size_t k = 0; k < std::min(left.size(), right.size()); ++k) {
      if (left[k] == kNone || right[k] == kNone) {
        if (left[k] != right[k])
          fields.push_back({"kind", value_name(a_, left[k]), value_name(a_, left[k]), value_name(b_, right[k])});
        continue;
      }
      pair_[left[k]] = right[k];
      records(left[k], right[k], left.size() == 1 ? "" : value_name(a_, left[k]), fields);
    }
    if (fields.empty()) {
      ++sum_.same;
      sum_.renamed += node_label(a_, x) != node_label(b_, y);
    }
    add_changed("node", within(a_) + node_label(a_, x), within(b_) + node_label(b_, y), op,
                std::string(a_.name(x.source)), std::move(fields));
  }

  void nodes() {
    const std::vector<AlignedPair> pairs = node_pairs(a_, b_, number_);
    for (const AlignedPair& p : pairs) {
      if (interrupted()) {
        sum_.left = static_cast<int64_t>(pairs.end() - pairs.begin()) - (&p - pairs.data());
        return;
      }
      if (p.a >= 0 && p.b >= 0) {
        node(static_cast<NodeId>(p.a), static_cast<NodeId>(p.b));
      } else {
        const Program& of = p.a >= 0 ? a_ : b_;
        const Node& n = graph(of).nodes[static_cast<size_t>(p.a >= 0 ? p.a : p.b)];
        add(p.a >= 0 ? Difference::Kind::Removed : Difference::Kind::Added, "node", within(of) + node_label(of, n),
            op_name(of, n), std::string(of.name(n.source)));
      }
    }
  }

  void outputs() {
    const auto &x = graph(a_).outputs, &y = graph(b_).outputs;
    for (size_t i = 0; i < std::max(x.size(), y.size()); ++i) {
      if (i >= x.size() || i >= y.size()) {
        const bool gone = i < x.size();
        add(gone ? Difference::Kind::Removed : Difference::Kind::Added, "output",
            within(gone ? a_ : b_) + std::to_string(i), gone ? spelled(a_, x[i].value) : spelled(b_, y[i].value), "");
        continue;
      }
      std::vector<FieldDifference> fields;
      if (!same_argument(x[i].value, y[i].value)) {
        fields.push_back({"value", "", spelled(a_, x[i].value), spelled(b_, y[i].value)});
      }
      const auto kind = [](const Program& p, const GraphOutput& o) {
        return fmt::format("{} {}", name(o.kind), p.name(o.target));
      };
      // An output that writes a user input names that input as target, and names of inputs may differ.
      const bool same_target = a_.name(x[i].target) == b_.name(y[i].target);
      if (x[i].kind != y[i].kind || (x[i].kind != OutputKind::UserInputMutation && !same_target)) {
        fields.push_back({"kind", "", kind(a_, x[i]), kind(b_, y[i])});
      }
      add_changed("output", within(a_) + std::to_string(i), within(b_) + std::to_string(i), "", "", std::move(fields));
    }
  }

  const Program &a_, &b_;
  size_t number_ = 0;  // number of the graph that is being compared
  DiffSummary sum_;
  std::map<ValueId, ValueId> pair_;  // values of a -> paired values of b
};

}  // namespace

DiffSummary diff_programs(const Program& a, const Program& b) { return ProgramDiff(a, b).run(); }

}  // namespace ersatz::tools
