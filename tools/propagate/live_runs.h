// Runs of a live model, told call by call, summed up as those of a program are.
//
// A point is a place in the model's text (a call site), and no node: a run can come to one site several times.
#pragma once

#include <compare>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tools/propagate/propagate_summary.h"

namespace ersatz::tools {

/// A call in the model's text.
struct CallSite {
  std::string op;
  std::string at;     ///< the user's line: `train.py:12 in forward: y = mix(x)`; empty where there is none
  std::string place;  ///< `train.py:12`
};

class LiveRuns {
 public:
  using Site = size_t;
  /// What a tensor is computed from: a point, by way of a call that takes its number, or directly. Whether that call
  /// takes the point's number, or another one that happens to be equal, all runs together say.
  struct Source {
    Site point = 0;
    std::optional<Site> taker;
    auto operator<=>(const Source&) const = default;
  };

  Site add_site(CallSite site);
  /// A run begins: all that is told until `end` belongs to it.
  void begin(const std::string& note);
  /// The site reads data. `dim`: of its first result, whose size follows from data; none: it returns a number. `name`:
  /// what the model calls it, `n` or `kept.shape[0]`; `scope`: names of equal scopes may be compared.
  void add_point(Site site, std::optional<int64_t> dim, const std::string& name, const std::string& scope);
  /// REQUIRES: the site is a point.
  void saw(Site site, SeenValue value);
  void depends(const Source& source, Site site) { flow_[source].sites.insert(site); }
  /// The integers among a call's arguments.
  void takes(Site site, const std::vector<int64_t>& integers);
  void output(const Source& source, const std::string& name) { flow_[source].outputs.insert(name); }
  /// A call made NaN or Inf. `asked`: a number among its arguments says so.
  void made(Site site, const MadeElements& made, bool asked, std::vector<std::string> operands);
  /// The run ended by an error in the call, or outside of one.
  void stopped(std::optional<Site> site, const std::string& message);
  void remark(const std::string& text);
  /// The run ends, after so many calls with so many tensors as results.
  void end(int64_t calls, int64_t results);

  /// REQUIRES: no run is going on.
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
  std::vector<DataPoint> points_;   ///< in the order in which they came
  std::map<Site, size_t> numbers_;  ///< of points
  std::map<Source, Flow> flow_;
  std::vector<std::map<Site, std::set<int64_t>>> integers_;     ///< taken by calls, by run
  std::set<std::pair<bool, Site>> made_;                        ///< NaN or Inf, in this run
  std::map<std::pair<bool, std::string>, AskedSpecial> asked_;  ///< in this run, by NaN or Inf and operator
  std::vector<std::string> remarks_;
};

}  // namespace ersatz::tools
