#include "tools/output/model_explorer.h"

#include <fmt/format.h>

#include "tools/output/ci_findings.h"

namespace ersatz::tools {

using Json = nlohmann::ordered_json;

namespace {

constexpr const char* kGraph = "graph";  // the id that Model Explorer's adapter gives the graph of a .pt2 archive
constexpr const char* kFound = "#b42318";
constexpr const char* kInherited = "#f5c26b";

/// `stride: predicted {3,1}, eager says {1,3}`: Model Explorer shows it beside the node.
std::string says(const Json& finding) {
  const std::string witness = text_at(finding, "witness");
  return fmt::format("{}: predicted {}, {} says {}", text_at(finding, "field"), text_at(finding, "predicted"), witness,
                     text_at(finding, "observed"));
}

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
  const auto rows = [&](const char* key) { return report.value(key, Json::array()); };
  Json nodes = Json::object();
  for (const Json& finding : rows("findings")) add(nodes, text_at(finding, "node"), says(finding), kFound);
  for (const Json& heir : rows("inherited")) {
    const size_t from = heir.value("from", size_t(0));
    const std::string node = text_at(heir, "node");
    if (nodes.contains(node) || from >= rows("findings").size()) continue;
    add(nodes, node, "inherits from " + text_at(rows("findings")[from], "node"), kInherited);
  }
  const Json graph = {{"results", std::move(nodes)}, {"name", "ersatz " + text_at(report, "command")}};
  return Json({{kGraph, graph}}).dump(1) + "\n";
}

}  // namespace ersatz::tools
