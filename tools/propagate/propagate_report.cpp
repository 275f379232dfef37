#include "tools/propagate/propagate_report.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <set>

#include "runtime/base/count_text.h"

namespace ersatz::tools {

namespace {

constexpr Document::Kind kBelow = Document::Kind::Below;
constexpr size_t kNamesShown = 6;
constexpr size_t kValuesShown = 12;

std::string first_names(const std::vector<std::string>& names) {
  std::string list;
  for (size_t i = 0; i < std::min(names.size(), kNamesShown); ++i) list += (i ? ", " : "") + names[i];
  if (names.size() > kNamesShown) list += ", ...";
  return list;
}

Document finding_text(const SummedFinding& summed, size_t runs) {
  const PropagateFinding& f = summed.finding;
  const std::string where = f.node != kNone  ? fmt::format("node {} ({}): ", f.name, f.op)
                            : f.name.empty() ? ""
                                             : fmt::format("{} {}: ", f.op, f.name);
  Document out = fmt::format("{}: {}{}", name(f.field), where, f.message);
  if (!f.at.empty()) out.add(kBelow, "at " + f.at);
  if (summed.made_up) out.add(kBelow, "rests on values that were made up: --inputs gives the program's own");
  for (const std::string& line : f.more) out.add(kBelow, line);
  if (runs > 1)
    out.add(kBelow, fmt::format("in run{} {}", summed.runs.size() == 1 ? "" : "s", fmt::join(summed.runs, ", ")));
  return out;
}

/// What a run read at a point whose symbol has no integer for it: a number. The metadata of results only where no
/// symbol says which of their sizes counts.
std::string_view read_text(const DataPoint& p, size_t run) {
  const std::string& seen = p.seen[run];
  return p.symbol.empty() || seen.find('[') == seen.npos ? seen : std::string_view();
}

/// `11`, `11, 9, 14: 9 to 14`: what the runs saw, `-` where a run did not come so far.
std::string values_text(const DataPoint& p) {
  std::string list;
  std::set<int64_t> values;
  for (size_t r = 0; r < p.values.size(); ++r) {
    if (p.values[r]) values.insert(*p.values[r]);
    if (r > kValuesShown) continue;
    const std::string seen = p.values[r] ? std::to_string(*p.values[r]) : std::string(read_text(p, r));
    list += (r ? ", " : "") + (r == kValuesShown ? "..." : seen.empty() ? "-" : seen);
  }
  if (values.size() > 1) list += fmt::format(": {} to {}", *values.begin(), *values.rbegin());
  return list;
}

Document points_text(const PropagateSummary& s) {
  Document out = fmt::format("data-dependent points: {}\n", s.points.size());
  size_t symbol = 0, node = 0, op = 0, values = 0;
  for (const DataPoint& p : s.points) {
    symbol = std::max(symbol, p.symbol.size());
    node = std::max(node, p.name.size());
    op = std::max(op, p.op.size());
    values = std::max(values, values_text(p).size());
  }
  for (const DataPoint& p : s.points) {
    std::string line = fmt::format("{:<{}}{}{:<{}}  {:<{}}  saw {:<{}}", p.symbol, symbol, symbol ? "  " : "", p.name,
                                   node, p.op, op, values_text(p), values);
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
    std::string used = p.dependents.empty()
                           ? p.by_record ? "no size and no number follows from it" : "nothing depends on it"
                           : fmt::format("{} {}: {}", how, count_of(static_cast<int64_t>(p.dependents.size()), "node"),
                                         first_names(p.dependents));
    if (!p.outputs.empty()) used += "; outputs " + first_names(p.outputs);
    out.add(Document::Kind::Code, used);
  }
  return out;
}

Document seen_text(const PropagateSummary& s) {
  Document out;
  if (!s.seen.empty()) {
    out.add(fmt::format("seen in {} (no constraints: ersatz.torch.export finds the lines that an export needs):\n",
                        count_of(static_cast<int64_t>(s.runs.size()), "run")));
    // The symbols are no names of the model: lines before the others say what each is there.
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
    for (const SeenFact& f : s.seen) out.add_row("", f.text, kBelow);
  }
  if (!s.points.empty() && s.runs.size() == 1) {
    out.add("one set of inputs shows one value of each: --inputs, given again, adds another set\n");
  }
  return out;
}

/// A number as one, metadata as text; null where nothing was seen.
nlohmann::ordered_json seen_json(std::string_view seen) {
  int64_t n = 0;
  const char* const end = seen.data() + seen.size();
  if (const auto [to, error] = std::from_chars(seen.data(), end, n); error == std::errc() && to == end) return n;
  return seen.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(seen);
}

void add_to_json(const PropagateSummary& s, nlohmann::ordered_json& report) {
  using Json = nlohmann::ordered_json;
  report["nodes"] = s.all_nodes;
  Json& runs = report["runs"] = Json::array();
  for (const PropagateRun& r : s.runs) {
    runs.push_back({{"inputs", r.note},
                    {"nodes", r.nodes},
                    {"results", r.results},
                    {"without_value", r.values_lost},
                    {"error", r.stopped ? Json(r.stopped->message) : Json()}});
  }
  Json& points = report["points"] = Json::array();
  for (const DataPoint& p : s.points) {
    Json values = Json::array();
    for (size_t r = 0; r < s.runs.size(); ++r) {
      values.push_back(p.values[r] ? Json(*p.values[r]) : seen_json(read_text(p, r)));
    }
    points.push_back({{"node", p.name},
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
                      {"recorded", p.allowed.empty() ? Json() : Json(p.allowed)}});
  }
  Json& seen = report["seen"] = Json::array();
  for (const SeenFact& f : s.seen) {
    seen.push_back({{"symbol", f.symbol}, {"text", f.text}});
  }
  Json& findings = report["findings"] = Json::array();
  for (const SummedFinding& f : s.findings) {
    findings.push_back({{"node", f.finding.name},
                        {"op", f.finding.op},
                        {"field", name(f.finding.field)},
                        {"at", f.finding.at},
                        {"message", f.finding.message},
                        {"more", f.finding.more},
                        {"runs", f.runs},
                        {"made_up", f.made_up}});
  }
  report["remarks"] = s.remarks;
}

}  // namespace

Document propagate_report(const ProgramInput& program, const PropagateSummary& s, nlohmann::ordered_json envelope) {
  Document out;
  for (const SummedFinding& f : s.findings) out.add(finding_text(f, s.runs.size()));
  out.add(program.path);
  out.add(kBelow, fmt::format("{}{}{}", count_of(static_cast<int64_t>(s.all_nodes), "node"),
                              program.program.producer.empty() ? "" : ", ", program.program.producer));
  if (const int made_up = program.program.weights.made_up()) {
    out.add_term("weights", count_of(static_cast<int64_t>(made_up), "payload") + " made up");
  }
  for (size_t r = 0; r < s.runs.size(); ++r) {
    const PropagateRun& run = s.runs[r];
    std::string line = run.note;
    if (run.nodes < s.all_nodes) line += "; ended after " + count_of(static_cast<int64_t>(run.nodes), "node");
    if (run.values_lost) line += fmt::format("; {} of {} results have no value", run.values_lost, run.results);
    out.add_term(fmt::format("run {}", r + 1), line);
  }
  out.add(points_text(s));
  out.add(seen_text(s));
  for (const std::string& line : s.remarks) out.add(fmt::format("remark: {}\n", line));
  out.closing = fmt::format("propagate: {}, {}, {}", count_of(static_cast<int64_t>(s.runs.size()), "run"),
                            count_of(static_cast<int64_t>(s.points.size()), "data-dependent point"),
                            count_of(static_cast<int64_t>(s.findings.size()), "finding"));
  out.data = std::move(envelope);
  add_to_json(s, out.data);
  return out;
}

}  // namespace ersatz::tools
