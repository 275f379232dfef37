// A report on a live run: of one process, or of all processes of a run, joined.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fake/crosscheck/report.h"
#include "tools/live/compiled_graphs.h"
#include "tools/live/live_gradients.h"
#include "tools/output/document.h"

namespace ersatz::tools {

/// A process among those of a run, as torch.distributed counts them.
struct Rank {
  int64_t rank = 0;
  int64_t world_size = 1;
  bool operator==(const Rank&) const = default;
};

struct LiveReport {
  std::string input;
  std::optional<Rank> rank;  ///< of the process; none: nobody knows it, or the report is joined
  Report report;
  std::vector<int64_t> times;  ///< how often each finding was made
  CallCounts skipped;          ///< calls that were not compared, by reason
  /// Calls on tensor subclasses, by class: judged are the calls that they make, but for those of fake tensors.
  CallCounts subclasses;
  /// Whose rules or layouts tensors on devices of metadata had, as a JSON object (LiveDevices::json).
  std::string devices = "{}";
  CompiledCounts compiled;
  std::optional<GradientCounts> gradients;  ///< none: nobody asked what autograd says
  /// The reports of a joined one, by rank.
  std::vector<LiveReport> joined;
  std::vector<std::vector<int64_t>> ranks;  ///< of a joined report: in which processes each finding was made

  /// The data are those that `ersatz crosscheck` makes, and `rank`, `skipped_calls`, `subclass_calls`, `compiled`,
  /// `gradients`, `times`.
  Document document() const;
  std::string text() const { return plain(document()); }
  std::string json() const;
  std::string html() const;
};

/// Reads what `json` wrote. InvalidArgument names the file and what it is instead.
LiveReport live_report_from_json(const std::string& text, const std::string& file);
/// The reports of all processes of one run as one. InvalidArgument where a rank is missing or there twice.
LiveReport join_ranks(std::vector<LiveReport> reports);

}  // namespace ersatz::tools
