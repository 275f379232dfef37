#include "tools/propagate/propagate_summary.h"

#include <algorithm>
#include <set>

namespace ersatz::tools {

namespace {

constexpr size_t kValuesShown = 12;

/// Lists the values that one run read: `3, 5`.
std::string seen_text(std::span<const SeenValue> run) {
  std::string text;
  for (const SeenValue& v : run) text += (text.empty() ? "" : ", ") + v.text;
  return text;
}

/// Adds a finding if a number that the export made constant differs between the runs.
void tell_frozen(const DataPoint& p, PropagateSummary& sum) {
  std::vector<std::string> values;
  std::vector<int64_t> runs;
  for (size_t r = 0; r < p.seen.size(); ++r) {
    if (p.seen[r].empty()) continue;
    runs.push_back(static_cast<int64_t>(r) + 1);
    const std::string text = seen_text(p.seen[r]);
    if (std::find(values.begin(), values.end(), text) == values.end()) values.push_back(text);
  }
  if (values.size() < 2) return;
  PropagateFinding f;
  f.field = PropagateField::Frozen;
  f.node = p.node;
  f.name = p.name;
  f.op = p.op;
  f.at = p.at;
  f.message = fmt::format("the export read a number from its result, {}, and decided by it: it was {} in these runs",
                          p.symbol, fmt::join(values, ", "));
  f.more.push_back("what the model computes from the number is a constant of the program");
  sum.findings.push_back({std::move(f), std::move(runs)});
}

/// Finds ranges and equalities of points that held in all runs.
class Seeing {
 public:
  explicit Seeing(PropagateSummary& sum) : sum_(sum) {}

  void ranges() {
    for (const DataPoint& p : sum_.points) {
      if (!p.symbol.empty())
        range(p.symbol, p.values);
      else if (p.is_live())
        range_of_live(p);
      else
        ranges_of_unnamed(p);
    }
  }

  /// Finds pairs of points whose values are equal in every run but differ between runs.
  void equalities() {
    for (size_t i = 0; i < sum_.points.size(); ++i) {
      const DataPoint& p = sum_.points[i];
      const std::string_view name = name_of(p);
      if (name.empty() || !is_whole(p) || !varies(p)) continue;
      for (size_t j = 0; j < i; ++j) {
        const DataPoint& q = sum_.points[j];
        if (name_of(q).empty() || name_of(q) == name || q.scope != p.scope || !are_equal(p, q)) continue;
        add(std::string(name), fmt::format("{} was {} in {}", name, name_of(q),
                                           sum_.runs.size() == 1   ? "the run"
                                           : sum_.runs.size() == 2 ? "both runs"
                                                                   : fmt::format("all {} runs", sum_.runs.size())));
        break;
      }
    }
  }

 private:
  void add(const std::string& what, const std::string& text) {
    const auto same = [&](const SeenFact& f) { return f.text == text; };
    if (std::none_of(sum_.seen.begin(), sum_.seen.end(), same)) sum_.seen.push_back({what, text});
  }

  void range(const std::string& what, std::span<const std::optional<int64_t>> values) {
    std::vector<int64_t> seen;
    for (const std::optional<int64_t>& v : values) {
      if (v) seen.push_back(*v);
    }
    if (seen.empty()) return;
    const auto [low, high] = std::minmax_element(seen.begin(), seen.end());
    if (*low != *high) add(what, fmt::format("{} was {} to {}", what, *low, *high));
  }

  void range_of_live(const DataPoint& p) {
    std::vector<std::optional<int64_t>> values;
    for (const std::vector<SeenValue>& run : p.seen) {
      for (const SeenValue& v : run) values.push_back(v.integer);
    }
    if (!p.expression.empty()) range(p.expression, values);
  }

  /// Finds the range of a point without a symbol. The value of the point is a number, or a tensor with sizes that vary.
  void ranges_of_unnamed(const DataPoint& p) {
    std::vector<const TensorMeta*> metas;
    for (const std::vector<SeenValue>& run : p.seen) {
      if (run.empty()) continue;
      if (run.size() > 1 || run[0].tensors.size() != 1) return;  // the point is a number or has several results
      if (run[0].tensors[0].is_symbolic()) return;
      metas.push_back(&run[0].tensors[0]);
    }
    for (size_t d = 0; !metas.empty() && d < metas[0]->sizes.size(); ++d) {
      std::vector<std::optional<int64_t>> values;
      bool varies = false;
      for (const TensorMeta* m : metas) {
        if (m->sizes.size() != metas[0]->sizes.size()) return;
        values.push_back(m->sizes[d].as_int());
        varies |= !sym_eq(m->sizes[d], metas[0]->sizes[d]);
      }
      if (varies) range(fmt::format("{}.size({})", p.name, d), values);
    }
  }

