// The report of `ersatz validate` for people.
#include <fmt/format.h>

#include "tools/output/text_room.h"
#include "tools/validate/validate_run.h"

namespace ersatz::tools {

namespace {

constexpr size_t kOpsShown = 12;  // with a block each; of more, those alone that say something

std::string text(const nlohmann::ordered_json& finding, const char* key) {
  const auto at = finding.find(key);
  return at != finding.end() && at->is_string() ? at->get<std::string>() : std::string();
}

std::string indented(const std::string& lines) {
  std::string out;
  for (size_t at = 0; at < lines.size();) {
    const size_t end = std::min(lines.find('\n', at), lines.size());
    out += "    " + lines.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return out;
}

std::string finding_text(const ValidateFinding& f, int64_t samples, TextRoom& room) {
  const auto& j = f.finding;
  const int result = j.value("result", -1);
  const std::string verdict = text(j, "verdict");
  const bool died = verdict == "crash" || verdict == "hang";
  std::string out = died ? fmt::format("finding: {}: {}: {}\n", text(j, "op"), verdict, text(j, "observed"))
                         : fmt::format("finding: {}{}: {}: predicted {}, {} says {}\n", text(j, "op"),
                                       result >= 0 ? fmt::format(", result {}", result) : std::string(),
                                       text(j, "field"), text(j, "predicted"), text(j, "witness"), text(j, "observed"));
  if (const std::string words = text(j, "words"); !words.empty()) out += fmt::format("  {}\n", words);
  if (f.call != f.first) out += fmt::format("  smallest call: {}\n", f.call);
  for (const std::string& why : f.why) out += fmt::format("  why: {}\n", why);
  out += fmt::format("  {} of {} calls; first: {}\n", f.calls, samples, f.first);
  if (const std::string repro = text(j, "repro"); !repro.empty()) {
    const std::string program = "  repro, for ersatz crosscheck:\n" + indented(repro);
    out += room.has_room_for_repro(out.size(), program.size())
               ? program
               : fmt::format("  a repro of {} bytes: --json has it\n", repro.size());
  }
  return room.fit(std::move(out));
}

std::string verdict_line(const std::string& op, const OpVerdict& v) {
  std::string out = v.found.empty() ? fmt::format("{}: ", op)
                                    : fmt::format("{}: {} finding{} in {} calls; ", op, v.found.size(),
                                                  v.found.size() == 1 ? "" : "s", v.findings);
  out += fmt::format("{} calls, {} agreed, {} refused alike", v.samples, v.agreed, v.refused);
  std::string unchecked;
  for (const auto& [reason, n] : v.unchecked)
    unchecked += fmt::format("{}{} {}", unchecked.empty() ? "" : ", ", reason, n);
  if (!unchecked.empty()) out += fmt::format("; not checked: {}", unchecked);
  out += "\n";
  for (const auto& [reason, words] : v.gaps) out += fmt::format("  {}: {}\n", reason, words);
  return out;
}

std::string proposal_text(const nlohmann::ordered_json& inferred) {
  std::string out = "proposal for " + text(inferred, "text");
  if (const std::string cpp = text(inferred, "cpp"); !cpp.empty()) out += "  to paste into a plugin:\n" + indented(cpp);
  if (const std::string why = text(inferred, "no_cpp"); !why.empty())
    out += fmt::format("  not as C++: {} (--rules FILE keeps it)\n", why);
  return out;
}

}  // namespace

std::string validate_text(const ValidateReport& report, bool whole) {
  TextRoom room(whole);
  std::string out;
  for (const auto& [op, v] : report.ops) {
    for (const ValidateFinding& f : v.found) out += finding_text(f, v.samples, room);
  }
  out += room.rest();
  const bool all = report.ops.size() <= kOpsShown;
  std::map<std::string, int64_t> gaps;
  int64_t clean = 0;
  for (const auto& [op, v] : report.ops) {
    clean += v.found.empty() && v.samples > 0;
    if (all || !v.found.empty()) out += verdict_line(op, v);
    if (!v.inferred.is_null()) out += room.fit(proposal_text(v.inferred), 0);
    for (const auto& [reason, words] : v.gaps) ++gaps[reason];
  }
  if (!all) {
    out += fmt::format("{} ops without a finding", clean);
    for (const auto& [reason, n] : gaps) out += fmt::format(", {} with {}", n, reason);
    out += " (--json has a row for each)\n";
  }
  const OpVerdict total = report.total();
  if (!all && !total.unchecked.empty()) {
    out += "not checked, by calls:";
    for (const auto& [reason, n] : total.unchecked) out += fmt::format(" {} {}", reason, n);
    out += "\n";
  }
  return out;
}

std::string closing_line(const ValidateReport& report) {
  const OpVerdict t = report.total();
  return fmt::format("validate: {} ops, {} calls, {} agreed, {} refused alike, {} with findings, {} unchecked\n",
                     report.ops.size(), t.samples, t.agreed, t.refused, t.findings,
                     t.samples - t.agreed - t.refused - t.findings);
}

}  // namespace ersatz::tools
