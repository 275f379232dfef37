#include "tools/report/crosscheck_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "fake/crosscheck/not_clean.h"
#include "runtime/base/count_text.h"
#include "tools/output/finding_groups.h"
#include "tools/output/finding_json.h"
#include "tools/output/finding_text.h"
#include "tools/output/output_budget.h"
#include "tools/output/own_calls_json.h"
#include "tools/output/short_paths.h"
#include "tools/output/torch_snippet.h"
#include "tools/program/missing_ops.h"
#include "tracer/text/text_form.h"

namespace ersatz::tools {

namespace {

constexpr Witness kJudges[] = {Witness::Eager, Witness::Kernel, Witness::Record, Witness::Device};
constexpr size_t kWrongRecordsShown = 20;

/// Returns the number, or the text "inf", because JSON has no infinity.
nlohmann::ordered_json finite(double v) {
  return std::isfinite(v) ? nlohmann::ordered_json(v) : nlohmann::ordered_json("inf");
}

/// Returns the program without source lines, because the report prints them above it. A recorded call is returned
/// unchanged.
std::string without_source_lines(const std::string& repro) {
  if (repro.starts_with('{')) return repro;
  return print_program(parse_program_text(repro, "repro"), {.sources = false});
}

/// Lists the counts that are not 0: `eager 52, record 3`.
std::string listed_counts(std::span<const CountOf> counts) {
  std::string listed;
  for (const auto& [what, n] : counts) {
    if (n != 0) listed += fmt::format("{}{} {}", listed.empty() ? "" : ", ", what, n);
  }
  return listed;
}

ShortPaths short_paths_of(std::span<const Finding> findings) {
  std::vector<std::string> sources;
  for (const Finding& f : findings) sources.push_back(f.source);
  return ShortPaths(sources);
}

/// Returns all lines of a finding. `more`: lines to put before its repro.
Document text_of(Finding f, const char* head, const ShortPaths& short_paths, OutputBudget& budget, Document more = {}) {
  f.source = short_paths(f.source);
  Document out;
  out.add(Mark::Finding, head, finding_lines(head_of(f), sides_of(f)));
  if (!f.source.empty()) out.add_term("at", f.source);
  if (!f.words.empty()) out.add(Document::Kind::Below, f.words);
  if (f.verdict != "significant" && f.verdict != f.words) out.add_term("verdict", f.verdict);
  if (!f.cause.empty()) out.add_term("cause", f.cause);
  out.add(std::move(more));
  for (size_t i = 0; i < f.args.size(); ++i) out.add_term(fmt::format("arg {}", i), f.args[i]);
  if (f.repro.empty()) return budget.fit(std::move(out));
  Document repro;
  repro.add(Document::Kind::Below, "repro, for ersatz crosscheck:");
  repro.add_code(without_source_lines(f.repro));
  if (budget.fits_repro(out.size(), repro.size())) {
    out.add(std::move(repro));
  } else {
    out.add(Document::Kind::Below, fmt::format("a repro of {} bytes: --repros FOLDER writes it", f.repro.size()));
  }
  if (const std::string python = torch_snippet(f.repro, f); !python.empty()) {
    Document lines;
    lines.add(Document::Kind::Below, "the same in PyTorch:");
    lines.add_code(python);
    if (budget.fits_repro(out.size(), lines.size())) {
      out.add(std::move(lines));
    } else {
      out.add_term("in PyTorch", "--repros FOLDER writes it");
    }
  }
  return budget.fit(std::move(out));
}

Document inherited_text(std::span<const DownstreamDifference> inherited, const FindingGroup& group) {
  constexpr size_t kShown = 6;
  std::string names;
  size_t count = 0;
  for (const DownstreamDifference& i : inherited) {
    if (std::find(group.findings.begin(), group.findings.end(), i.from) == group.findings.end()) continue;
    if (++count <= kShown) {
      names += fmt::format("{}{}{}", names.empty() ? "" : ", ", i.node, i.finding >= 0 ? " (values)" : "");
    }
  }
  Document out;
  if (count == 0) return out;
  out.add_term(fmt::format("inherited by {}", count_of(static_cast<int64_t>(count), "later result")),
               names + (count > kShown ? fmt::format(" and {} more", count - kShown) : ""));
  return out;
}

/// Returns the lines of findings, grouped by cause: the first finding in full, then the count and the nodes of the
/// others.
Document findings_text(const std::vector<Finding>& findings, std::span<const DownstreamDifference> inherited,
                       const char* head, OutputBudget& budget) {
  Document out;
  const ShortPaths short_paths = short_paths_of(findings);
  for (const FindingGroup& g : group_findings(findings, inherited_findings(findings.size(), inherited))) {
    Document more;
    if (g.findings.size() > 1) {
      more.add(Document::Kind::Below,
               fmt::format("{} findings of this cause, at: {}", g.findings.size(), nodes_of(findings, g)));
    }
    more.add(inherited_text(inherited, g));
    out.add(text_of(findings[g.findings.front()], head, short_paths, budget, std::move(more)));
  }
  return out;
}

}  // namespace

std::vector<bool> inherited_findings(size_t findings, std::span<const DownstreamDifference> inherited) {
  std::vector<bool> found(findings, false);
  for (const DownstreamDifference& i : inherited) {
    if (i.finding >= 0 && static_cast<size_t>(i.finding) < findings) found[static_cast<size_t>(i.finding)] = true;
  }
  return found;
}

Document first_divergence(const Report& report, std::span<const DownstreamDifference> inherited) {
  using Json = nlohmann::ordered_json;
  const auto groups = group_findings(report.findings, inherited_findings(report.findings.size(), inherited));
  Document out;
  out.data["first"] = nullptr;
  if (!report.findings.empty()) {
    const Finding& f = report.findings.front();
    const auto n = static_cast<int64_t>(report.findings.size());
    const std::string where = f.node.empty() ? "" : fmt::format(" at {}", f.node);
    std::string rest = count_of(n, "finding");
    if (n > 1) rest += " of " + count_of(static_cast<int64_t>(groups.size()), "cause");
    if (!inherited.empty())
      rest += ", inherited by " + count_of(static_cast<int64_t>(inherited.size()), "later result");
    out.add(fmt::format("first divergence: {} {}{}; {}\n", f.op, name(f.field), where, rest));
    out.data["first"] = {{"finding", 0}, {"node", f.node}, {"op", f.op}, {"field", name(f.field)}, {"cause", f.cause}};
  }
  Json& rows = out.data["groups"] = Json::array();
  for (const FindingGroup& g : groups) {
    const Finding& f = report.findings[g.findings.front()];
    Json nodes = Json::array();
    for (size_t i : g.findings) nodes.push_back(report.findings[i].node);
    rows.push_back({{"op", f.op},
                    {"field", name(f.field)},
                    {"count", g.findings.size()},
                    {"findings", g.findings},
                    {"nodes", std::move(nodes)}});
  }
  Json& list = out.data["inherited"] = Json::array();
  for (const DownstreamDifference& i : inherited) {
    list.push_back({{"from", i.from}, {"node", i.node}, {"op", i.op}});
    if (i.finding >= 0) list.back()["finding"] = i.finding;
  }
  return out;
}

Document program_report(const CrosscheckSummary& s, OutputBudget& budget) {
  const Report& report = s.report;
  Document out = fmt::format("{}\n", s.program);
  out.data = {{"program", s.program},           {"notes", s.notes},
              {"missing", s.missing},           {"refused", s.refused},
              {"compared", report.compared},    {"with_fact", s.with_fact},
              {"mismatched", report.mismatched}};
  for (const std::string& note : s.notes) out.add(Document::Kind::Below, note);
  for (const auto& [op, n] : s.missing) out.add(Mark::Warning, "missing:", missing_words(op, count_of(n, "node")));
  for (const std::string& line : s.refusals) out.add(Mark::Warning, "refused:", line);
  out.add(findings_text(report.findings, s.inherited, "finding:", budget));
  if (report.records_of_cpu > 0) {
    out.add(
        fmt::format("recorded on a cpu, where this device has another layout: {} (for the cpu the rules give what was "
                    "recorded)\n",
                    count_of(report.records_of_cpu, "result")));
  }
  if (report.follow_ups > 0) {
    out.add(fmt::format(
        "results that agree with the predictions alone, and not with what a finding above recorded: {} (the record may "
        "be wrong there, not the rule)\n",
        report.follow_ups));
  }
  size_t shown = 0;
  for (const WrongRecord& w : report.record_wrong) {
    if (++shown > kWrongRecordsShown) {
      out.add(Mark::Warning, "record wrong:", fmt::format("{} more", report.record_wrong.size() - kWrongRecordsShown));
      break;
    }
    out.add(Mark::Warning, "record wrong:",
            fmt::format("{} ({}) result {}: {}: the exporter wrote {}, a real run gave {}", w.node, w.op, w.result,
                        name(w.field), w.recorded, w.eager));
  }
  for (const AmbiguousLayout& l : report.ambiguous) {
    out.add(Mark::Warning, "ambiguous layout:",
            fmt::format("{} ({}) result {}: predicted {}, observed {}: {}", l.node, l.op, l.result, l.predicted,
                        l.observed, l.why));
  }
  if (report.ambiguous_layouts > static_cast<int64_t>(report.ambiguous.size())) {
    out.add(Mark::Warning, "ambiguous layout:",
            fmt::format("{} more", report.ambiguous_layouts - static_cast<int64_t>(report.ambiguous.size())));
  }
  for (const OpCoverage& op : report.coverage.ops()) {
    for (const Unchecked& u : op.unchecked) {
      if (u.reason == NotChecked::UnknownLayout)
        out.add(Mark::Warning, "unknown layout:",
                fmt::format("{}, {} times: only the GPU and its libraries can tell (--backend names them); a kernel's "
                            "answer stands",
                            op.op, u.times));
    }
  }
  std::vector<CountOf> judges;
  for (Witness w : kJudges) {
    judges.emplace_back(name(w), report.judged_by(w));
  }
  if (const std::string listed = listed_counts(judges); !listed.empty())
    out.add(Document::Kind::Below, "judged by " + listed);
  for (const ReferenceError& r : report.reference) {
    out.add_term("f64 reference", fmt::format("{}: {} results, in tolerances: device {:.3g}, cpu {:.3g}", r.op,
                                              r.results, r.device, r.cpu));
  }
  std::vector<CountOf> values = {{"compared", report.values_compared}};
  for (int i = 0; i < kSkipReasonCount; ++i) {
    values.emplace_back(name(static_cast<SkipReason>(i)), report.values_skipped[static_cast<size_t>(i)]);
  }
  add_counts("values", values, out);
  add_cosmetic(report, out);
  return out;
}

void add_counts(std::string_view name, std::span<const CountOf> counts, Document& to) {
  if (const std::string listed = listed_counts(counts); !listed.empty()) to.add_term(name, listed);
}

void add_cosmetic(const Report& report, Document& to) {
  const CountOf counts[] = {{"only strides of size-1 dims differ", report.size_one_only},
                            {"only strides of empty tensors differ", report.empty_tensor},
                            {"records wrong", static_cast<int64_t>(report.record_wrong.size())},
                            {"waived", report.waived}};
  add_counts("besides", counts, to);
}

Document parts_report(const Report& parts, OutputBudget& budget) {
  Document out;
  add_tally(parts, out);
  out.closing.clear();  // the whole report has one closing line
  out.add(findings_text(parts.findings, {}, "in a part: finding:", budget));
  out.add(fmt::format("parts of composites: {} calls, {} findings, {} results that nobody else judged\n", parts.nodes,
                      parts.findings.size(), parts.skipped[static_cast<size_t>(SkipReason::Unwitnessed)]));
  return out;
}

nlohmann::ordered_json coverage_json(const Coverage& coverage) {
  auto rows = nlohmann::ordered_json::array();
  for (const OpCoverage& op : coverage.ops()) {
    nlohmann::ordered_json row = {{"op", op.op}};
    auto& sources = row["sources"] = nlohmann::ordered_json::object();
    for (int s = 0; s < kSourceCount; ++s) {
      if (int64_t n = op.sources[static_cast<size_t>(s)]) sources[std::string(name(static_cast<Source>(s)))] = n;
    }
    auto& unchecked = row["not_checked"] = nlohmann::ordered_json::object();
    for (const Unchecked& u : op.unchecked)
      unchecked[std::string(name(u.check))][std::string(name(u.reason))] = u.times;
    rows.push_back(std::move(row));
  }
  return rows;
}

nlohmann::ordered_json sources_json(const Coverage& coverage) {
  auto sources = nlohmann::ordered_json::object();
  const OpCoverage total = coverage.total();
  for (int s = 0; s < kSourceCount; ++s) {
    sources[std::string(name(static_cast<Source>(s)))] = total.sources[static_cast<size_t>(s)];
  }
  return sources;
}

void add_tally(const Report& report, Document& document) { add_tally(report, report.unjudged(), document); }

void add_tally(const Report& report, const std::string& why, Document& document) {
  using Json = nlohmann::ordered_json;
  Json& to = document.data;
  document.closing = with_reason(counts_line(report), report.findings.empty() ? why : "");
  auto reasons = [](const auto& counts) {
    Json o = Json::object();
    for (int i = 0; i < kSkipReasonCount; ++i)
      o[std::string(name(static_cast<SkipReason>(i)))] = counts[static_cast<size_t>(i)];
    return o;
  };
  if (report.findings.empty()) mark_not_clean(to, why);
  to["nodes"] = report.nodes;
  to["results"] = report.results;
  to["compared"] = report.compared;
  to["mismatched"] = report.mismatched;
  to["cosmetic"] = report.cosmetic;
  to["verdicts"] = {{"significant", report.mismatched},
                    {"size-1 only", report.size_one_only},
                    {"empty tensor", report.empty_tensor},
                    {"memory_format", report.memory_formats}};
  Json& ambiguous = to["ambiguous_layouts"] = Json::array();
  for (const AmbiguousLayout& l : report.ambiguous) {
    ambiguous.push_back({{"node", l.node},
                         {"op", l.op},
                         {"result", l.result},
                         {"predicted", l.predicted},
                         {"observed", l.observed},
                         {"why", l.why}});
  }
  Json& wrong = to["record_wrong"] = Json::array();
  for (const WrongRecord& w : report.record_wrong) {
    wrong.push_back({{"node", w.node},
                     {"op", w.op},
                     {"result", w.result},
                     {"field", name(w.field)},
                     {"recorded", w.recorded},
                     {"eager", w.eager}});
  }
  to["records_of_cpu"] = report.records_of_cpu;
  to["follow_ups"] = report.follow_ups;
  to["skipped"] = reasons(report.skipped);
  to["values_compared"] = report.values_compared;
  to["values_skipped"] = reasons(report.values_skipped);
  to["value_failures"] = report.value_failures;
  to["waived"] = report.waived;
  to["own"] = own_json(report.own);
  Json& waivers = to["waivers"] = Json::array();
  for (const Waiver& w : report.waivers) {
    waivers.push_back({{"op", w.op},
                       {"field", w.field},
                       {"reason", w.reason},
                       {"until", until_text(w)},
                       {"used", w.used},
                       {"known", w.known},
                       {"state", state(w)}});
  }
  to["sources"] = sources_json(report.coverage);
  to["coverage"] = coverage_json(report.coverage);
  Json& witnesses = to["witnesses"] = Json::object();
  for (Witness w : kJudges) witnesses[std::string(name(w))] = report.judged_by(w);
  if (!report.reference.empty()) {
    Json& reference = to["reference"] = Json::array();
    for (const ReferenceError& r : report.reference) {
      reference.push_back({{"op", r.op}, {"results", r.results}, {"device", finite(r.device)}, {"cpu", finite(r.cpu)}});
    }
  }
  to["findings"] = to_json(report.findings);
}

}  // namespace ersatz::tools
