#include "tools/propagate/propagate_report.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "runtime/base/count_text.h"

namespace ersatz::tools {

namespace {

constexpr Document::Kind kBelow = Document::Kind::Below;
constexpr size_t kNamesShown = 6;

using Json = nlohmann::ordered_json;

std::string first_names(const std::vector<std::string>& names) {
  std::string list;
  for (size_t i = 0; i < std::min(names.size(), kNamesShown); ++i) list += (i ? ", " : "") + names[i];
  if (names.size() > kNamesShown) list += ", ...";
  return list;
}

/// Returns JSON for the values in one run: integers as numbers, other values as text; a list if there are several.
Json seen_json(std::span<const SeenValue> seen) {
  Json all = Json::array();
  for (const SeenValue& v : seen) all.push_back(v.integer ? Json(*v.integer) : Json(v.text));
  return all.empty() ? Json() : all.size() == 1 ? all[0] : all;
}

/// Each of the functions add_... below adds the lines of a section and the rows of its JSON key.
void add_findings(const PropagateSummary& s, Document& out) {
  Json& rows = out.data["findings"];
  for (const SummedFinding& f : s.findings) {
    out.add(finding_text(f, s.runs.size()));
    std::vector<std::string> more = f.finding.more;
    for (const std::string& tensor : f.finding.takes) more.push_back("takes " + tensor);
    rows.push_back({{"node", f.finding.name},
                    {"op", f.finding.op},
                    {"field", name(f.finding.field)},
                    {"at", f.finding.at},
                    {"message", f.finding.message},
                    {"more", more},
                    {"runs", f.runs},
                    {"made_up", f.synthetic}});
  }
}

void add_runs(const PropagateSummary& s, Document& out) {
  for (size_t i = 0; i < s.runs.size(); ++i) {
    const PropagateRun& r = s.runs[i];
    std::string line = r.note;
    if (s.is_live() && r.stopped) line += "; ended by an error";
    if (s.all_nodes && r.nodes < *s.all_nodes) line += "; ended after " + count_of(r.nodes, "node");
    if (r.values_lost) line += fmt::format("; {} of {} results have no value", r.values_lost, r.results);
    out.add_term(fmt::format("run {}", i + 1), line);
    out.data["runs"].push_back({{"inputs", r.note},
                                {"nodes", r.nodes},
                                {"results", r.results},
                                {"without_value", r.values_lost},
                                {"error", r.stopped ? Json(r.stopped->message) : Json()}});
  }
}

Json point_json(const DataPoint& p) {
  Json values = Json::array();
  for (size_t r = 0; r < p.values.size(); ++r)
    values.push_back(p.values[r] ? Json(*p.values[r]) : seen_json(read_at(p, r)));
  Json row = {{"node", p.name},
              {"op", p.op},
              {"symbol", p.symbol.empty() ? Json() : Json(p.symbol)},
              {"expression", p.expression.empty() ? Json() : Json(p.expression)},
              {"at", p.at},
              {"values", values},
              {"dependents", p.dependents},
              {"dependents_by", p.by_record ? "record" : "flow"},
              {"outputs", p.outputs},
              {"frozen", p.frozen},
              {"reader", p.reader},
              {"recorded", p.allowed.empty() ? Json() : Json(p.allowed)}};
  if (p.dim) row["dim"] = *p.dim;
  return row;
}

void add_points(const PropagateSummary& s, Document& out) {
  out.add(fmt::format("data-dependent points: {}\n", s.points.size()));
  size_t symbol = 0, node = 0, op = 0, values = 0;
  for (const DataPoint& p : s.points) {
    symbol = std::max(symbol, p.symbol.size());
    node = std::max(node, p.name.size());
    op = std::max(op, p.op.size());
    values = std::max(values, values_text(p).size());
  }
  for (const DataPoint& p : s.points) {
    out.data["points"].push_back(point_json(p));
    std::string line = fmt::format("{:<{}}{}{:<{}}{}{:<{}}  saw {:<{}}", p.symbol, symbol, symbol ? "  " : "", p.name,
                                   node, node ? "  " : "", p.op, op, values_text(p), values);
    if (!p.allowed.empty()) line += fmt::format("  recorded {}", p.allowed);
    if (p.at.empty()) line.erase(line.find_last_not_of(' ') + 1);
    out.add_row(line, p.at, kBelow);
    if (!p.reader.empty() && p.reader != p.op) out.add(Document::Kind::Code, "read by " + p.reader);
    if (p.frozen) {
      out.add(Document::Kind::Code,
              "decided by the export: no node has the symbol, and what was computed from it is a constant");
      continue;
    }
    const std::string how = p.by_record ? "decides sizes or numbers of" : "feeds";
    const std::string none = p.by_record ? "no size and no number follows from it"
                             : p.is_live() && !p.dim
                                 ? "no call takes this number itself: what Python computes with it was not followed"
                                 : "nothing depends on it";
    std::string used =
        p.dependents.empty()
            ? none
            : fmt::format("{} {}: {}", how,
                          count_of(static_cast<int64_t>(p.dependents.size()), p.is_live() ? "call" : "node"),
                          first_names(p.dependents));
    if (!p.outputs.empty()) used += "; outputs " + first_names(p.outputs);
    out.add(Document::Kind::Code, used);
    if (p.is_live())
      out.add(Document::Kind::Code,
              p.expression.empty() ? "without a name: its statement computes on from it" : "called " + p.expression);
  }
}

void add_seen(const PropagateSummary& s, Document& out) {
  if (!s.seen.empty()) {
    out.add(fmt::format("seen in {} (no constraints: ersatz.torch.export finds the lines that an export needs):\n",
                        count_of(static_cast<int64_t>(s.runs.size()), "run")));
    // The model's code has no names for the symbols. So lines at the top give an expression for each symbol.
    size_t width = 0;
    std::vector<std::pair<std::string, std::string_view>> given;
    for (const DataPoint& p : s.points) {
      const bool used =
          std::any_of(s.seen.begin(), s.seen.end(), [&](const SeenFact& f) { return f.symbol == p.symbol; });
      if (!used || p.expression.empty()) continue;
      given.emplace_back(fmt::format("{} = {}", p.symbol, p.expression), p.at);
      width = std::max(width, given.back().first.size());
    }
    for (const auto& [line, at] : given) {
      out.add_row(fmt::format("{:<{}}", line, at.empty() ? 0 : width), at, kBelow);
    }
    for (const SeenFact& f : s.seen) {
      out.add_row("", f.text, kBelow);
      out.data["seen"].push_back({{"symbol", f.symbol}, {"text", f.text}});
    }
  }
  if (!s.points.empty() && s.runs.size() == 1) {
    out.add(s.is_live() ? "one set of inputs shows one value of each: further inputs add another set\n"
                        : "one set of inputs shows one value of each: --inputs, given again, adds another set\n");
  }
}

}  // namespace

Document finding_text(const SummedFinding& summed, size_t runs) {
  const PropagateFinding& f = summed.finding;
  const std::string where = f.node != kNone   ? fmt::format("node {} ({}): ", f.name, f.op)
                            : !f.name.empty() ? fmt::format("{} {}: ", f.op, f.name)
                            : !f.op.empty()   ? f.op + ": "  // a live model's point has no name
                                              : "";
  Document out = fmt::format("{}: {}{}", name(f.field), where, f.message);
  if (!f.at.empty()) out.add(kBelow, "at " + f.at);
  if (summed.synthetic) out.add(kBelow, "rests on values that were made up: --inputs gives the program's own");
  for (const std::string& line : f.more) out.add(kBelow, line);
  for (const std::string& tensor : f.takes) out.add(kBelow, "takes " + tensor);
  if (runs > 1)
    out.add(kBelow, fmt::format("in run{} {}", summed.runs.size() == 1 ? "" : "s", fmt::join(summed.runs, ", ")));
  return out;
}

Document head_of(const ProgramInput& program) {
  Document out(program.path);
  out.add(kBelow, fmt::format("{}{}{}", count_of(static_cast<int64_t>(program.program.main().nodes.size()), "node"),
                              program.program.producer.empty() ? "" : ", ", program.program.producer));
  if (const int synthetic = program.program.weights.synthetic()) {
    out.add_term("weights", count_of(static_cast<int64_t>(synthetic), "payload") + " made up");
  }
  return out;
}

Document propagate_report(Document head, const PropagateSummary& s, Json envelope) {
  Document out;
  out.data = std::move(envelope);
  out.data["nodes"] = s.all_nodes ? Json(*s.all_nodes) : Json();
  for (const char* key : {"runs", "points", "seen", "findings"}) out.data[key] = Json::array();
  add_findings(s, out);
  out.add(std::move(head));
  add_runs(s, out);
  add_points(s, out);
  add_seen(s, out);
  for (const std::string& line : s.remarks) out.add(fmt::format("remark: {}\n", line));
  out.data["remarks"] = s.remarks;
  out.closing = fmt::format("propagate: {}, {}, {}", count_of(static_cast<int64_t>(s.runs.size()), "run"),
                            count_of(static_cast<int64_t>(s.points.size()), "data-dependent point"),
                            count_of(static_cast<int64_t>(s.findings.size()), "finding"));
  return out;
}

}  // namespace ersatz::tools
