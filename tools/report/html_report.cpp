#include "tools/report/html_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/output/finding_groups.h"
#include "tools/output/finding_text.h"
#include "tools/output/html_page.h"
#include "tools/output/markup.h"
#include "tools/output/torch_snippet.h"
#include "tools/report/crosscheck_report.h"
#include "tools/report/layout_picture.h"

namespace ersatz::tools {

namespace {

constexpr size_t kCausesInFull = 20;
constexpr size_t kRows = 2000;

std::string e(std::string_view text) { return escape_markup(text); }

/// Returns escaped text with at most `most` bytes, so that it fits a box.
std::string shortened(std::string_view text, size_t most) {
  if (text.size() <= most) return e(text);
  size_t end = most - 1;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return e(text.substr(0, end)) + "…";
}

/// Draws the node in the middle, its producers above and its users below. Edges are drawn at the left.
std::string graph_picture(const GraphNeighbourhood& s) {
  constexpr int kWidth = 440, kLeft = 36, kHigh = 42, kStep = 54;
  std::string boxes, lines;
  int row = 0;
  const auto box = [&](const Neighbour& n, const char* kind) {
    const int y = 4 + row++ * kStep;
    const std::string head = n.op.empty() ? fmt::format("{} (input)", n.name) : fmt::format("{} = {}", n.name, n.op);
    boxes += fmt::format(
        "<g class=\"{}\"><title>{}\n{}</title><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"6\"/><text "
        "x=\"{}\" y=\"{}\">{}</text><text class=\"meta\" x=\"{}\" y=\"{}\">{}</text></g>",
        kind, e(head), e(n.meta), kLeft, y, kWidth - kLeft - 4, kHigh, kLeft + 8, y + 17, shortened(head, 52),
        kLeft + 8, y + 34, shortened(n.meta, 52));
    return y + kHigh / 2;
  };
  const auto line = [&](int from, int to, int x) {
    lines += fmt::format("<path d=\"M{0} {1} H{2} V{3} H{0}\" marker-end=\"url(#arrow)\"/>", kLeft, from, x, to);
  };
  std::vector<int> above;
  for (const Neighbour& n : s.producers) above.push_back(box(n, "above"));
  const int self = box(s.node, "self");
  std::vector<int> below;
  for (const Neighbour& n : s.users) below.push_back(box(n, "below"));
  for (size_t i = 0; i < above.size(); ++i) line(above[i], self - 6, 6 + 4 * static_cast<int>(i));
  for (size_t i = 0; i < below.size(); ++i) line(self + 6, below[i], 6 + 4 * static_cast<int>(i));
  std::string out = fmt::format(
      "<svg class=\"graph\" role=\"img\" aria-label=\"graph around {}\" viewBox=\"0 0 {} {}\"><defs><marker "
      "id=\"arrow\" "
      "markerWidth=\"8\" markerHeight=\"8\" refX=\"7\" refY=\"4\" orient=\"auto\"><path d=\"M0 0 L8 4 L0 8\"/></marker>"
      "</defs>{}{}</svg>",
      e(s.node.name), kWidth, 4 + row * kStep, lines, boxes);
  if (s.more_producers + s.more_users > 0) {
    out += fmt::format("<p class=\"dim\">{} more operands, {} more users</p>", s.more_producers, s.more_users);
  }
  return out;
}

std::string layouts(const Finding& f) {
  const std::string mine = layout_picture(f.predicted), seen = layout_picture(f.observed);
  if (mine.empty() && seen.empty()) return "";
  const auto side = [](std::string_view who, const std::string& meta, const std::string& picture) {
    return fmt::format("<div><h3>{}</h3><p><code>{}</code></p>{}</div>", e(who), e(meta), picture);
  };
  return "<div class=\"pair\">" + side("predicted", f.predicted, mine) + side(name(f.witness), f.observed, seen) +
         "</div><p class=\"dim\">Memory from left to right and line by line: each box holds the element with that "
         "index; "
         "·n· are n places that hold none of the elements shown. Of a large tensor a corner is shown.</p>";
}

std::string notes_block(const FindingNotes& notes) {
  std::string out;
  if (!notes.to_change.empty()) out += fmt::format("<p><b>To change:</b> <code>{}</code></p>", e(notes.to_change));
  if (!notes.call.empty()) out += fmt::format("<p><b>Smallest call:</b> <code>{}</code></p>", e(notes.call));
  for (const std::string& why : notes.why) out += fmt::format("<p><b>Why:</b> {}</p>", e(why));
  if (!notes.calls.empty()) out += fmt::format("<p>{}</p>", e(notes.calls));
  return out;
}

std::string finding_block(const HtmlReport& page, const FindingGroup& group) {
  const Finding& f = page.report.findings[group.findings.front()];
  std::string out = fmt::format("<section><h2>{} <span class=\"bad\">{}</span></h2>", e(f.op), e(name(f.field)));
  const FindingSides sides = sides_of(f);
  out += fmt::format("<p><code>{}{}{}</code></p><dl class=\"sides\">", e(head_of(f)), sides.more.empty() ? "" : ": ",
                     e(sides.more));
  // The source line is left out if the notes already have it.
  const bool noted = !page.notes.empty() && page.notes[group.findings.front()].to_change == f.source;
  for (const FindingSide& side : {sides.left, sides.right, FindingSide{"at", noted ? "" : f.source}}) {
    if (!side.says.empty()) out += fmt::format("<dt>{}</dt><dd>{}</dd>", e(side.who), e(side.says));
  }
  out += "</dl>";
  if (!f.words.empty()) out += fmt::format("<p>{}</p>", e(f.words));
  if (!f.cause.empty()) out += fmt::format("<p><b>Cause:</b> {}</p>", e(f.cause));
  if (!page.notes.empty()) out += notes_block(page.notes[group.findings.front()]);
  if (group.findings.size() > 1) {
    out += fmt::format("<p>{} findings of this cause, at <code>{}</code></p>", group.findings.size(),
                       e(nodes_of(page.report.findings, group, 40)));
  }
  std::string heirs;
  for (const DownstreamDifference& i : page.inherited) {
    if (std::find(group.findings.begin(), group.findings.end(), i.from) == group.findings.end()) continue;
    heirs += fmt::format("<li><code>{} = {}</code>{}</li>", e(i.node), e(i.op), i.finding >= 0 ? " (values)" : "");
  }
  if (!heirs.empty())
    out += "<details><summary>Later results that inherit it</summary><ul>" + heirs + "</ul></details>";
  out += layouts(f);
  for (const GraphNeighbourhood& s : page.neighbourhoods) {
    if (s.finding == group.findings.front()) out += "<h3>In the graph</h3>" + graph_picture(s);
  }
  if (!f.args.empty()) {
    out += "<h3>Arguments</h3><ol start=\"0\">";
    for (const std::string& a : f.args) out += fmt::format("<li><code>{}</code></li>", e(a));
    out += "</ol>";
  }
  if (!f.repro.empty()) {
    out += fmt::format("<details open><summary>The smallest program that shows it</summary><pre>{}</pre></details>",
                       e(f.repro));
    if (const std::string python = torch_snippet(f.repro, f); !python.empty()) {
      out += fmt::format("<details><summary>The same in PyTorch</summary><pre>{}</pre></details>", e(python));
    }
  }
  return out + "</section>";
}

std::string findings_table(const HtmlReport& page) {
  const auto& findings = page.report.findings;
  if (findings.empty()) return "";
  std::vector<std::vector<std::string>> rows;
  for (size_t i = 0; i < std::min(findings.size(), kRows); ++i) {
    const Finding& f = findings[i];
    rows.push_back(
        {f.node, f.op, std::string(name(f.field)), f.predicted, f.observed, std::string(name(f.witness)), f.source});
  }
  std::string out = "<h2>All findings</h2>" +
                    page_table({"node", "operator", "field", "predicted", "observed", "witness", "source"}, rows);
  if (findings.size() > kRows) out += fmt::format("<p>{} more: --json has all</p>", findings.size() - kRows);
  return out;
}

std::string coverage_table(const Report& report) {
  std::vector<std::vector<std::string>> rows;
  for (const OpCoverage& op : report.coverage.ops()) {
    std::string sources, unchecked;
    for (int s = 0; s < kSourceCount; ++s) {
      if (const int64_t n = op.sources[static_cast<size_t>(s)]) {
        sources += fmt::format("{}{} {}", sources.empty() ? "" : ", ", name(static_cast<Source>(s)), n);
      }
    }
    for (const Unchecked& u : op.unchecked) {
      unchecked += fmt::format("{}{}: {} {}", unchecked.empty() ? "" : ", ", name(u.check), name(u.reason), u.times);
    }
    rows.push_back({op.op, sources, unchecked});
  }
  return "<h2>Coverage</h2>" + page_table({"operator", "answered by", "not checked, and why"}, rows);
}

std::string not_checked(const Report& report) {
  std::vector<std::vector<std::string>> rows;
  for (int i = 0; i < kSkipReasonCount; ++i) {
    const auto at = static_cast<size_t>(i);
    if (report.skipped[at] + report.values_skipped[at] == 0) continue;
    rows.push_back({std::string(name(static_cast<SkipReason>(i))), std::to_string(report.skipped[at]),
                    std::to_string(report.values_skipped[at])});
  }
  if (rows.empty()) return "<h2>Not checked</h2><p>Each result was compared with a witness.</p>";
  return "<h2>Not checked</h2>" + page_table({"why", "results", "values"}, rows);
}

}  // namespace

std::string html_page(const HtmlReport& page) {
  const Report& report = page.report;
  const std::string closing = page.closing.empty() ? closing_line(report) : page.closing;
  const std::string first = page.closing.empty() ? plain(first_divergence(report, page.inherited)) : "";
  std::string out = fmt::format("<h1 class=\"{}\">{}</h1>", page.status == "clean" ? "good" : "bad",
                                e(first.empty() ? closing : first));
  out += fmt::format("<p><code>{}</code> on {}: {}. {}</p>", e(page.input), e(page.device), e(page.status),
                     first.empty() ? "" : e(closing));
  const auto groups = group_findings(report.findings, inherited_findings(report.findings.size(), page.inherited));
  for (size_t i = 0; i < std::min(groups.size(), kCausesInFull); ++i) out += finding_block(page, groups[i]);
  if (groups.size() > kCausesInFull) {
    out += fmt::format("<p>{} more causes are in the table.</p>", groups.size() - kCausesInFull);
  }
  out += findings_table(page) + not_checked(report) + coverage_table(report);
  out +=
      fmt::format("<h2>The report as text</h2><details><summary>Show</summary><pre>{}</pre></details>", e(page.text));
  return whole_page("ersatz " + closing.substr(0, closing.find(':')), out);
}

}  // namespace ersatz::tools
