#include "tools/crosscheck_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace ersatz::tools {

namespace {

constexpr Witness kJudges[] = {Witness::Eager, Witness::Kernel, Witness::Record, Witness::Device};
constexpr size_t kWrongRecordsShown = 20;

std::string indented(const std::string& text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find('\n', at), text.size());
    out += "    " + text.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return out;
}

std::string text_of(const Finding& f) {
  std::string out = fmt::format("finding: {}\n", to_string(f));
  if (!f.source.empty()) out += fmt::format("  at {}\n", f.source);
  for (size_t i = 0; i < f.args.size(); ++i) out += fmt::format("  arg {}: {}\n", i, f.args[i]);
  if (!f.repro.empty()) out += "  repro, for ersatz crosscheck:\n" + indented(f.repro);
  return out;
}

}  // namespace

std::string crosscheck_text(const CrosscheckSummary& s) {
  const Report& report = s.report;
  std::string out = fmt::format("{}\n", s.program);
  for (const std::string& note : s.notes) out += fmt::format("  {}\n", note);
  for (const auto& [op, n] : s.missing) out += fmt::format("missing: {} ({} nodes)\n", op, n);
  for (const std::string& line : s.refusals) out += fmt::format("refused: {}\n", line);
  for (const Finding& f : report.findings) out += text_of(f);
  size_t shown = 0;
  for (const WrongRecord& w : report.record_wrong) {
    if (++shown > kWrongRecordsShown) {
      out += fmt::format("record wrong: {} more\n", report.record_wrong.size() - kWrongRecordsShown);
      break;
    }
    out += fmt::format("record wrong: {} ({}) result {}: {}: the exporter wrote {}, a real run gave {}\n", w.node, w.op,
                       w.result, name(w.field), w.recorded, w.eager);
  }
  out += "  judged by";
  for (Witness w : kJudges)
    out += fmt::format(" {} {}{}", name(w), report.judged_by(w), w == Witness::Device ? "\n" : ",");
  out += fmt::format("  values of {} outputs compared", report.values_compared);
  for (int i = 0; i < kSkipReasonCount; ++i) {
    if (int64_t n = report.values_skipped[static_cast<size_t>(i)])
      out += fmt::format(", {} {}", n, name(static_cast<SkipReason>(i)));
  }
  return out + fmt::format("; {} cosmetic, {} records wrong, {} waived\n", report.cosmetic, report.record_wrong.size(),
                           report.waived);
}

void add_crosscheck_json(const Report& report, nlohmann::ordered_json& to) {
  using Json = nlohmann::ordered_json;
  auto reasons = [](const auto& counts) {
    Json o = Json::object();
    for (int i = 0; i < kSkipReasonCount; ++i)
      o[std::string(name(static_cast<SkipReason>(i)))] = counts[static_cast<size_t>(i)];
    return o;
  };
  to["nodes"] = report.nodes;
  to["results"] = report.results;
  to["compared"] = report.compared;
  to["mismatched"] = report.mismatched;
  to["cosmetic"] = report.cosmetic;
  Json& wrong = to["record_wrong"] = Json::array();
  for (const WrongRecord& w : report.record_wrong) {
    wrong.push_back({{"node", w.node},
                     {"op", w.op},
                     {"result", w.result},
                     {"field", name(w.field)},
                     {"recorded", w.recorded},
                     {"eager", w.eager}});
  }
  to["skipped"] = reasons(report.skipped);
  to["values_compared"] = report.values_compared;
  to["values_skipped"] = reasons(report.values_skipped);
  to["value_failures"] = report.value_failures;
  to["waived"] = report.waived;
  Json& witnesses = to["witnesses"] = Json::object();
  for (Witness w : kJudges) witnesses[std::string(name(w))] = report.judged_by(w);
  Json& findings = to["findings"] = Json::array();
  for (const Finding& f : report.findings) {
    findings.push_back({{"node", f.node},
                        {"op", f.op},
                        {"result", f.result},
                        {"field", name(f.field)},
                        {"predicted", f.predicted},
                        {"observed", f.observed},
                        {"witness", name(f.witness)},
                        {"verdict", f.verdict},
                        {"source", f.source},
                        {"args", f.args},
                        {"repro", f.repro}});
  }
}

}  // namespace ersatz::tools
