// Makes the summary of propagate for a live PyTorch model, from the calls that the model reports one by one. The
// summary for exported programs is in propagate_summary.h.
//
// A point is a call site in the model's source. A run can reach a call site several times, but a node of a program only
// once.
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
  std::string at;     ///< the user's source line: `train.py:12 in forward: y = mix(x)`; empty if unknown
  std::string place;  ///< file and line: `train.py:12`
};

class LiveRuns {
 public:
  using Site = size_t;
  /// A reason why a tensor depends on a point: directly, or because a call (`taker`) has the point's number as
  /// argument. A call may have an equal number by chance, so all runs together decide whether the dependency is real.
  struct Source {
    Site point = 0;
    std::optional<Site> taker;
    auto operator<=>(const Source&) const = default;
  };

  Site add_site(CallSite site);
  /// Begins a run. Everything that is reported until `end` belongs to that run.
  void begin(const std::string& note);
  /// Notes that a call at the site reads data. `dim`: the dim of its first result whose size depends on data; nullopt:
  /// it returns a number. `name`: the model's expression for the size or number, `n` or `kept.shape[0]`. Only names
  /// with equal `scope` can be compared.
  void add_point(Site site, std::optional<int64_t> dim, const std::string& name, const std::string& scope);
  /// Adds a value that the site read. REQUIRES: add_point was called for the site.
  void saw(Site site, SeenValue value);
  void depends(const Source& source, Site site) { flow_[source].sites.insert(site); }
  /// Notes the integers among the arguments of a call at the site.
  void takes(Site site, const std::vector<int64_t>& integers);
  void output(const Source& source, const std::string& name) { flow_[source].outputs.insert(name); }
  /// Notes that a call made NaN or Inf. `asked`: a scalar argument of the call is NaN or Inf.
  void made(Site site, const MadeElements& made, bool asked, std::vector<std::string> operands);
  /// Notes that an error ended the run, in a call at `site`, or outside of any call if it is nullopt.
  void stopped(std::optional<Site> site, const std::string& message);
  void remark(const std::string& text);
  /// Ends the run. It made `calls` calls, which returned `results` tensors.
  void end(int64_t calls, int64_t results);

  /// Returns the sums over all runs. REQUIRES: each run that began has ended.
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
  std::vector<DataPoint> points_;   ///< in order of their first report
  std::map<Site, size_t> numbers_;  ///< index in `points_` of each site's point
  std::map<Source, Flow> flow_;
  /// For each run: site -> integers among the arguments of its calls.
  std::vector<std::map<Site, std::set<int64_t>>> integers_;
  /// Sites that made NaN (true) or Inf (false) in this run.
  std::set<std::pair<bool, Site>> made_;
  /// Calls of this run with NaN or Inf as scalar argument; key: (is NaN, operator).
  std::map<std::pair<bool, std::string>, AskedSpecial> asked_;
  std::vector<std::string> remarks_;
};

}  // namespace ersatz::tools
