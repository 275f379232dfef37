// Sums up runs of a live model, which are reported call by call, as propagate_summary.h does for programs.
//
// A point is a call site in the model's source, and not a node: a run can reach a site several times.
#pragma once

#include <compare>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tools/propagate/propagate_summary.h"

namespace ersatz::tools {

/// A call site in the model's source.
struct CallSite {
  std::string op;
  std::string at;     ///< the user's line: `train.py:12 in forward: y = mix(x)`; empty if unknown
  std::string place;  ///< `train.py:12`
};

class LiveRuns {
 public:
  using Site = size_t;
  /// A tensor depends on a point directly, or by way of a call that takes the point's number (`taker`). A call may take
  /// an equal number by chance, so all runs together decide whether the dependency is real.
  struct Source {
    Site point = 0;
    std::optional<Site> taker;
    auto operator<=>(const Source&) const = default;
  };

  Site add_site(CallSite site);
  /// Begins a run. Everything up to `end` belongs to it.
  void begin(const std::string& note);
  /// Notes that the site reads data. `dim`: the dim of its first result whose size depends on data; nullopt: it returns
  /// a number. `name`: the model's expression for it, `n` or `kept.shape[0]`. Names in equal `scope`s can be compared.
  void add_point(Site site, std::optional<int64_t> dim, const std::string& name, const std::string& scope);
  /// Adds a value that the site read. REQUIRES: the site is a point.
  void saw(Site site, SeenValue value);
  void depends(const Source& source, Site site) { flow_[source].sites.insert(site); }
  /// Notes the integers among a call's arguments.
  void takes(Site site, const std::vector<int64_t>& integers);
  void output(const Source& source, const std::string& name) { flow_[source].outputs.insert(name); }
  /// Notes that a call made NaN or Inf. `asked`: a number among its arguments is NaN or Inf.
  void made(Site site, const MadeElements& made, bool asked, std::vector<std::string> operands);
  /// Notes that an error ended the run, in the call or (nullopt) outside of one.
  void stopped(std::optional<Site> site, const std::string& message);
  void remark(const std::string& text);
  /// Ends the run, with its numbers of calls and of tensor results.
  void end(int64_t calls, int64_t results);

  /// REQUIRES: no run has begun without its end.
  PropagateSummary sum_up() const;

 private:
  struct Flow {
    std::set<Site> sites;
    std::set<std::string> outputs;
  };
  PropagateRun& run() { return runs_.back(); }
  DataPoint& point(Site site) { return points_[numbers_.at(site)]; }
  bool holds(const Source& source) const;

  std::vector<CallSite> sites_;
  std::vector<PropagateRun> runs_;
  std::vector<DataPoint> points_;   ///< in order of appearance
  std::map<Site, size_t> numbers_;  ///< index of each point in `points_`
  std::map<Source, Flow> flow_;
  std::vector<std::map<Site, std::set<int64_t>>> integers_;     ///< integers that calls take, for each run
  std::set<std::pair<bool, Site>> made_;                        ///< sites that made NaN (true) or Inf in this run
  std::map<std::pair<bool, std::string>, AskedSpecial> asked_;  ///< in this run, by (is NaN, operator)
  std::vector<std::string> remarks_;
};

}  // namespace ersatz::tools
