#include "tools/diff/value_diff_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tools/output/text_room.h"

namespace ersatz::tools {
namespace {

std::string both_names(const DifferingValue& v) {
  return v.name == v.other_name ? v.name : v.name + " / " + v.other_name;
}

/// The first message follows `head` on its line; the other messages are on lines below.
Document lines(const std::string& head, const DifferingValue& v) {
  Document out = v.said.empty() ? head : fmt::format("{}: {}", head, v.said[0]);
  for (size_t i = 1; i < v.said.size(); ++i) out.add(Document::Kind::Below, v.said[i]);
  for (const std::string& input : v.reads)
    out.add(Document::Kind::Below, fmt::format("reads {}, which differs", input));
  if (!v.at.empty()) out.add(Document::Kind::Below, "at " + v.at);
  return out;
}

nlohmann::ordered_json as_json(const std::vector<DifferingValue>& values) {
  auto list = nlohmann::ordered_json::array();
  for (const DifferingValue& v : values) {
    list.push_back({{"name", v.name},
                    {"other_name", v.other_name},
                    {"op", v.op},
                    {"at", v.at},
                    {"said", v.said},
                    {"reads", v.reads}});
  }
  return list;
}

void add_to_json(const ValueDiff& d, nlohmann::ordered_json& report) {
  report["unit"] = "node";
  report["counts"] = {d.nodes_a, d.nodes_b};
  report["pairs"] = d.pairs;
  report["same"] = d.alike;
  report["behind"] = d.behind;
  report["notes"] = d.notes;
  report["begins"] = as_json(d.begins);
  report["inputs"] = as_json(d.inputs);
  report["outputs"] = as_json(d.outputs);
  if (d.seconds_a && d.seconds_b) report["seconds"] = {*d.seconds_a, *d.seconds_b};
}

}  // namespace

Document value_diff_report(const ValueDiff& d, bool whole, nlohmann::ordered_json envelope) {
  TextRoom room(whole);
  Document out;
  for (const std::string& note : d.notes) out.add(note);
  for (const DifferingValue& v : d.begins) {
    const char* head = d.outputs.empty() ? "values differ at node {} ({})" : "the error begins at node {} ({})";
    out.add(room.fit(lines(fmt::format(fmt::runtime(head), both_names(v), v.op), v)));
  }
  if (d.behind > 0) out.add(fmt::format("nodes that differ behind it: {}\n", d.behind));
  for (const DifferingValue& v : d.inputs) out.add(room.fit(lines("input " + both_names(v) + " differs", v)));
  for (const DifferingValue& v : d.outputs) out.add(room.fit(lines("output " + both_names(v) + " differs", v)));
  out.add(room.rest("difference", ""));
  if (d.seconds_a && d.seconds_b) out.add(fmt::format("seconds: {:.4f} and {:.4f}\n", *d.seconds_a, *d.seconds_b));
  const auto differing = static_cast<int64_t>(d.outputs.size());
  out.closing = fmt::format("diff: {} and {} nodes run, {} of {} pairs alike, {} of {} outputs alike", d.nodes_a,
                            d.nodes_b, d.alike, d.pairs, d.all_outputs - differing, d.all_outputs);
  out.data = std::move(envelope);
  add_to_json(d, out.data);
  return out;
}

}  // namespace ersatz::tools