  /// Returns the report's name for the value of a point; empty if it has none and cannot be compared.
  static std::string_view name_of(const DataPoint& p) { return p.is_live() ? p.expression : p.symbol; }

  static bool is_whole(const DataPoint& p) {
    if (!p.is_live()) return std::all_of(p.values.begin(), p.values.end(), [](const auto& v) { return v.has_value(); });
    return std::all_of(p.seen.begin(), p.seen.end(), [](const auto& run) { return !run.empty(); });
  }

  static bool varies(const DataPoint& p) {
    if (!p.is_live())
      return std::any_of(p.values.begin(), p.values.end(), [&](const auto& v) { return v != p.values[0]; });
    std::set<int64_t> numbers;
    for (const std::vector<SeenValue>& run : p.seen) {
      for (const SeenValue& v : run) {
        if (v.integer) numbers.insert(*v.integer);
      }
    }
    return numbers.size() > 1;
  }

  static bool are_equal(const DataPoint& p, const DataPoint& q) {
    if (!p.is_live()) return p.values == q.values;
    const auto same = [](const SeenValue& a, const SeenValue& b) { return a.text == b.text; };
    return std::equal(p.seen.begin(), p.seen.end(), q.seen.begin(), q.seen.end(), [&](const auto& a, const auto& b) {
      return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
    });
  }

  PropagateSummary& sum_;
};

class Summing {
 public:
  Summing(const Program& program, const RecordSymbols& symbols, PropagateSummary& sum)
      : program_(program), symbols_(symbols), sum_(sum) {}

  void points() {
    for (size_t i = 0; i < symbols_.symbols().size(); ++i) {
      DataPoint& p = point(symbols_.symbols()[i].node);
      take_symbol(p, i);
    }
    for (size_t r = 0; r < sum_.runs.size(); ++r) {
      for (const SeenRead& read : sum_.runs[r].reads) take_read(read, r);
    }
    for (const FrozenSymbol& s : symbols_.frozen()) {
      for (DataPoint& p : sum_.points) {
        if (p.node != s.node) continue;
        p.symbol = s.name;
        p.frozen = p.by_record = true;
      }
    }
    std::stable_sort(sum_.points.begin(), sum_.points.end(), [](auto& a, auto& b) { return a.node < b.node; });
    for (DataPoint& p : sum_.points) {
      if (p.symbol.empty()) take_dependents(p);
    }
  }

 private:
  DataPoint& point(NodeId node) {
    DataPoint& p = sum_.points.emplace_back();
    const Node& n = program_.main().nodes[node];
    p.node = node;
    p.name = node_label(program_, node);
    p.op = program_.name(program_.op(n).name);
    p.at = program_.name(n.source);
    p.values.resize(sum_.runs.size());
    p.seen.resize(sum_.runs.size());
    return p;
  }

  void take_symbol(DataPoint& p, size_t symbol) {
    const RecordSymbol& s = symbols_.symbols()[symbol];
    p.symbol = s.name;
    p.expression = s.expression;
    p.allowed = range_text(s.min, s.max);
    p.by_record = true;
    for (size_t r = 0; r < sum_.runs.size(); ++r) p.values[r] = sum_.runs[r].symbols[symbol];
    for (const NodeId id : s.dependents) p.dependents.push_back(node_label(program_, id));
    p.outputs = symbols_.outputs_with(s.name);
  }

  /// Finds the dependents of a point that has no recorded symbol: all nodes that are computed from its results.
  void take_dependents(DataPoint& p) {
    std::vector<NodeId> with_point(1, p.node);
    for (const NodeId id : nodes_behind(program_, p.node)) {
      p.dependents.push_back(node_label(program_, id));
      with_point.push_back(id);
    }
    p.outputs = outputs_among(program_, with_point);
  }

  /// Adds a read to its point. If no point has the node of the read, a new point is made.
  void take_read(const SeenRead& read, size_t run) {
    if (read.node == kNone) return;
    bool known = false;
    for (DataPoint& p : sum_.points) {
      if (p.node != read.node) continue;
      known = true;
      p.reader = read.op;
      if (p.at.empty()) p.at = read.at;
      if (!read.value.text.empty()) p.seen[run].push_back(read.value);
    }
    if (known) return;
    DataPoint& p = point(read.node);
    p.reader = read.op;
    if (p.at.empty()) p.at = read.at;
    if (!read.value.text.empty()) p.seen[run].push_back(read.value);
    // The recorded metadata of the results may have a symbol that another node defines. The point then gets that
    // symbol.
    for (const std::string& name : symbols_.of_results(read.node)) {
      const auto& all = symbols_.symbols();
      const auto found = std::find_if(all.begin(), all.end(), [&](const RecordSymbol& s) { return s.name == name; });
      if (found == all.end()) continue;
      take_symbol(p, static_cast<size_t>(found - all.begin()));
      return;
    }
  }

