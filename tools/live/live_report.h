// The report on a live run of one process, or the joined report on all processes of a run.
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

/// A process's rank in torch.distributed.
struct Rank {
  int64_t rank = 0;
  int64_t world_size = 1;
  bool operator==(const Rank&) const = default;
};

struct LiveReport {
  std::string input;
  std::optional<Rank> rank;  ///< of the process; nullopt if it is unknown or the report is joined
  Report report;
  std::vector<int64_t> times;  ///< how often each finding was made
  CallCounts skipped;          ///< calls that were not compared, by reason
  /// Calls on tensor subclasses, by class. The calls that they make are compared instead, except those of fake tensors.
  CallCounts subclasses;
  /// Rules or layouts that metadata-only devices used, as a JSON object (LiveDevices::json).
  std::string devices = "{}";
  CompiledCounts compiled;
  std::optional<GradientCounts> gradients;  ///< nullopt if gradients are not compared
  /// For a joined report: the reports of the ranks, in order.
  std::vector<LiveReport> joined;
  std::vector<std::vector<int64_t>> ranks;  ///< for a joined report: ranks in which each finding was made

  /// The JSON data are those of `ersatz crosscheck`, with `rank`, `skipped_calls`, `subclass_calls`, `compiled`,
  /// `gradients` and `times`.
  Document document() const;
  std::string text() const { return plain(document()); }
  std::string json() const;
  std::string html() const;
};

/// Parses what `json` wrote. RAISES InvalidArgument, which names the file, for any other text.
LiveReport live_report_from_json(const std::string& text, const std::string& file);
/// Joins the reports of all processes of a run. RAISES InvalidArgument if a rank is missing or repeated.
LiveReport join_ranks(std::vector<LiveReport> reports);

}  // namespace ersatz::tools
