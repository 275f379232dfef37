#include <fmt/format.h>

#include <algorithm>

#include "runtime/base/version.h"
#include "tools/output/ci_findings.h"
#include "tools/output/ci_formats.h"
#include "tools/output/exit_status.h"
#include "tools/output/finding_json.h"

namespace ersatz::tools {

namespace {

using Json = nlohmann::ordered_json;

struct Rule {
  const char *field, *says;
};
// The fields of findings in the JSON report. A field that is not listed becomes a rule without a description.
constexpr Rule kRules[] = {
    {"dtype", "The dtype differs from what was predicted"},
    {"size", "The sizes differ from what was predicted"},
    {"stride", "The strides differ from what was predicted"},
    {"offset", "The storage offset differs from what was predicted"},
    {"device", "The device differs from what was predicted"},
    {"alias", "A result shares storage where it was predicted not to, or the reverse"},
    {"mutation", "An argument was changed otherwise than was predicted"},
    {"error", "One side raises and the other does not, or they raise different errors"},
    {"unwritten", "The kernel left an element of its result unwritten"},
    {"undeclared_write", "The bytes of an input changed, and nothing declares that"},
    {"out_of_bounds", "Bytes beside a result's memory were written"},
    {"value", "Values differ by more than the tolerance"},
    {"conj", "The lazy conjugate bit differs from what was predicted"},
    {"neg", "The lazy negation bit differs from what was predicted"},
    {"requires_grad", "What autograd is told of the result differs from what was predicted"},
    {"dynamic_size", "A fake kernel leaves a size to values that an argument or a constant gives"}};

/// Converts a path to a URI. A relative path stays relative.
std::string uri(std::string_view path) {
  std::string out = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = std::isalnum(byte) || std::string_view("-._~/").find(c) != std::string_view::npos;
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return out;
}

Json location(const ReportedFinding& found) {
  Json out = Json::object();
  const FindingPlace& place = found.place;
  if (!place.file.empty()) {
    Json& physical = out["physicalLocation"];
    physical["artifactLocation"]["uri"] = uri(place.file);
    if (place.line > 0) physical["region"]["startLine"] = place.line;
  }
  out["logicalLocations"] =
      Json::array({{{"name", found.finding.node}, {"fullyQualifiedName", found.finding.op}, {"kind", "function"}}});
  return out;
}

Json properties_of(const ReportedFinding& found) {
  if (!found.compares) return {{"node", found.finding.node}, {"op", found.finding.op}};
  Json properties = to_json(found.finding);
  for (const char* own : {"field", "cause", "source", "repro"})
    properties.erase(own);  // other keys of the SARIF result have these data, or the data are long
  return properties;
}

int exit_code(const std::string& status) {
  if (status == "unjudged") return static_cast<int>(ExitStatus::Findings);
  for (const ExitStatus s :
       {ExitStatus::Clean, ExitStatus::Findings, ExitStatus::Unusable, ExitStatus::Bug, ExitStatus::Interrupted}) {
    if (status == name(s)) return static_cast<int>(s);
  }
  return static_cast<int>(ExitStatus::Bug);
}

}  // namespace

std::string sarif_text(const Json& raw) {
  const Json report = clean_report(raw);
  std::vector<std::string> ids;
  Json rules = Json::array(), results = Json::array();
  for (const ReportedFinding& found : findings_of(report)) {
    const std::string& field = found.field;
    const auto known = std::find(ids.begin(), ids.end(), field);
    const auto index = known - ids.begin();
    if (known == ids.end()) {
      ids.push_back(field);
      const auto* row =
          std::find_if(std::begin(kRules), std::end(kRules), [&](const Rule& r) { return field == r.field; });
      rules.push_back(
          {{"id", field}, {"shortDescription", {{"text", row == std::end(kRules) ? field : std::string(row->says)}}}});
    }
    // The fingerprint has op, node, result and field, so a finding has equal fingerprints in two runs.
    const Finding& f = found.finding;
    const std::string fingerprint = fmt::format("{}/{}/{}/{}", f.op, f.node, f.result, field);
    results.push_back({{"ruleId", field},
                       {"ruleIndex", index},
                       {"level", "error"},
                       {"message", {{"text", found.line()}}},
                       {"locations", Json::array({location(found)})},
                       {"partialFingerprints", {{"ersatzFinding/v1", fingerprint}}},
                       {"properties", properties_of(found)}});
  }
  const auto unjudged = own_of(report).unjudged;
  if (!unjudged.empty()) {
    rules.push_back({{"id", "unjudged"}, {"shortDescription", {{"text", "Calls of an operator that nothing judged"}}}});
  }
  for (const auto& [op, calls] : unjudged) {
    const Json place = {{"logicalLocations", Json::array({{{"fullyQualifiedName", op}, {"kind", "function"}}})}};
    results.push_back({{"ruleId", "unjudged"},
                       {"ruleIndex", ids.size()},
                       {"level", "note"},
                       {"message", {{"text", not_judged(op, calls)}}},
                       {"locations", Json::array({place})}});
  }
  const std::string status = text_at(report, "status"), because = ended_because(report);
  Json invocation = {{"executionSuccessful", status == "clean" || status == "findings" || status == "unjudged"},
                     {"exitCode", exit_code(status)}};
  if (!because.empty()) {
    invocation["toolExecutionNotifications"] = Json::array({{{"level", "error"}, {"message", {{"text", because}}}}});
  }
  const Json driver = {
      {"name", "ersatz"}, {"version", version()}, {"semanticVersion", version()}, {"rules", std::move(rules)}};
  const Json run = {{"tool", {{"driver", driver}}},
                    {"automationDetails", {{"id", fmt::format("ersatz/{}/", text_at(report, "command"))}}},
                    {"invocations", Json::array({std::move(invocation)})},
                    {"results", std::move(results)}};
  const Json log = {
      {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"}, {"version", "2.1.0"}, {"runs", Json::array({run})}};
  return log.dump(1) + "\n";
}

}  // namespace ersatz::tools
