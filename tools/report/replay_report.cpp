#include "tools/report/replay_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "runtime/base/count_text.h"
#include "tools/output/finding_json.h"
#include "tools/output/finding_text.h"
#include "tools/output/short_paths.h"
#include "tools/output/table.h"
#include "tools/program/missing_ops.h"
#include "tools/report/crosscheck_report.h"

namespace ersatz::tools {

namespace {

constexpr size_t kMissingShown = 40;

/// Returns the lines of a finding. `kind` is the kind of its first line.
Document spell(Finding f, const ShortPaths& short_paths, Document::Kind kind) {
  f.source = short_paths(f.source);
  Document out = finding_lines(head_of(f), sides_of(f), kind);
  const auto add = [&](const std::string& name, const std::string& says) {
    if (kind == Document::Kind::Top) return out.add_term(name, says);
    out.add(Document::Kind::Code, fmt::format("{}: {}", name, says));
  };
  if (!f.source.empty()) add("at", f.source);
  for (size_t i = 0; i < f.args.size(); ++i) add(fmt::format("arg {}", i), f.args[i]);
  return out;
}

/// Adds the lines of a cause, and a row to the key `causes`.
void add_cause(const CallCause& cause, const ShortPaths& short_paths, OutputBudget& budget, Document& to) {
  std::string ids;
  for (const std::string& id : cause.ids) ids += (ids.empty() ? "" : " ") + id;
  const auto more = cause.count - static_cast<int64_t>(cause.ids.size());
  Document out;
  out.add(Mark::Finding, cause.finding.op,
          fmt::format("{}: {} ({})", name(cause.finding.field), cause.text, count_of(cause.count, "finding")));
  out.add_term("records", ids + (more > 0 ? " ..." : ""));
  out.add(spell(cause.finding, short_paths, Document::Kind::Below));
  to.add(budget.fit(std::move(out), cause.count));
  to.data["causes"].push_back(
      {{"op", cause.finding.op},
       {"field", name(cause.finding.field)},
       {"cause", cause.text},
       {"count", cause.count},
       {"ids", cause.ids},
       {"file", cause.file},
       {"line", cause.line},
       {"record", cause.record.empty() ? "" : fmt::format("{:016x}", record_checksum(cause.record))}});
}

/// Adds lines for the overloads that ersatz lacks, and the key `ops`. Returns the number of these overloads.
size_t add_ops(const CallsSummary& s, Document& out) {
  nlohmann::ordered_json& rows = out.data["ops"];
  size_t missing = 0;
  for (const auto& [op, c] : s.ops) {
    rows.push_back({{"op", op},
                    {"records", c.records},
                    {"passed", c.passed},
                    {"failed", c.failed},
                    {"waived", c.waived},
                    {"missing", c.missing},
                    {"skipped", c.skipped},
                    {"with_values", c.with_values}});
    if (c.missing > 0 && ++missing <= kMissingShown)
      out.add(Mark::Warning, "missing:", missing_words(op, count_of(c.missing, "record")));
  }
  if (missing > kMissingShown)
    out.add(Mark::Warning, "missing:", fmt::format("{} more operators", missing - kMissingShown));
  return missing;
}

/// Returns the counts as JSON. The lists in it are empty; the functions that add the lines fill them.
nlohmann::ordered_json counts_of(const CallsSummary& s) {
  using Json = nlohmann::ordered_json;
  const RecordCounts& r = s.records;
  Json to;
  to["records"] = {{"records", r.records},         {"passed", r.passed},         {"failed", r.failed},
                   {"waived", r.waived},           {"missing", r.missing},       {"skipped", r.skipped},
                   {"with_values", r.with_values}, {"extensions", r.extensions}, {"unusable", s.unusable}};
  to["made_up"] = {{"calls", s.synthetic}, {"seed", s.seed}};
  to["prediction_refused"] = s.prediction_refused;
  to["prediction_accepts"] = s.prediction_accepts.total();
  to["prediction_accepts_ops"] = to_json(s.prediction_accepts);
  to["prediction_contradicted"] = s.prediction_contradicted;
  to["recorder_fakes"] = {
      {"records", s.fakes.records},         {"theirs_differ", s.fakes.theirs_differ},
      {"ours_differ", s.fakes.ours_differ}, {"ours_differ_marked", s.fakes.ours_differ_marked},
      {"undecided", s.fakes.undecided},     {"undecided_theirs_differ", s.fakes.undecided_theirs_differ},
      {"refused", s.fakes.refused},         {"refused_ours_differ", s.fakes.refused_ours_differ}};
  for (const char* key : {"wrong_fakes", "ops", "causes"}) to[key] = Json::array();
  return to;
}

}  // namespace

Document calls_report(const CallsSummary& s, OutputBudget& budget) {
  Document out;
  out.data = counts_of(s);
  std::vector<std::string> sources;
  for (const CallCause& cause : s.causes) sources.push_back(cause.finding.source);
  for (const Finding& f : s.findings) sources.push_back(f.source);
  const ShortPaths short_paths(sources);
  for (const CallCause& cause : s.causes) add_cause(cause, short_paths, budget, out);
  if (s.more_causes > 0) out.add(fmt::format("{} findings of more causes\n", s.more_causes));
  for (const Finding& f : s.findings) {
    Document finding;
    finding.add(Mark::Finding, "finding:", spell(f, short_paths, Document::Kind::Top));
    out.add(budget.fit(std::move(finding)));
  }
  const size_t missing_ops = add_ops(s, out);
  for (const auto& [why, n] : s.unusable)
    out.add(Mark::Warning, "skipped:", fmt::format("{}: {}", count_of(n, "record"), why));
  out.add_part(wrong_fakes_report(s.wrong_fakes, budget.whole()));
  const RecordCounts& r = s.records;
  out.add(Document::Kind::Below,
          fmt::format(
              "{} of {}: {} passed ({} with values compared, {} extensions), {} failed, {} waived, {} missing ({}), {} "
              "skipped",
              count_of(r.records, "record"), count_of(static_cast<int64_t>(s.ops.size()), "overload"), r.passed,
              r.with_values, r.extensions, r.failed, r.waived, r.missing,
              count_of(static_cast<int64_t>(missing_ops), "overload"), r.skipped));
  const CountOf values[] = {{"compared", s.report.values_compared}};
  add_counts("values", values, out);
  add_cosmetic(s.report, out);
  if (s.synthetic > 0)
    out.add(Document::Kind::Below, fmt::format("inputs of {} calls made up (seed {})", s.synthetic, s.seed));
  const int64_t accepted = s.prediction_accepts.total();
  if (s.prediction_refused + accepted + s.prediction_contradicted > 0) {
    out.add(Document::Kind::Below,
            fmt::format("prediction_refused {}, prediction_accepts {}, prediction_contradicted {}",
                        s.prediction_refused, accepted, s.prediction_contradicted));
  }
  if (accepted > 0) {
    out.add(Document::Kind::Below,
            fmt::format("of those that the prediction accepts and ersatz refuses, the recorder's real run answers {}",
                        s.prediction_accepts.answered_by_run()));
  }
  const FakeComparison& f = s.fakes;
  if (f.records > 0) {
    out.add_term("predictions",
                 fmt::format("of {} records that both predict, the recorder's own fakes differ from its real run on {} "
                             "({:.2f} %), ersatz on {} ({:.2f} %), {} of those the same",
                             f.records, f.theirs_differ, percent(f.theirs_differ, f.records), f.ours_differ,
                             percent(f.ours_differ, f.records), f.ours_differ_marked));
    out.add_term("not judged so",
                 fmt::format("{} that ersatz does not predict without data (the recorder's fakes differ on {}); {} "
                             "that the recorder's fakes refuse (ersatz differs on {})",
                             f.undecided, f.undecided_theirs_differ, f.refused, f.refused_ours_differ));
  }
  if (!s.findings.empty()) out.data["findings"] = to_json(s.findings);
  return out;
}

std::string records_csv(const CallsSummary& s) {
  std::string out = "op,records,passed,failed,waived,missing,skipped,values\n";
  for (const auto& [op, c] : s.ops) {
    // Operator names come from files, so characters that would break a CSV row are removed.
    std::string cell = op;
    std::erase_if(cell, [](char ch) { return ch == ',' || ch == '"' || ch == '\n' || ch == '\r'; });
    out += fmt::format("{},{},{},{},{},{},{},{}\n", cell, c.records, c.passed, c.failed, c.waived, c.missing, c.skipped,
                       c.with_values);
  }
  return out;
}

}  // namespace ersatz::tools
