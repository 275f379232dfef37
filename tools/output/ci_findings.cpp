#include "tools/output/ci_findings.h"

#include <fmt/format.h>

#include <charconv>
#include <tuple>

#include "runtime/base/count_text.h"
#include "tools/output/finding_json.h"
#include "tools/output/short_paths.h"

namespace ersatz::tools {

using Json = nlohmann::ordered_json;

Json clean_report(const Json& report) {
  return Json::parse(report.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::string text_at(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

namespace {

/// Parses file and line from a source like `train.py:12 in forward: y = mix(x)`.
FindingPlace place_in(std::string_view source) {
  FindingPlace place;
  const std::string_view path = path_of_source(source);
  if (path.empty()) return place;
  place.file = path;
  const std::string_view line = source.substr(path.size() + 1);
  std::from_chars(line.data(), line.data() + line.size(), place.line);
  return place;
}

FindingPlace place_of(const Finding& finding, const Json& row, const Json& report) {
  FindingPlace place = place_in(finding.source);
  if (!place.file.empty()) return place;
  // The input of `validate` has no line for a finding: it is a list of operators, options, or a file of records.
  if (text_at(report, "command") == "validate") return place_in(text_at(row, "place"));
  // The finding is about a recorded call. The call's id is searched in the causes, which have the file and line of
  // their first record.
  const auto calls = report.find("calls");
  if (calls != report.end() && calls->is_object() && calls->contains("causes")) {
    for (const Json& cause : (*calls)["causes"]) {
      const auto ids = cause.find("ids");
      const bool first = ids != cause.end() && !ids->empty() && (*ids)[0] == finding.node;
      if (!first || text_at(cause, "op") != finding.op) continue;
      place.file = text_at(cause, "file");
      place.line = cause.value("line", int64_t(0));
      return place;
    }
  }
  if (const std::string input = text_at(report, "input"); input != "-") place.file = input;
  return place;
}

ReportedFinding reported(const Json& row, const Json& report) {
  ReportedFinding r;
  r.field = text_at(row, "field");
  r.compares = !row.contains("message");
  if (!r.compares) {  // the command compares nothing, so the finding is only a message
    r.finding.node = text_at(row, "node");
    r.finding.op = text_at(row, "op");
    r.finding.source = text_at(row, "at");
    r.message = text_at(row, "message");
  } else {
    const Finding& f = r.finding = finding_from_json(row);
    r.message =
        fmt::format("predicted {}, {} {}", f.predicted,
                    f.witness == Witness::None ? "observed" : fmt::format("{} says", name(f.witness)), f.observed);
  }
  r.place = place_of(r.finding, row, report);
  return r;
}

}  // namespace

std::string ReportedFinding::line() const {
  if (compares) return fmt::format("{}: {}", head_of(finding), message);
  const auto& [node, op] = std::tie(finding.node, finding.op);
  return fmt::format("{}: {}: {}", node.empty() || node == op ? op : fmt::format("{} ({})", node, op), field, message);
}

std::vector<ReportedFinding> own_findings_of(const Json& owner, const Json& report) {
  std::vector<ReportedFinding> found;
  const auto rows = owner.find("findings");
  if (rows == owner.end() || !rows->is_array()) return found;
  for (const Json& row : *rows) {
    if (row.is_object()) found.push_back(reported(row, report));
  }
  return found;
}

std::vector<ReportedFinding> findings_of(const Json& report) {
  std::vector<ReportedFinding> found = own_findings_of(report, report);
  if (const auto parts = report.find("parts"); parts != report.end() && parts->is_object()) {
    const std::vector<ReportedFinding> more = own_findings_of(*parts, report);
    found.insert(found.end(), more.begin(), more.end());
  }
  return found;
}

std::string not_judged(const std::string& op, const OwnCalls::Unjudged& calls) {
  const std::string_view why =
      calls.why.empty() ? "no rule of ersatz and no fake kernel predicts them" : std::string_view(calls.why);
  if (calls.calls == 0) return fmt::format("no call of {} was compared: {}", op, why);
  return fmt::format("{} of {} not judged: {}", count_of(calls.calls, "call"), op, why);
}

std::string ended_because(const Json& report) {
  const std::string status = text_at(report, "status"), error = text_at(report, "error");
  if (status == "clean") return "";
  if (!error.empty()) return error;
  if (status == "interrupted") return "interrupted: this is what was found until then";
  if (status == "bug") return "a bug of ersatz";
  if (status == "unusable") return "the input cannot be used as it is: operators are missing";
  if (!findings_of(report).empty()) return "";
  if (const std::string why = text_at(report, "not_clean"); !why.empty()) return why;
  return "the command ended with findings that it does not list";
}

}  // namespace ersatz::tools
