#include "tools/live/live_report.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "runtime/base/count_text.h"
#include "runtime/base/other_devices.h"
#include "tools/answer/command_answer.h"
#include "tools/answer/run_options.h"
#include "tools/output/output_budget.h"
#include "tools/report/crosscheck_report.h"
#include "tools/report/html_report.h"
#include "tools/report/report_json.h"

namespace ersatz::tools {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kFakes = "FakeTensor";

ExitStatus status_of(const Report& report) { return report.clean() ? ExitStatus::Clean : ExitStatus::Findings; }

/// Formats a count by operator, most frequent first: `12 calls (aten.foo.default 10, aten.bar.default 2)`.
std::string counted(const std::map<std::string, int64_t>& operators) {
  constexpr size_t kShown = 6;
  std::vector<std::pair<int64_t, std::string_view>> rows;
  int64_t calls = 0;
  for (const auto& [name, n] : operators) rows.emplace_back(-n, name), calls += n;
  std::sort(rows.begin(), rows.end());
  std::string shown;
  for (size_t i = 0; i < std::min(rows.size(), kShown); ++i) {
    shown += fmt::format("{}{} {}", i ? ", " : "", rows[i].second, -rows[i].first);
  }
  if (rows.size() > kShown) shown += fmt::format(" and {} more", rows.size() - kShown);
  return fmt::format("{} ({})", count_of(calls, "call"), shown);
}

/// Returns the name of the run: `train.py, rank 0 of 2`.
std::string title_of(const LiveReport& r) {
  if (r.rank) return fmt::format("{}, rank {} of {}", r.input, r.rank->rank, r.rank->world_size);
  return r.joined.empty() ? r.input
                          : fmt::format("{}, {}", r.input, count_of(static_cast<int64_t>(r.joined.size()), "rank"));
}

/// Formats ranks: `rank 1`, `ranks 0, 1`.
std::string ranks_text(const std::vector<int64_t>& ranks) {
  return fmt::format("rank{} {}", ranks.size() == 1 ? "" : "s", fmt::join(ranks, ", "));
}

/// Returns the lines on metadata-only devices of all ranks. Equal lines occur once.
std::string device_lines_of(const LiveReport& r) {
  std::string lines = device_lines(Json::parse(r.devices));
  for (const LiveReport& rank : r.joined) {
    const std::string of_rank = device_lines(Json::parse(rank.devices));
    if (lines.find(of_rank) == lines.npos) lines += of_rank;
  }
  return lines;
}

void add_calls(CallCounts& to, const CallCounts& from) {
  for (const auto& [why, operators] : from) {
    for (const auto& [op, n] : operators) to[why][op] += n;
  }
}

}  // namespace

Document LiveReport::document() const {
  OtherDevices none;
  const OtherDevicesScope of_this_run(none);
  Document out;
  Json& data = out.data = report_envelope("crosscheck", input, "live", status_of(report));
  data.update(Json::parse(devices));
  if (rank) data["rank"] = rank->rank, data["world_size"] = rank->world_size;
  OutputBudget budget;
  CrosscheckSummary summary;
  summary.program = title_of(*this);
  summary.report = report;
  for (const LiveReport& r : joined) {
    const std::string line = closing_line(r.report);  // for example `crosscheck: 12 compared, ...`
    summary.notes.push_back(fmt::format("rank {}{}", r.rank->rank, line.substr(line.find(':'))));
    data["world_size"] = r.rank->world_size;
    data["ranks"].push_back({{"rank", r.rank->rank},
                             {"status", name(status_of(r.report))},
                             {"compared", r.report.compared},
                             {"mismatched", r.report.mismatched},
                             {"skipped", r.report.skipped_total()}});
    data["ranks"].back().update(Json::parse(r.devices));
  }
  out.add_part(first_divergence(report, {}));
  add_tally(report, out);
  for (size_t i = 0; i < ranks.size(); ++i) {
    std::string& source = summary.report.findings[i].source;
    source += fmt::format("{}on {}", source.empty() ? "" : ", ", ranks_text(ranks[i]));
    data["findings"][i]["ranks"] = ranks[i];
  }
  out.add(program_report(summary, budget));
  out.add(budget.rest("finding", ""));
  for (const auto& [type, operators] : subclasses) {
    const std::string_view how =
        type == kFakes ? "nothing is computed" : "a tensor subclass, judged are the calls that it makes";
    out.add(fmt::format("{}: {}: {}\n", type, how, counted(operators)));
  }
  for (const auto& [why, operators] : skipped) out.add(fmt::format("not compared, {}: {}\n", why, counted(operators)));
  data["skipped_calls"] = skipped;
  data["subclass_calls"] = subclasses;
  out.add(compiled.text());
  if (compiled.graphs > 0)
    data["compiled"] = {
        {"graphs", compiled.graphs}, {"nodes", compiled.nodes}, {"runs", compiled.runs}, {"inputs", compiled.inputs}};
  if (gradients) {
    out.add(gradients->text());
    data["gradients"] = {{"compared", gradients->compared}, {"not_compared", gradients->left_out}};
  }
  data["times"] = times;
  if (report.own.judged > 0)
    out.add(fmt::format("by their own fake kernels: {} judged, {} of them by an answer that was remembered\n",
                        count_of(report.own.judged, "call"), report.own.known));
  for (const auto& [op, u] : report.own.unjudged)
    out.add(fmt::format("not judged: {} of {} ({})\n", count_of(u.calls, "call"), op, u.why));
  if (report.compared == 0)
    out.add(Mark::Warning, "nothing was compared:",
            "seen are calls on the thread that entered the crosscheck, and not those of other threads, of processes "
            "that it starts, or of compiled code");
  out.add(device_lines_of(*this));
  for (const Waiver& w : report.waivers) out.add(fmt::format("{} waiver: {}\n", state(w), to_string(w)));
  return out;
}

