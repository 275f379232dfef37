#include "tools/live/compiled_graphs.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/base/count_text.h"

namespace ersatz::tools {

std::string about(const Finding& f) {
  return fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}", f.op, f.result, name(f.field), f.source, f.predicted, f.observed,
                     f.cause);
}

void CompiledCounts::add(const CompiledCounts& other) {
  graphs += other.graphs;
  nodes += other.nodes;
  runs += other.runs;
  inputs += other.inputs;
}

std::string CompiledCounts::text() const {
  if (graphs == 0) return "";
  const std::string ran = runs == 0 ? ""
                                    : fmt::format(
                                          "; {} of {} compared with what the code was compiled for, what its "
                                          "kernels do is not seen",
                                          count_of(inputs, "input"), count_of(runs, "run"));
  return fmt::format("compiled: {}, {} judged as they were compiled{}\n", count_of(graphs, "graph"),
                     count_of(nodes, "call"), ran);
}

void CompiledGraphs::add(const Report& found, const CompiledCounts& counts) {
  counts_.add(counts);
  Report tally = found;
  tally.findings.clear();
  if (counts.graphs == 0)
    tally.own.unjudged.clear();  // an earlier stage of a graph: the report on the last stage has the operator too
  for (auto& [_, unjudged] : tally.own.unjudged)
    unjudged.why = "of a compiled graph: ersatz has no rule of it, and none of its calls was seen";
  found_.add(tally);
  for (const Finding& f : found.findings) {
    const auto [at, is_new] = places_.try_emplace(about(f), found_.findings.size());
    if (is_new) {
      found_.findings.push_back(f);
      times_.push_back(0);
    }
    ++times_[at->second];
  }
}

void CompiledGraphs::add_to(Report& to, std::vector<int64_t>* times, const std::set<std::string, std::less<>>& judged,
                            Waivers& waivers) const {
  if (counts_.graphs == 0) return;
  Report whole = found_;
  whole.findings.clear();
  std::erase_if(whole.own.unjudged, [&](const auto& row) { return judged.contains(row.first); });
  Report behind;
  std::vector<int64_t> times_before, times_behind;
  for (size_t i = 0; i < found_.findings.size(); ++i) {
    const Finding& f = found_.findings[i];
    if (waivers.waives(f)) {
      ++whole.waived;
      whole.mismatched = std::max<int64_t>(whole.mismatched - times_[i], 0);
      continue;
    }
    const bool about_an_input = f.witness == Witness::Eager;
    (about_an_input ? behind : whole).findings.push_back(f);
    (about_an_input ? times_behind : times_before).push_back(times_[i]);
  }
  whole.add(to);
  whole.add(behind);
  to = std::move(whole);
  if (!times) return;
  times->insert(times->begin(), times_before.begin(), times_before.end());
  times->insert(times->end(), times_behind.begin(), times_behind.end());
}

}  // namespace ersatz::tools
