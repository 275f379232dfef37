#include "tools/diff/value_diff_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tools/output/output_budget.h"

namespace ersatz::tools {
namespace {

std::string both_names(const DifferingValue& v) {
  return v.name == v.other_name ? v.name : v.name + " / " + v.other_name;
}

/// Adds lines to `to`: `head` with the first message, then the other messages below it. Adds a row to `rows`.
void add_value(const std::string& head, const DifferingValue& v, OutputBudget& budget, Document& to,
               nlohmann::ordered_json& rows) {
  Document out = v.said.empty() ? head : fmt::format("{}: {}", head, v.said[0]);
  for (size_t i = 1; i < v.said.size(); ++i) out.add(Document::Kind::Below, v.said[i]);
  for (const std::string& input : v.reads)
    out.add(Document::Kind::Below, fmt::format("reads {}, which differs", input));
  if (!v.at.empty()) out.add(Document::Kind::Below, "at " + v.at);
  to.add(budget.fit(std::move(out)));
  rows.push_back({{"name", v.name},
                  {"other_name", v.other_name},
                  {"op", v.op},
                  {"at", v.at},
                  {"said", v.said},
                  {"reads", v.reads}});
}

}  // namespace

Document value_diff_report(const ValueDiff& d, bool whole, nlohmann::ordered_json envelope) {
  OutputBudget budget(whole);
  Document out;
  nlohmann::ordered_json& data = out.data = std::move(envelope);
  data["unit"] = "node";
  data["counts"] = {d.nodes_a, d.nodes_b};
  data["pairs"] = d.pairs;
  data["same"] = d.alike;
  data["behind"] = d.behind;
  data["notes"] = d.notes;
  for (const char* key : {"begins", "inputs", "outputs"}) data[key] = nlohmann::ordered_json::array();
  for (const std::string& note : d.notes) out.add(note);
  for (const DifferingValue& v : d.begins) {
    const char* head = d.outputs.empty() ? "values differ at node {} ({})" : "the error begins at node {} ({})";
    add_value(fmt::format(fmt::runtime(head), both_names(v), v.op), v, budget, out, data["begins"]);
  }
  if (d.behind > 0) out.add(fmt::format("nodes that differ behind it: {}\n", d.behind));
  for (const DifferingValue& v : d.inputs)
    add_value("input " + both_names(v) + " differs", v, budget, out, data["inputs"]);
  for (const DifferingValue& v : d.outputs)
    add_value("output " + both_names(v) + " differs", v, budget, out, data["outputs"]);
  out.add(budget.rest("difference", ""));
  if (d.seconds_a && d.seconds_b) {
    out.add(fmt::format("seconds: {:.4f} and {:.4f}\n", *d.seconds_a, *d.seconds_b));
    data["seconds"] = {*d.seconds_a, *d.seconds_b};
  }
  const auto differing = static_cast<int64_t>(d.outputs.size());
  out.closing = fmt::format("diff: {} and {} nodes run, {} of {} pairs alike, {} of {} outputs alike", d.nodes_a,
                            d.nodes_b, d.alike, d.pairs, d.all_outputs - differing, d.all_outputs);
  return out;
}

}  // namespace ersatz::tools
