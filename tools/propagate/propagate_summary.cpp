#include "tools/propagate/propagate_summary.h"

#include <algorithm>

#include "runtime/tensor/meta_text.h"

namespace ersatz::tools {

namespace {

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

  void findings() {
    for (size_t r = 0; r < sum_.runs.size(); ++r) {
      for (const PropagateFinding& f : sum_.runs[r].findings) {
        const auto same = std::find_if(sum_.findings.begin(), sum_.findings.end(), [&](const SummedFinding& s) {
          return s.finding.field == f.field && s.finding.node == f.node && s.finding.name == f.name &&
                 s.finding.message == f.message;
        });
        if (same == sum_.findings.end()) {
          sum_.findings.push_back({f, {static_cast<int64_t>(r) + 1}});
        } else if (same->runs.back() != static_cast<int64_t>(r) + 1) {
          same->runs.push_back(static_cast<int64_t>(r) + 1);
        }
      }
      for (const std::string& remark : sum_.runs[r].remarks) {
        if (std::find(sum_.remarks.begin(), sum_.remarks.end(), remark) == sum_.remarks.end()) {
          sum_.remarks.push_back(remark);
        }
      }
    }
    for (const DataPoint& p : sum_.points) {
      if (p.frozen) tell_frozen(p);
    }
    for (SummedFinding& f : sum_.findings) {
      // A run that ended early has not shown the rest of the program, whatever its values were.
      const PropagateField field = f.finding.field;
      const bool of_values =
          field != PropagateField::Lost && field != PropagateField::Rule && field != PropagateField::Stopped;
      f.made_up = of_values && std::all_of(f.runs.begin(), f.runs.end(), [&](int64_t run) {
                    return sum_.runs[static_cast<size_t>(run - 1)].made_up;
                  });
    }
    const auto place = [](const SummedFinding& f) {
      return f.finding.node == kNone ? -1 : static_cast<int64_t>(f.finding.node);
    };
    std::stable_sort(sum_.findings.begin(), sum_.findings.end(),
                     [&](const auto& a, const auto& b) { return place(a) < place(b); });
  }

  void seen() {
    for (const DataPoint& p : sum_.points) {
      if (!p.symbol.empty()) {
        range(p.symbol, p.values);
      } else {
        ranges_of_unnamed(p);
      }
    }
    equalities();
  }

 private:
  /// A number that differs between the runs cannot be a constant.
  void tell_frozen(const DataPoint& p) {
    std::vector<std::string> values;
    std::vector<int64_t> runs;
    for (size_t r = 0; r < p.seen.size(); ++r) {
      if (p.seen[r].empty()) continue;
      runs.push_back(static_cast<int64_t>(r) + 1);
      if (std::find(values.begin(), values.end(), p.seen[r]) == values.end()) values.push_back(p.seen[r]);
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
    sum_.findings.push_back({std::move(f), std::move(runs)});
  }

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

  /// Of a point that the record does not name: all that is computed from its results.
  void take_dependents(DataPoint& p) {
    std::vector<NodeId> with_point(1, p.node);
    for (const NodeId id : nodes_behind(program_, p.node)) {
      p.dependents.push_back(node_label(program_, id));
      with_point.push_back(id);
    }
    p.outputs = outputs_among(program_, with_point);
  }

  /// An op that read data, at a point of the record or at one that the record does not name.
  void take_read(const SeenRead& read, size_t run) {
    if (read.node == kNone) return;
    bool known = false;
    for (DataPoint& p : sum_.points) {
      if (p.node != read.node) continue;
      known = true;
      p.reader = read.op;
      if (p.at.empty()) p.at = read.at;
      p.seen[run] += (p.seen[run].empty() ? "" : ", ") + read.value;
    }
    if (known) return;
    DataPoint& p = point(read.node);
    p.reader = read.op;
    if (p.at.empty()) p.at = read.at;
    p.seen[run] = read.value;
    for (const std::string& name : symbols_.of_results(read.node)) {  // another node brought the symbol in
      const auto& all = symbols_.symbols();
      const auto found = std::find_if(all.begin(), all.end(), [&](const RecordSymbol& s) { return s.name == name; });
      if (found == all.end()) continue;
      take_symbol(p, static_cast<size_t>(found - all.begin()));
      return;
    }
  }

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

  /// A point without a symbol is a number, or has sizes of which those that vary follow from data.
  void ranges_of_unnamed(const DataPoint& p) {
    std::vector<DimVec> sizes;
    for (const std::string& text : p.seen) {
      if (text.empty()) continue;
      try {
        sizes.push_back(parse_meta(text).sizes);
      } catch (const Error&) {
        return;  // a number, or several results
      }
    }
    for (size_t d = 0; !sizes.empty() && d < sizes[0].size(); ++d) {
      std::vector<std::optional<int64_t>> values;
      bool varies = false;
      for (const DimVec& s : sizes) {
        if (s.size() != sizes[0].size()) return;
        values.push_back(s[d].as_int());
        varies |= !sym_eq(s[d], sizes[0][d]);
      }
      if (varies) range(fmt::format("{}.size({})", p.name, d), values);
    }
  }

  /// Symbols that were equal in every run, where the runs differ.
  void equalities() {
    for (size_t i = 0; i < sum_.points.size(); ++i) {
      const DataPoint& p = sum_.points[i];
      if (p.symbol.empty()) continue;
      for (size_t j = 0; j < i; ++j) {
        const DataPoint& q = sum_.points[j];
        if (q.symbol.empty() || q.symbol == p.symbol || q.values != p.values) continue;
        const bool whole = std::all_of(p.values.begin(), p.values.end(), [](const auto& v) { return v.has_value(); });
        const bool varies =
            std::any_of(p.values.begin(), p.values.end(), [&](const auto& v) { return v != p.values[0]; });
        if (!whole || !varies) continue;
        add(p.symbol, fmt::format("{} was {} in {}", p.symbol, q.symbol,
                                  p.values.size() == 2 ? "both runs" : fmt::format("all {} runs", p.values.size())));
        break;
      }
    }
  }

  const Program& program_;
  const RecordSymbols& symbols_;
  PropagateSummary& sum_;
};

}  // namespace

PropagateSummary sum_up(const Program& program, const RecordSymbols& symbols, std::vector<PropagateRun> runs) {
  PropagateSummary sum;
  sum.runs = std::move(runs);
  sum.all_nodes = static_cast<int64_t>(program.main().nodes.size());
  Summing summing(program, symbols, sum);
  summing.points();
  summing.findings();
  summing.seen();
  return sum;
}

}  // namespace ersatz::tools
