#include "tools/output/ci_findings.h"

#include <fmt/format.h>

#include "runtime/base/count_text.h"

#include <charconv>

#include "tools/output/short_paths.h"

namespace ersatz::tools {

using Json = nlohmann::ordered_json;

Json clean_report(const Json& report) {
  return Json::parse(report.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::vector<const Json*> findings_of(const Json& report) {
  std::vector<const Json*> found;
  const auto add = [&](const Json& owner) {
    const auto rows = owner.find("findings");
    if (rows == owner.end() || !rows->is_array()) return;
    for (const Json& row : *rows) {
      if (row.is_object()) found.push_back(&row);
    }
  };
  add(report);
  if (const auto parts = report.find("parts"); parts != report.end() && parts->is_object()) add(*parts);
  return found;
}

std::string text_at(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

std::string line_of(const Json& finding) {
  const std::string node = text_at(finding, "node"), op = text_at(finding, "op"), witness = text_at(finding, "witness");
  std::string out = node.empty() || node == op ? op : fmt::format("{} ({})", node, op);
  if (const auto result = finding.find("result"); result != finding.end() && result->is_number_integer()) {
    if (const auto n = result->get<int64_t>(); n >= 0) out += fmt::format(" result {}", n);
  }
  return fmt::format("{}: {}: predicted {}, {} {}", out, text_at(finding, "field"), text_at(finding, "predicted"),
                     witness.empty() || witness == "none" ? "observed" : witness + " says",
                     text_at(finding, "observed"));
}

namespace {

/// Of `train.py:12 in forward: y = mix(x)`.
FindingPlace place_in(std::string_view source) {
  FindingPlace place;
  const std::string_view path = path_of_source(source);
  if (path.empty()) return place;
  place.file = path;
  const std::string_view line = source.substr(path.size() + 1);
  std::from_chars(line.data(), line.data() + line.size(), place.line);
  return place;
}

/// Of what `ersatz validate` says of the first call, `record 4, run.jsonl:5, made at train.py:10 in f: ...`: the user's
/// line, else the record's. A sample has none.
FindingPlace place_of_first_call(std::string_view first) {
  constexpr std::string_view kRecord = "record ", kMadeAt = ", made at ";
  if (!first.starts_with(kRecord)) return {};
  if (const size_t made = first.find(kMadeAt); made != first.npos) {
    if (FindingPlace place = place_in(first.substr(made + kMadeAt.size())); !place.file.empty()) return place;
    first = first.substr(0, made);
  }
  const size_t file = first.find(", ");
  return file == first.npos ? FindingPlace() : place_in(first.substr(file + 2));
}

}  // namespace

FindingPlace place_of(const Json& finding, const Json& report) {
  FindingPlace place = place_in(text_at(finding, "source"));
  if (!place.file.empty()) return place;
  // Its input is the names of operators, options, or a file of records that may come from many lines.
  if (text_at(report, "command") == "validate") return place_of_first_call(text_at(finding, "first"));
  // A recorded call is told by its id; its cause knows file and line of the first one.
  const std::string node = text_at(finding, "node");
  const auto calls = report.find("calls");
  if (calls != report.end() && calls->is_object() && calls->contains("causes")) {
    for (const Json& cause : (*calls)["causes"]) {
      const auto ids = cause.find("ids");
      const bool first = ids != cause.end() && !ids->empty() && (*ids)[0] == node;
      if (!first || text_at(cause, "op") != text_at(finding, "op")) continue;
      place.file = text_at(cause, "file");
      place.line = cause.value("line", int64_t(0));
      return place;
    }
  }
  if (const std::string input = text_at(report, "input"); input != "-") place.file = input;
  return place;
}

std::vector<std::pair<std::string, int64_t>> unjudged_of(const Json& report) {
  std::vector<std::pair<std::string, int64_t>> all;
  const Json own = report.value("own", Json::object());
  if (!own.is_object() || !own.contains("unjudged") || !own["unjudged"].is_object()) return all;
  for (const auto& [op, calls] : own["unjudged"].items()) {
    if (calls.is_number_integer()) all.emplace_back(op, calls.get<int64_t>());
  }
  return all;
}

std::string not_judged(const std::string& op, int64_t calls) {
  return fmt::format("{} of {} not judged: no rule of ersatz and no fake kernel predicts them", count_of(calls, "call"),
                     op);
}

std::string ended_because(const Json& report) {
  const std::string status = text_at(report, "status"), error = text_at(report, "error");
  if (status == "clean") return "";
  if (!error.empty()) return error;
  if (status == "interrupted") return "interrupted: this is what was found until then";
  if (status == "bug") return "a bug of ersatz";
  if (status == "unusable") return "the input cannot be used as it is: operators are missing";
  if (!findings_of(report).empty()) return "";
  if (report.value("compared", int64_t(1)) == 0) return "nothing was compared";
  if (!unjudged_of(report).empty()) return "calls of the user's own operators were not judged";
  for (const Json& row : report.value("waivers", Json::array())) {
    if (row.is_object() && text_at(row, "state") != "applied") return "a row of waivers is unused or has expired";
  }
  return "the command ended with findings that it does not list";
}

}  // namespace ersatz::tools
