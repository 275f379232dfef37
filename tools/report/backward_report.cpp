#include "tools/report/backward_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/report/crosscheck_report.h"

namespace ersatz::tools {

namespace {

nlohmann::ordered_json or_null(const std::string& text) {
  return text.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(text);
}

nlohmann::ordered_json row_json(const GradientRow& r) {
  return {{"name", r.name},
          {"kind", r.is_parameter ? "parameter" : "input"},
          {"leaf", r.leaf},
          {"gradient", or_null(r.gradient)},
          {"copied_from", or_null(r.arriving)},
          {"nodes", r.nodes},
          {"source", r.source}};
}

nlohmann::ordered_json summary_json(const BackwardSummary& s, const std::string& loss) {
  return {{"loss", loss},
          {"nodes", s.nodes},
          {"saved_tensors", s.saved_tensors},
          {"saved_bytes", s.saved_bytes},
          {"saved_bytes_beside_inputs", s.saved_beside},
          {"peak_bytes", s.peak_bytes}};
}

size_t name_width(const auto& rows, auto name) {
  size_t width = 4;
  for (const auto& r : rows) width = std::max(width, std::min<size_t>(name(r).size(), 40));
  return width;
}

}  // namespace

std::string byte_text(int64_t n) {
  if (n < 10'000) return fmt::format("{} B", n);
  if (n < 10'000'000) return fmt::format("{:.1f} kB", static_cast<double>(n) / 1e3);
  return fmt::format("{:.1f} MB", static_cast<double>(n) / 1e6);
}

void add_gradients(const BackwardSummary& s, Document& to) {
  nlohmann::ordered_json& data = to.data["backward"];
  data = summary_json(s, s.loss);
  auto& rows = data["gradients"] = nlohmann::ordered_json::array();
  to.add(fmt::format("gradients of {}:\n", s.loss));
  const size_t width = name_width(s.rows, [](const GradientRow& r) { return r.name; });
  int64_t copied = 0, none = 0;
  for (const GradientRow& r : s.rows) {
    std::string from;
    for (const std::string& node : r.nodes) from += (from.empty() ? "" : ", ") + node;
    copied += !r.arriving.empty();
    none += r.gradient.empty();
    const std::string how = r.gradient.empty() ? "no gradient"
                            : r.arriving.empty()
                                ? fmt::format("{}  by {}", r.gradient, from)
                                : fmt::format("{}  copied from {}  by {}", r.gradient, r.arriving, from);
    to.add_row(fmt::format("  {:<{}}  {}", r.name, width, how), r.source);
    rows.push_back(row_json(r));
  }
  to.add(fmt::format(
      "backward: {} nodes, {} saved tensors of {} ({} beside parameters and inputs), peak of forward and backward {}, "
      "{} of {} gradients copied into their leaf's layout, {} leaves without one\n",
      s.nodes, s.saved_tensors, byte_text(s.saved_bytes), byte_text(s.saved_beside), byte_text(s.peak_bytes), copied,
      s.rows.size() - static_cast<size_t>(none), none));
}

void add_gradients(const BackwardCheck& c, Document& to, nlohmann::ordered_json& data) {
  data = summary_json(c.predicted, c.loss);
  data["compared"] = c.compared;
  data["mismatched"] = c.mismatched;
  data["with_record"] = c.with_record;
  data["not_predicted"] = or_null(c.not_predicted);
  auto& rows = data["gradients"] = nlohmann::ordered_json::array();
  const size_t width = name_width(c.gradients, [](const CheckedGradient& g) { return g.row.name; });
  to.add(fmt::format("gradients of {}:\n", c.loss));
  if (!c.not_predicted.empty())
    to.add(Mark::Warning, "not predicted:", fmt::format("the run without data stops: {}", c.not_predicted));
  for (const CheckedGradient& g : c.gradients) {
    std::string line = g.observed.empty() ? "no gradient" : g.observed;
    if (!g.tied.empty()) line += "  tied: its gradient is that of " + g.tied;
    if (!g.recorded.empty() && g.tied.empty() && g.recorded != line && !(g.recorded == "none" && g.observed.empty()))
      line += "  recorded " + g.recorded;
    if (!g.second.empty()) line += "  after a second run " + g.second;
    if (!g.finite) line += "  not finite";
    to.add_row(fmt::format("  {:<{}}  {}", g.row.name, width, line), g.row.source);
    nlohmann::ordered_json& row = rows.emplace_back(row_json(g.row));
    row["observed"] = or_null(g.observed);
    row["observed_second"] = or_null(g.second);
    row["recorded"] = or_null(g.recorded);
    row["tied"] = or_null(g.tied);
    row["finite"] = g.finite;
  }
  const auto finite = std::count_if(c.gradients.begin(), c.gradients.end(), [](const auto& g) { return g.finite; });
  to.add(fmt::format("gradients: {} compared, {} mismatched, {} with a record, {} not finite\n", c.compared,
                     c.mismatched, c.with_record, static_cast<int64_t>(c.gradients.size()) - finite));
}

}  // namespace ersatz::tools
