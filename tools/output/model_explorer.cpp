#include "tools/output/model_explorer.h"

#include "tools/output/ci_findings.h"

namespace ersatz::tools {

using Json = nlohmann::ordered_json;

namespace {

constexpr const char* kGraph = "graph";  // id of the graph of a .pt2 archive in Model Explorer's adapter
constexpr const char* kFound = "#b42318";
constexpr const char* kInherited = "#f5c26b";

void add(Json& nodes, const std::string& node, const std::string& value, const char* colour) {
  if (node.empty()) return;
  if (const auto there = nodes.find(node); there != nodes.end()) {
    (*there)["value"] = text_at(*there, "value") + "; " + value;
  } else {
    nodes[node] = {{"value", value}, {"bgColor", colour}};
  }
}

}  // namespace

std::string model_explorer_text(const Json& raw) {
  const Json report = clean_report(raw);
  const std::vector<ReportedFinding> findings = own_findings_of(report, report);
  Json nodes = Json::object();
  // Model Explorer shows the value next to the node.
  for (const ReportedFinding& f : findings) add(nodes, f.finding.node, f.field + ": " + f.message, kFound);
  for (const Json& heir : report.value("inherited", Json::array())) {
    const size_t from = heir.value("from", size_t(0));
    const std::string node = text_at(heir, "node");
    if (nodes.contains(node) || from >= findings.size()) continue;
    add(nodes, node, "inherits from " + findings[from].finding.node, kInherited);
  }
  const Json graph = {{"results", std::move(nodes)}, {"name", "ersatz " + text_at(report, "command")}};
  return Json({{kGraph, graph}}).dump(1) + "\n";
}

}  // namespace ersatz::tools