  const Program& program_;
  const RecordSymbols& symbols_;
  PropagateSummary& sum_;
};

}  // namespace

std::span<const SeenValue> read_at(const DataPoint& p, size_t run) {
  const std::vector<SeenValue>& seen = p.seen[run];
  const bool sizes = std::any_of(seen.begin(), seen.end(), [](const SeenValue& v) { return !v.tensors.empty(); });
  return p.symbol.empty() || !sizes ? std::span<const SeenValue>(seen) : std::span<const SeenValue>();
}

std::string values_text(const DataPoint& p) {
  std::vector<std::string> list;
  std::set<int64_t> values;
  for (size_t r = 0; r < p.seen.size(); ++r) {
    if (p.values[r]) values.insert(*p.values[r]);
    if (p.is_live()) {
      for (const SeenValue& v : p.seen[r]) {
        if (v.integer) values.insert(*v.integer);
        list.push_back(v.text);
      }
      if (p.seen[r].empty()) list.emplace_back("-");
      continue;
    }
    const std::string text = p.values[r] ? std::to_string(*p.values[r]) : seen_text(read_at(p, r));
    list.push_back(text.empty() ? "-" : text);
  }
  if (list.size() > kValuesShown) list.resize(kValuesShown), list.emplace_back("...");
  std::string out = fmt::format("{}", fmt::join(list, ", "));
  if (values.size() > 1) out += fmt::format(": {} to {}", *values.begin(), *values.rbegin());
  return out;
}

void sum_findings(PropagateSummary& sum) {
  for (size_t r = 0; r < sum.runs.size(); ++r) {
    for (const PropagateFinding& f : sum.runs[r].findings) {
      const auto same = std::find_if(sum.findings.begin(), sum.findings.end(), [&](const SummedFinding& s) {
        return s.finding.field == f.field && s.finding.node == f.node && s.finding.name == f.name &&
               s.finding.message == f.message;
      });
      if (same == sum.findings.end()) {
        sum.findings.push_back({f, {static_cast<int64_t>(r) + 1}});
      } else if (same->runs.back() != static_cast<int64_t>(r) + 1) {
        same->runs.push_back(static_cast<int64_t>(r) + 1);
      }
    }
    for (const std::string& remark : sum.runs[r].remarks) {
      if (std::find(sum.remarks.begin(), sum.remarks.end(), remark) == sum.remarks.end()) {
        sum.remarks.push_back(remark);
      }
    }
  }
  for (const DataPoint& p : sum.points) {
    if (p.frozen) tell_frozen(p, sum);
  }
  for (SummedFinding& f : sum.findings) {
    // A run that ended early or lost values did not do so because its values were synthetic. So these findings do not
    // count as synthetic.
    const PropagateField field = f.finding.field;
    const bool of_values =
        field != PropagateField::Lost && field != PropagateField::Rule && field != PropagateField::Stopped;
    f.synthetic = of_values && std::all_of(f.runs.begin(), f.runs.end(), [&](int64_t run) {
                    return sum.runs[static_cast<size_t>(run - 1)].synthetic;
                  });
  }
  const auto place = [](const SummedFinding& f) {
    return f.finding.node == kNone ? -1 : static_cast<int64_t>(f.finding.node);
  };
  std::stable_sort(sum.findings.begin(), sum.findings.end(),
                   [&](const auto& a, const auto& b) { return place(a) < place(b); });
}

void sum_seen(PropagateSummary& sum) {
  Seeing seeing(sum);
  seeing.ranges();
  seeing.equalities();
}

bool PropagateSummary::clean() const {
  return std::all_of(findings.begin(), findings.end(), [](const SummedFinding& f) { return f.synthetic; });
}

PropagateSummary sum_up(const Program& program, const RecordSymbols& symbols, std::vector<PropagateRun> runs) {
  PropagateSummary sum;
  sum.runs = std::move(runs);
  sum.all_nodes = static_cast<int64_t>(program.main().nodes.size());
  Summing summing(program, symbols, sum);
  summing.points();
  sum_findings(sum);
  sum_seen(sum);
  return sum;
}

}  // namespace ersatz::tools
