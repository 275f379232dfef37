#include "tools/propagate/live_runs.h"

#include <algorithm>

namespace ersatz::tools {

LiveRuns::Site LiveRuns::add_site(CallSite site) {
  sites_.push_back(std::move(site));
  return sites_.size() - 1;
}

void LiveRuns::begin(const std::string& note) {
  runs_.emplace_back().note = note;
  integers_.emplace_back();
  made_.clear();
  asked_.clear();
}

void LiveRuns::add_point(Site site, std::optional<int64_t> dim, const std::string& name, const std::string& scope) {
  if (!numbers_.try_emplace(site, points_.size()).second) return;
  DataPoint& p = points_.emplace_back();
  p.op = p.reader = sites_.at(site).op;
  p.at = sites_.at(site).at;
  p.dim = dim;
  p.expression = name;
  p.scope = scope;
}

void LiveRuns::saw(Site site, SeenValue value) {
  DataPoint& p = point(site);
  p.seen.resize(runs_.size());
  p.seen.back().push_back(std::move(value));
}

void LiveRuns::takes(Site site, const std::vector<int64_t>& integers) {
  integers_.back()[site].insert(integers.begin(), integers.end());
}

void LiveRuns::made(Site site, const MadeElements& made, bool asked, std::vector<std::string> operands) {
  const CallSite& of = sites_.at(site);
  if (asked) {
    AskedSpecial& calls = asked_[{made.nan, of.op}];
    if (calls.calls.empty()) calls.text = elements_text(made);
    if (std::find(calls.calls.begin(), calls.calls.end(), of.place) == calls.calls.end())
      calls.calls.push_back(of.place);
    return;
  }
  if (!made_.insert({made.nan, site}).second) return;  // this site was reported in this run already
  PropagateFinding& f = run().findings.emplace_back();
  f.field = made.nan ? PropagateField::Nan : PropagateField::Inf;
  f.op = of.op;
  f.at = of.at;
  f.message = origin_text(made);
  f.takes = std::move(operands);
}

void LiveRuns::stopped(std::optional<Site> site, const std::string& message) {
  PropagateFinding& f = run().findings.emplace_back();
  f.field = PropagateField::Stopped;
  if (site) f.op = sites_.at(*site).op, f.at = sites_.at(*site).at;
  f.message = kRunEnded;
  f.more.push_back(message);
  run().stopped.emplace(ErrorKind::InvalidArgument, ErrorFamily::Runtime, message);
}

void LiveRuns::remark(const std::string& text) {
  if (std::find(remarks_.begin(), remarks_.end(), text) == remarks_.end()) remarks_.push_back(text);
}

void LiveRuns::end(int64_t calls, int64_t results) {
  run().nodes = calls;
  run().results = results;
  for (const auto& [of, asked] : asked_) {
    const auto& [nan, op] = of;
    const std::string& place = asked.calls[0];
    run().remarks.push_back(
        asked_text(nan, op, asked, "calls", place.empty() ? op : fmt::format("{} at {}", op, place)));
  }
}

/// True if, in every run that reached the point, the call `source.taker` had the point's number as argument.
bool LiveRuns::holds(const Source& source) const {
  if (!source.taker) return true;
  const DataPoint& p = points_[numbers_.at(source.point)];
  for (size_t r = 0; r < p.seen.size(); ++r) {
    if (p.seen[r].empty()) continue;
    const auto taken = integers_[r].find(*source.taker);
    const auto is_taken = [&](const SeenValue& v) { return v.integer && taken->second.contains(*v.integer); };
    if (taken == integers_[r].end() || std::none_of(p.seen[r].begin(), p.seen[r].end(), is_taken)) return false;
  }
  return true;
}

PropagateSummary LiveRuns::sum_up() const {
  PropagateSummary sum;
  sum.runs = runs_;
  sum.points = points_;
  for (const auto& [site, number] : numbers_) {
    DataPoint& p = sum.points[number];
    p.seen.resize(runs_.size());
    p.values.resize(runs_.size());
    std::set<Site> sites;  // in the order in which the model first used them
    std::set<std::string> outputs;
    for (auto f = flow_.lower_bound({site, std::nullopt}); f != flow_.end() && f->first.point == site; ++f) {
      if (!holds(f->first)) continue;
      sites.insert(f->second.sites.begin(), f->second.sites.end());
      outputs.insert(f->second.outputs.begin(), f->second.outputs.end());
    }
    sites.erase(site);
    for (const Site s : sites) p.dependents.push_back(fmt::format("{} ({})", sites_[s].op, sites_[s].place));
    p.outputs.assign(outputs.begin(), outputs.end());
  }
  sum_findings(sum);
  sum.remarks.insert(sum.remarks.end(), remarks_.begin(), remarks_.end());
  sum_seen(sum);
  return sum;
}

}  // namespace ersatz::tools