std::string LiveReport::json() const { return document().data.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string LiveReport::html() const {
  return html_page({title_of(*this), "live", std::string(name(status_of(report))), report, {}, {}, text()});
}

LiveReport live_report_from_json(const std::string& text, const std::string& file) {
  LiveReport r;
  try {
    const Json json = Json::parse(text);
    if (json.at("command") != "crosscheck" || json.at("device") != "live")
      fail_argument("{}: a report of ersatz {} on {}, not of a live run", file, json.at("command").get<std::string>(),
                    json.at("device").get<std::string>());
    if (json.contains("ranks")) fail_argument("{}: a report that is joined already", file);
    if (!json.contains("rank"))
      fail_argument("{}: a live run of one process: it says no rank, so there is nothing to join it with", file);
    r.input = json.at("input").get<std::string>();
    r.rank = {json.at("rank").get<int64_t>(), json.at("world_size").get<int64_t>()};
    r.report = report_from_json(json);
    json.at("times").get_to(r.times);
    json.at("skipped_calls").get_to(r.skipped);
    json.at("subclass_calls").get_to(r.subclasses);
    Json devices = Json::object();
    for (const char* key : {"device_rules", "device_layouts"}) {
      if (json.contains(key)) devices[key] = json.at(key);
    }
    r.devices = devices.dump();
    if (json.contains("compiled")) {
      const Json& compiled = json.at("compiled");
      r.compiled = {compiled.at("graphs").get<int64_t>(), compiled.at("nodes").get<int64_t>(),
                    compiled.at("runs").get<int64_t>(), compiled.at("inputs").get<int64_t>()};
    }
    if (json.contains("gradients"))
      r.gradients = {json["gradients"].at("compared").get<int64_t>(),
                     json["gradients"].at("not_compared").get<CallCounts>()};
    if (r.times.size() != r.report.findings.size())
      fail_argument("{}: {} findings, and how often {} of them were made", file, r.report.findings.size(),
                    r.times.size());
  } catch (const nlohmann::json::exception& e) {
    fail_argument("{}: no JSON report of a live crosscheck: {}", file, e.what());
  }
  return r;
}

LiveReport join_ranks(std::vector<LiveReport> reports) {
  if (reports.empty()) fail_argument("merge: no reports");
  std::sort(reports.begin(), reports.end(),
            [](const LiveReport& a, const LiveReport& b) { return a.rank->rank < b.rank->rank; });
  LiveReport whole;
  whole.input = reports[0].input;
  const int64_t n = reports[0].rank->world_size;
  for (size_t i = 0; i < reports.size(); ++i) {
    const Rank& rank = *reports[i].rank;
    if (reports[i].input != whole.input)
      fail_argument("merge: reports of different runs: {} and {}", whole.input, reports[i].input);
    if (rank.world_size != n)
      fail_argument("merge: ranks {} of {} and {} of {}: a run has one number of processes", reports[0].rank->rank, n,
                    rank.rank, rank.world_size);
    if (i > 0 && rank.rank == reports[i - 1].rank->rank) fail_argument("merge: rank {} is there twice", rank.rank);
    if (rank.rank != static_cast<int64_t>(i)) fail_argument("merge: rank {} of {} is missing", i, n);
  }
  if (static_cast<int64_t>(reports.size()) != n) fail_argument("merge: rank {} of {} is missing", reports.size(), n);
  std::map<std::string, size_t> places;
  for (LiveReport& r : reports) {
    Report counts = r.report;
    counts.findings.clear();
    whole.report.add(counts);
    add_calls(whole.skipped, r.skipped);
    add_calls(whole.subclasses, r.subclasses);
    whole.compiled.add(r.compiled);
    if (r.gradients) (whole.gradients ? *whole.gradients : whole.gradients.emplace()).add(*r.gradients);
    for (size_t i = 0; i < r.report.findings.size(); ++i) {
      const Finding& f = r.report.findings[i];
      const auto [at, is_new] = places.try_emplace(about(f), whole.report.findings.size());
      if (is_new) {
        whole.report.findings.push_back(f);
        whole.times.push_back(0);
        whole.ranks.emplace_back();
      }
      whole.times[at->second] += r.times[i];
      if (whole.ranks[at->second].empty() || whole.ranks[at->second].back() != r.rank->rank)
        whole.ranks[at->second].push_back(r.rank->rank);
    }
  }
  whole.joined = std::move(reports);
  return whole;
}

}  // namespace ersatz::tools
