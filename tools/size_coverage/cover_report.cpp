#include "tools/size_coverage/cover_report.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "runtime/base/count_text.h"

namespace ersatz::tools {

namespace {

using Json = nlohmann::ordered_json;

std::string joined(const std::vector<std::string>& when, std::string_view none) {
  return when.empty() ? std::string(none) : fmt::format("{}", fmt::join(when, ", "));
}

/// True if a size has no upper bound. Exporters write INT64_MAX - 1 for a size without an upper bound.
bool unbounded(int64_t max) { return max >= INT64_MAX - 1; }

std::string range_of(const SymbolInfo& s) {
  if (s.min == s.max) return fmt::format("{} = {}", s.name, s.min);
  if (s.min == INT64_MIN && unbounded(s.max)) return s.name;
  if (s.min == INT64_MIN) return fmt::format("{} <= {}", s.name, s.max);
  if (unbounded(s.max)) return fmt::format("{} >= {}", s.name, s.min);
  return fmt::format("{} in {}..{}", s.name, s.min, s.max);
}

/// Returns file and line of a stack line: `own_models.py:17`.
std::string short_line(const std::string& line, const ShortPaths& paths) {
  const std::string whole = paths(line);
  return whole.substr(0, whole.find(" in "));
}

/// Returns an error with its source line shortened as in the rest of the report. `with_node`: the text begins with the
/// node's name.
std::string error_text(const Error& e, const ShortPaths& paths, bool with_node) {
  if (!with_node || e.node.empty()) return e.without_node();
  const std::string line = e.source.empty() ? "" : fmt::format(" ({})", short_line(e.source, paths));
  return fmt::format("node {}{}: {}", e.node, line, e.without_node());
}

std::string place(const SymSite& site, const ShortPaths& paths) {
  std::string out = site.node;
  if (!site.op.empty()) out += fmt::format("{}{}", out.empty() ? "" : " ", out.empty() ? site.op : "(" + site.op + ")");
  const std::string line = short_line(site.line, paths);
  if (!line.empty()) out += (out.empty() ? "" : ", ") + line;
  return out.empty() ? "the inputs" : out;
}

void add_decisions(const std::vector<Guard>& list, std::string_view what, const ShortPaths& paths, Document& out) {
  for (const Guard& g : list) {
    std::string line = fmt::format("{} {}", what, g.text);
    if (g.count > 1) line += fmt::format(", {} times", g.count);
    line += fmt::format(": {}", place(g.site, paths));
    if (!g.message.empty()) line += fmt::format(" ({})", g.message);
    out.add(Document::Kind::Below, line);
  }
}

std::string differing(const CaseDifference& d) {
  if (d.results == 0) return "the answers of case 1";
  std::vector<std::string> fields;
  for (const auto& [field, n] : d.fields) fields.push_back(fmt::format("{} {}", n, field));
  return fmt::format("{} {} ({}), first {} ({}): {} where case 1 has {}", count_of(d.results, "result"),
                     d.results == 1 ? "differs" : "differ", fmt::join(fields, ", "), d.first, d.op, d.here, d.there);
}

Json decisions(const std::vector<Guard>& list) {
  Json out = Json::array();
  for (const Guard& g : list) {
    out.push_back(
        {{"condition", g.text}, {"op", g.site.op}, {"node", g.site.node}, {"source", g.site.line}, {"count", g.count}});
    if (!g.message.empty()) out.back()["message"] = g.message;
  }
  return out;
}

Json bound(int64_t v) { return unbounded(v) || v == INT64_MIN ? Json() : Json(v); }

/// Returns the declared symbols that no op of the run made.
std::vector<SymbolInfo> given_sizes(const SizeCover& cover) {
  std::vector<SymbolInfo> out;
  const std::vector<MadeSymbol>& made = cover.cases[0].made;
  for (const SymbolInfo& s : cover.declared.symbols) {
    if (std::none_of(made.begin(), made.end(), [&](const MadeSymbol& m) { return m.info.name == s.name; }))
      out.push_back(s);
  }
  return out;
}

/// Shortens all source lines that the report names.
ShortPaths short_paths_in(const SizeCover& cover) {
  std::vector<std::string> lines;
  for (const MadeSymbol& m : cover.cases[0].made) lines.push_back(m.site.line);
  for (const SizeCase& c : cover.cases) {
    for (const std::vector<Guard>* list : {&c.guards, &c.asserts, &c.assumptions}) {
      for (const Guard& g : *list) lines.push_back(g.site.line);
    }
  }
  return ShortPaths(lines);
}

/// Each of the next functions adds the lines of a section and the rows of its JSON keys.
void add_symbols(const SizeCover& cover, const ShortPaths& paths, Document& out) {
  Json& rows = out.data["symbols"];
  const std::vector<SymbolInfo> declared = given_sizes(cover);
  std::string sizes = declared.empty() ? "" : "sizes: ";
  for (const SymbolInfo& s : declared) {
    sizes += fmt::format("{}{}{}{}", &s == declared.data() ? "" : ", ", range_of(s),
                         s.hint ? fmt::format(" (example {})", *s.hint) : " (no example)",
                         &s == &declared.back() ? "\n" : "");
    rows.push_back(
        {{"name", s.name}, {"min", bound(s.min)}, {"max", bound(s.max)}, {"example", s.hint ? Json(*s.hint) : Json()}});
  }
  out.add(sizes);
  for (const MadeSymbol& m : cover.cases[0].made) {
    out.add(fmt::format("data decide {}: {}\n", range_of(m.info), place(m.site, paths)));
    rows.push_back({{"name", m.info.name},
                    {"min", bound(m.info.min)},
                    {"max", bound(m.info.max)},
                    {"example", Json()},
                    {"op", m.site.op},
                    {"node", m.site.node},
                    {"source", m.site.line}});
  }
  for (const std::string& c : cover.declared.conditions) {
    out.add(Document::Kind::Below, "declared " + readable(c));
    out.data["declared"].push_back(readable(c));
  }
}

Json case_row(const SizeCase& c) {
  Json row{{"when", c.when}, {"example", c.example}};
  row["error"] = c.summary.stopped ? Json(c.summary.stopped->message) : Json();
  row["guards"] = decisions(c.guards);
  row["differing"] = c.difference.results;
  if (c.difference.results) {
    row["fields"] = c.difference.fields;
    row["first"] = {{"name", c.difference.first},
                    {"op", c.difference.op},
                    {"meta", c.difference.here},
                    {"case_1", c.difference.there}};
  }
  return row;
}

/// Adds the first case, whose results the report has: its sizes, guards, asserts and assumptions.
void add_first_case(const SizeCover& cover, const ShortPaths& paths, Document& out) {
  const SizeCase& c = cover.cases[0];
  const bool alone = cover.cases.size() == 1 && cover.uncovered.empty();
  out.add(
      fmt::format("case 1: {}: the answers above\n", joined(c.when, alone ? "all of these sizes" : "all other sizes")));
  out.data["cases"].push_back(case_row(c));
  add_decisions(c.guards, "guard", paths, out);
  add_decisions(c.asserts, "assert", paths, out);
  add_decisions(c.assumptions, "assumed", paths, out);
  out.data["guards"] = decisions(c.guards);
  out.data["asserts"] = decisions(c.asserts);
  out.data["assumptions"] = decisions(c.assumptions);
}

void add_other_cases(const SizeCover& cover, const ShortPaths& paths, Document& out) {
  for (size_t i = 1; i < cover.cases.size(); ++i) {
    const SizeCase& c = cover.cases[i];
    const std::string head = fmt::format("case {}: {}", i + 1, joined(c.when, "all other sizes"));
    out.add(c.summary.stopped ? fmt::format("{}: refused: {}\n", head, error_text(*c.summary.stopped, paths, true))
                              : fmt::format("{}: {}\n", head, differing(c.difference)));
    out.data["cases"].push_back(case_row(c));
  }
}

void add_uncovered(const SizeCover& cover, Document& out) {
  constexpr size_t kShown = 5;
  for (size_t i = 0; i < cover.uncovered.size(); ++i) {
    const UncoveredSizes& u = cover.uncovered[i];
    out.data["uncovered"].push_back({{"when", u.when}, {"why", u.why}});
    if (i < kShown) out.add(fmt::format("not covered: {}: {}\n", joined(u.when, "all other sizes"), u.why));
  }
  if (cover.uncovered.size() > kShown) {
    out.add(fmt::format("not covered: {} more regions; --json lists all\n", cover.uncovered.size() - kShown));
  }
}

void add_pinned(const SizeCover& cover, const ShortPaths& paths, Document& out) {
  for (const PinnedSymbol& p : cover.pinned) {
    out.add(fmt::format("{} became {}: {} asks {}{}\n", p.name, p.became, place(p.site, paths), p.asked,
                        p.error ? "; elsewhere: " + error_text(*p.error, paths, false) : ""));
    out.data["pinned"].push_back({{"symbol", p.name},
                                  {"became", p.became},
                                  {"condition", p.asked},
                                  {"op", p.site.op},
                                  {"node", p.site.node},
                                  {"source", p.site.line},
                                  {"error", p.error ? Json(p.error->message) : Json()}});
  }
}

}  // namespace

Document cover_report(const SizeCover& cover) {
  Document out;
  if (cover.declared.symbols.empty() && cover.cases[0].made.empty()) return out;
  for (const char* key : {"symbols", "declared", "guards", "asserts", "assumptions", "cases", "uncovered", "pinned"}) {
    out.data[key] = Json::array();
  }
  const ShortPaths paths = short_paths_in(cover);
  add_symbols(cover, paths, out);
  add_first_case(cover, paths, out);
  add_other_cases(cover, paths, out);
  add_uncovered(cover, out);
  add_pinned(cover, paths, out);
  return out;
}

}  // namespace ersatz::tools
